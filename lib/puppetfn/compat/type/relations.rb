# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Type
      # The relationships that a type adds to its resources by itself.
      module Relations
        # A relationship that a type adds: the type of the other resources, the block that names them, and the method that
        # the block has become, if it takes no arguments. The type itself is looked up when it is needed.
        Relation = Struct.new(:type_name, :block, :asked, :type)
        private_constant :Relation

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
            # Evaluating a block in a resource would make a class for each resource.
            asked = define_method("#{method} #{type}", &block) if block.arity.zero?
            automatic_relations[kind][type] = Relation.new(type, block, asked)
          end

          define_method("each#{method}") do |&block|
            automatic_relations[kind].each_value { |relation| block.call(relation.type_name, relation.block) }
          end
        end

        # @api private
        # @return [Boolean] whether there is any relationship of a kind
        def automatic?(kind)
          !automatic_relations[kind].empty?
        end

        # Returns the resources of the catalog that a resource is related to by its type.
        #
        # @api private
        # @param resource [Type]
        # @param kind [:require, :before, :subscribe, :notify]
        # @param catalog [RalCatalog]
        # @return [Array<Type>]
        def related_to(resource, kind, catalog)
          found = []
          automatic_relations[kind].each_value do |relation|
            type = relation.type ||= Type.type(relation.type_name) or next
            asked = relation.asked
            others = asked ? resource.public_send(asked) : resource.instance_eval(&relation.block)
            next add_related(found, type, others, catalog) unless others.is_a?(Array)

            others.each { |other| add_related(found, type, other, catalog) }
          end
          found
        end

        # @return [Array<Class<Parameter>>] the metaparameters that relate resources
        def relationship_params
          Type.metaparameters.each_value.select { |parameter| parameter < RelationshipMetaparam }
        end

        private

        def add_related(found, type, other, catalog)
          return if other.nil?

          other = catalog.resource(type, other) unless other.is_a?(Type)
          found << other if other
        end

        def automatic_relations
          @automatic_relations ||= {require: {}, before: {}, subscribe: {}, notify: {}}
        end
      end
    end
  end
end
