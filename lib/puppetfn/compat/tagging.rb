# frozen_string_literal: true

require "set"

module Puppetfn
  module Puppet
    module Util
      # The tags of a resource or catalog. As data, they are an array.
      class TagSet < ::Set
        # @return [String] the tags as YAML
        def to_yaml(...)
          to_a.to_yaml(...)
        end

        # @return [Array<String>]
        def to_data_hash
          to_a
        end

        # @return [String]
        def join(...)
          to_a.join(...)
        end
      end

      # Tags of resources and catalogs.
      module Tagging
        VALID = /\A[[:alnum:]_][[:alnum:]_:.-]*\Z/u
        private_constant :VALID

        # Adds tags, and the segments of tags with namespaces.
        #
        # @raise [ParseError] when one is not a tag
        def tag(*names)
          names.flatten.compact.each do |name|
            name = name.to_s.downcase
            next if own_tags.include?(name)

            fail(ParseError, "Invalid tag '#{name}'") unless valid_tag?(name)
            own_tags.add(name).merge(name.split("::"))
          end
        end

        # @return [Boolean] whether it has any of some tags
        def tagged?(*names)
          raw_tagged?(names.map { |name| name.to_s.downcase })
        end

        def raw_tagged?(names)
          names.any? { |name| lent_tags.include?(name) }
        end

        # @return [TagSet] a copy
        def tags
          TagSet.new(lent_tags)
        end

        # @param names [Array<String>, String, nil] the new tags, which replace the present ones
        def tags=(names)
          @tags = Set.new
          tag(*(names.is_a?(String) ? names.strip.split(/\s*,\s*/) : names))
        end

        # Adds the tags of something else.
        def merge_tags_from(source)
          own_tags.merge(source.tags)
        end

        # The tags for something else to have, too: neither adds to them any more.
        #
        # @api private
        # @return [Array<String>, Set<String>]
        def lent_tags
          (@tags || own_tags).freeze
        end

        # @return [Boolean]
        def valid_tag?(name)
          name.encode(Encoding::UTF_8).match?(VALID)
        rescue EncodingError
          false
        end

        private

        # Returns a Set to which more can be added.
        def own_tags
          return @tags if @tags.is_a?(Set) && !@tags.frozen?

          lent, @tags = @tags, Set.new
          lent ? @tags.merge(lent) : tag(*initial_tags)
          @tags
        end

        # Tags of an object that was given none.
        def initial_tags
          []
        end
      end
    end
  end
end
