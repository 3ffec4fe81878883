# frozen_string_literal: true

module Puppetfn
  module RSpec
    # Room for the objects of long runs.
    #
    # Each catalog leaves much that is of no use once the next is made, and Ruby would collect it every few catalogs: it
    # gives a heap no more free places than there are objects in use. With as many as here, most of the time goes that
    # collecting takes. Only few runs are long enough for it, and all others need no such heap.
    #
    # @api private
    module Heap
      # How often garbage was collected in a run that is long.
      OFTEN = 40
      # For how many objects there is room then; it takes 20 MB.
      PLACES = 500_000
      # At most as many as are on one page of the heap.
      STEP = 400
      private_constant :OFTEN, :PLACES, :STEP

      class << self
        # Makes room, once it is worth it.
        #
        # @return [void]
        def grow
          return if @in_use || GC.count < OFTEN

          enabled = !GC.disable
          objects = Array.new(PLACES) { Object.new }
          # A page is only given back when it is empty.
          @in_use = Array.new(PLACES / STEP) { |index| objects[index * STEP] }
          objects.clear
        ensure
          GC.enable if enabled
        end
      end
    end
  end
end
