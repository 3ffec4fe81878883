# frozen_string_literal: true

module Puppetfn
  module RSpec
    # When garbage is collected in a run of examples.
    #
    # Ruby's heap begins small, and has no more free places than there are objects in use: garbage would be collected often
    # while files are loaded, of which most stays, and then every few examples. Until the process takes as much memory as it
    # may anyway, it is not collected at all. From then on it is seldom, for the heap has become large.
    #
    # Catalogs hold much memory that Ruby does not count, so where these are made garbage is always collected, and so it is from
    # when facts are read. The heap gets room for the objects of some, which saves half of the time.
    #
    # @api private
    module Heap
      # Memory of the process, in bytes, from which on garbage is collected.
      ENOUGH = 74 << 20
      # Interval of checks, in examples or groups.
      INTERVAL = 16
      # Number of examples from which on the room pays off.
      MANY = 300
      # Number of objects that there is room for in that case; it takes 8 MB.
      PLACES = 200_000
      # No more than are on one page of the heap.
      STEP = 400
      # Pages of memory, of which the second number is how many are in use.
      STATE = "/proc/self/statm"
      PAGE = 4096
      private_constant :PLACES, :STEP, :STATE, :PAGE

      class << self
        # Has the heap grow, once, where it can be told how large the process is. Elsewhere garbage is collected from now on.
        #
        # @return [void]
        def let_grow
          return unless @growing.nil?

          @growing = File.readable?(STATE)
          @count = 0
          @growing ? GC.disable : GC.enable
        end

        # @return [Boolean] whether no garbage is collected yet
        def growing?
          @growing == true
        end

        # Collects garbage from now on if there is enough memory to reuse. It is called before each example and group.
        #
        # @return [void]
        def check
          return unless @growing
          return if (@count += 1) % INTERVAL != 0

          settle if memory >= ENOUGH
        end

        # Collects garbage from now on, and makes room, once.
        #
        # @return [void]
        def make_room
          return if @in_use

          settle
          enabled = !GC.disable
          objects = Array.new(PLACES).zip
          # A page is only given back when it is empty.
          @in_use = Array.new(PLACES / STEP) { |index| objects[index * STEP] }
          objects.clear
        ensure
          GC.enable if enabled
        end

        # Collects garbage from now on.
        #
        # @return [void]
        def settle
          return unless @growing

          @growing = false
          GC.enable
        end

        private

        def memory
          File.read(STATE).split[1].to_i * PAGE
        end
      end
    end
  end
end
