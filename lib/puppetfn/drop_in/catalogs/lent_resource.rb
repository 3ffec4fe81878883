# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # A resource of the catalog that puppetfn makes, as functions of Puppet get it: as it is when they ask for it. What
      # they set, the catalog has, too.
      class LentResource < ::Puppet::Parser::Resource
        extend Declining

        # @return [Compilation]
        attr_reader :compilation

        # @param lent [Puppetfn::Puppet::Parser::Resource]
        # @param scope [LentScope]
        def initialize(lent, scope)
          @compilation = scope.compilation
          super(lent.type, Values.title(lent.type, lent.title), {scope: scope, source: scope.source, file: lent.file, line: lent.line}, false)
          lent.to_hash.each { |name, value| remember(name, @compilation.values.to_puppet(value)) }
          @virtual, @exported = lent.virtual?, lent.exported?
          @tags = ::Puppet::Util::TagSet.new(lent.tags)
          @lent = lent
        end

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

        %i[virtual= exported=].each do |name|
          define_method(name) { |_| compilation.decline("Puppet::Parser::Resource##{name}") }
        end

        decline_others_of(::Puppet::Parser::Resource, ::Puppet::Parser::Resource.public_instance_methods(false) -
          %i[add_edge_to_stage evaluate evaluated= finish merge add_defaults override=])

        private

        def remember(name, value)
          name = name.to_sym
          @parameters[name] = ::Puppet::Parser::Resource::Param.new(name: name, value: value, source: source)
        end
      end
    end
  end
end
