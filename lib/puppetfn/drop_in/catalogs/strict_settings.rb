# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # The settings `strict` and `strict_variables`, which functions change for a while, so that they can look for a variable that
      # may not exist. The code that puppetfn evaluates has the values that they had before.
      class StrictSettings
        NAMES = %i[strict strict_variables].freeze
        private_constant :NAMES

        # @param compilation [Compilation]
        def initialize(compilation)
          @compilation = compilation
        end

        # Notes their values before a function runs that may change them.
        #
        # @return [void]
        def watch
          @before ||= current
        end

        # @yieldreturn [Object]
        # @return [Object] the result of the block
        # @raise (see #expect_same)
        def expect_same_after
          yield
        ensure
          expect_same
        end

        # Has Puppet compile the catalog, with the values before, if a function has changed them.
        #
        # @return [void]
        # @raise [Declined]
        def expect_same
          return if @before.nil? || @before == current

          NAMES.zip(@before) { |name, value| ::Puppet[name] = value }
          @compilation.decline("a change of a setting")
        end

        private

        def current
          NAMES.map { |name| ::Puppet[name] }
        end
      end
    end
  end
end
