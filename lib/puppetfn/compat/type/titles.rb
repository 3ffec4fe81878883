# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Type
      # The attributes that titles of resources give.
      module Titles
        # @return [Array<Class<Parameter>>] the parameters that name a resource
        def key_attribute_parameters
          @key_attribute_parameters ||= @parameters.select { |parameter| parameter.isnamevar? || parameter.name == :name }
        end

        # @return [Array<Symbol>]
        def key_attributes
          @key_attributes ||= key_attribute_parameters.map(&:name)
        end

        # @return [Symbol, nil] the one key attribute, if there is no other
        def namevar
          key_attributes.first if key_attributes.one?
        end

        # Types with several key attributes replace this.
        #
        # @return [Array<Array(Regexp, Array)>] patterns of titles, each with the attributes of its groups, and the
        #   conversion of a text where the value is not the text itself
        # @raise [DevError] when there are several key attributes
        def title_patterns
          case key_attributes.length
          when 0 then []
          when 1 then [[/(.*)/m, [[key_attributes.first]]]]
          else raise DevError, "you must specify title patterns when there are two or more key attributes"
          end
        end

        # @param title [String]
        # @return [Hash{Symbol=>Object}] the attributes from the title
        # @raise [Puppet::Error] when no pattern matches it
        def parse_title(title)
          return {plan.titled => title.to_s} if plan.titled

          patterns = plan.title_patterns
          return {name: title.to_s} if patterns.nil?

          patterns.each do |pattern, attributes|
            groups = pattern.match(title.to_s) or next
            return {attributes[0][0] => groups[1]} if attributes.one? && attributes[0].one?

            return attributes.zip(groups.captures).to_h do |(attribute, conversion), text|
              [attribute, conversion ? conversion.call(text) : text]
            end
          end
          raise Puppet::Error, "No set of title patterns matched the title \"#{title}\"."
        end

        # Returns true if the title is the value of the key attribute. Only a type that overrides the method can differ.
        #
        # @api private
        # @return [Boolean]
        def simple_title?
          method(:title_patterns).owner.equal?(Titles) && key_attributes.one?
        end
      end
    end
  end
end
