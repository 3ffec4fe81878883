# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # A resource of the catalog that puppetfn compiles, as functions of Puppet get it: its current state. Changes by
      # functions reach the catalog.
      class LentResource < ::Puppet::Parser::Resource
        extend StandIn
        stands_in_for ::Puppet::Parser::Resource
        include SingletonGuard
        extend Declining

        # @return [Compilation]
        attr_reader :compilation

        # @param lent [Puppetfn::Puppet::Parser::Resource]
        # @param scope [LentScope]
        def initialize(lent, scope)
          @compilation = scope.compilation
          file = lent.file || ("" if lent.line)
          super(lent.type, Values.title(lent.type, lent.title), {scope: scope, source: scope.source, file: file, line: lent.line}, false)
          @catalog = scope.compiler.catalog
          show(lent)
        end

        # Shows the current state of the resource. Functions always get the same object for a resource.
        #
        # @param lent [Puppetfn::Puppet::Parser::Resource]
        # @return [self]
        def show(lent)
          @parameters = LentParameters.new(@compilation, lent.current_values.to_h do |name, value|
            [name, parameter(name, @compilation.values.seen(value))]
          end)
          @virtual, @exported = lent.virtual?, lent.exported?
          @tags = ::Puppet::Util::TagSet.new(lent.tags)
          @sensitive_parameters = [].freeze
          @lent = lent
          self
        end

        # @return [::Puppet::Node::Environment]
        def environment = compilation.environment

        # (see ::Puppet::Parser::Resource#set_parameter)
        def set_parameter(name, value = nil)
          name, value = name.name, name.value if name.respond_to?(:value)
          compilation.values.lend { @lent.set_parameter(name, compilation.values.from_puppet(value)) && nil }
          remember(name, value)
        end
        alias []= set_parameter

        # (see ::Puppet::Util::Tagging#tag)
        def tag(*tags)
          return super if @lent.nil?

          compilation.values.lend { @lent.tag(*tags) && nil }
          @tags = ::Puppet::Util::TagSet.new(@lent.tags)
        end

        # Methods that would change the resource, or show state that is final only when all code has been evaluated.
        CHANGING = %i[
          << add_edge_to_stage catalog= copy_as_resource delete environment= evaluate evaluated evaluated= evaluated? exported= file= finish
          finished? kind= line= merge override= prune_parameters resource_type= scope= sensitive_parameters= source= strict= tags= title=
          to_ral translated= validate_parameters= virtual=
        ].freeze
        private_constant :CHANGING

        # These are used while it is made.
        CHANGING.each do |name|
          define_method(name) { |*values| @lent ? compilation.decline("Puppet::Parser::Resource##{name}") : super(*values) }
        end

        # @raise [Declined] always, except for callers in Puppet itself: the scope of a declaration is not known
        def scope
          return super if @lent.nil? || DecidingMethods.called_by_library?

          compilation.decline("Puppet::Parser::Resource#scope")
        end

        # @return [Boolean] whether it is complete
        def lent? = !@lent.nil?

        private

        def remember(name, value)
          @parameters.show(parameter(name, value))
        end

        def parameter(name, value)
          LentParameter.new(@compilation, name: name.to_sym, value: value, source: source)
        end
      end
    end
  end
end
