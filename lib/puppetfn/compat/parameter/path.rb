# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Parameter
      # A parameter that is an absolute path, or several if it accepts arrays.
      class Path < Parameter
        # Sets whether the parameter can have several paths.
        def self.accept_arrays(bool = true)
          @accept_arrays = bool ? true : false
        end

        # @return [Boolean, nil]
        def self.arrays?
          @accept_arrays
        end

        # @raise [Puppet::Error] for any other value
        def validate_path(paths)
          refuse_arrays(paths)
          fail("#{name} must be a fully qualified path") unless Array(paths).all? { |path| absolute_path?(path) }
          paths
        end

        def unsafe_validate(paths)
          validate_path(paths)
        end

        def unsafe_munge(paths)
          refuse_arrays(paths)
          paths
        end

        private

        def refuse_arrays(paths)
          fail("#{name} only accepts a single path, not an array of paths") if paths.is_a?(Array) && !self.class.arrays?
        end
      end
    end
  end
end
