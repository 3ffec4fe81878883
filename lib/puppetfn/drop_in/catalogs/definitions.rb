# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Methods by which functions define classes and types, or change them: puppetfn cannot see the effect, which would
      # remain when Puppet begins again. Puppet's own files may call them.
      module Definitions
        # Before the methods of `Puppet::Resource::TypeCollection`.
        Adding = Module.new
        # Before the methods of `Puppet::Resource::Type`.
        Changing = Module.new

        {Adding => %i[add << import_ast add_hostclass add_node add_definition],
         Changing => %i[set_arguments merge code= parent= override=]}.each do |guard, names|
          names.each do |name|
            guard.define_method(name) do |*arguments|
              compilation = Compilation.current
              compilation.decline("#{self.class}##{name}") unless compilation.nil? || DecidingMethods.called_by_library?
              super(*arguments)
            end
          end
        end

        # @return [void]
        def self.install
          ::Puppet::Resource::TypeCollection.prepend(Adding)
          ::Puppet::Resource::Type.prepend(Changing)
        end
      end
    end
  end
end
