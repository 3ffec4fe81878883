# frozen_string_literal: true

module Puppetfn
  module RSpec
    # Room for the objects of a run of examples.
    #
    # Ruby's heap begins small, and has no more free places than there are objects in use: garbage is collected often while
    # facts are read, and then every few catalogs, each of which leaves much that is of no use once the next is made. With
    # this room it takes half the time. For few examples, making room takes longer than it saves.
    #
    # @api private
    module Heap
      # From how many examples on it is worth it, whatever they are of.
      MANY = 300
      # For how many objects there is room; it takes 20 MB.
      PLACES = 500_000
      # No more than are on one page of the heap.
      STEP = 400
      private_constant :PLACES, :STEP

      # Makes room, once.
      #
      # @return [void]
      def self.grow
        return if @in_use

        enabled = !GC.disable
        objects = Array.new(PLACES).zip
        # A page is only given back when it is empty.
        @in_use = Array.new(PLACES / STEP) { |index| objects[index * STEP] }
        objects.clear
      ensure
        GC.enable if enabled
      end
    end
  end
end
