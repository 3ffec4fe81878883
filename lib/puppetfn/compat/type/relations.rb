# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Type
      # The relationships that a type adds to its resources by itself.
      module Relations
        {require: :autorequire, before: :autobefore, subscribe: :autosubscribe, notify: :autonotify}.each do |kind, method|
          # @!method autorequire(type)
          # @!method autobefore(type)
          # @!method autosubscribe(type)
          # @!method autonotify(type)
          #   @param type [Symbol] of the other resources
          #   @yield in a resource
          #   @yieldreturn [Array<String>, String, nil] the titles of others, which it is related to as far as the catalog has them
          define_method(method) do |type, &block|
            Parameter.revise
            automatic_relations[kind][type] = block
          end

          define_method("each#{method}") { |&block| automatic_relations[kind].each(&block) }
        end

        # @api private
        # @return [Boolean] whether there is any relationship of a kind
        def automatic?(kind)
          !automatic_relations[kind].empty?
        end

        # The relationships of a kind to types that there are.
        #
        # @api private
        # @param kind [:require, :before, :subscribe, :notify]
        # @yieldparam type [Class<Type>]
        # @yieldparam block [Proc]
        def each_automatic(kind)
          automatic_relations[kind].each do |name, block|
            type = related_types[name] ||= Type.type(name)
            yield type, block if type
          end
        end

        # @return [Array<Class<Parameter>>] the metaparameters that relate resources
        def relationship_params
          Type.metaparameters.each_value.select { |parameter| parameter < RelationshipMetaparam }
        end

        private

        def related_types
          @related_types ||= {}
        end

        def automatic_relations
          @automatic_relations ||= {require: {}, before: {}, subscribe: {}, notify: {}}
        end
      end
    end
  end
end
