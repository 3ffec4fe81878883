# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Property
      # A property that is a list, of which a resource may have some members only.
      class List < Property
        # @return [Symbol] the parameter that says whether other members are removed
        def membership
          :membership
        end

        # @return [Boolean]
        def inclusive?
          @resource[membership] == :inclusive
        end

        # @return [String]
        def delimiter
          ","
        end

        # @return [String, nil] all members
        def should
          return unless @should

          dearrayify(inclusive? ? @should : add_should_with_current(@should, retrieve))
        end

        # @return [Array] the wanted and the current members
        def add_should_with_current(should, current)
          should += current if current.is_a?(Array)
          should.uniq
        end

        # @return [String]
        def dearrayify(array)
          array.sort.join(delimiter)
        end

        # @return [Array, :absent]
        def retrieve
          current = provider&.public_send(name)
          return :absent unless current && current != :absent

          current.instance_of?(Array) ? current : current.split(delimiter)
        end

        # @return [String]
        def prepare_is_for_comparison(is)
          dearrayify(is == :absent ? [] : is)
        end

        # @return [Boolean]
        def insync?(is)
          is ? prepare_is_for_comparison(is) == should : true
        end

        # @return [String]
        def is_to_s(current)
          current == :absent ? super : current.join(delimiter)
        end
      end
    end
  end
end
