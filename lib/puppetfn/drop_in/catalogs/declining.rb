# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Replaces the methods of one of Puppet's classes that a view of puppetfn's state has no answer for.
      module Declining
        # Makes all public methods of a class of Puppet's own, except inherited ones, give the catalog to Puppet.
        #
        # @param original [Class] one of Puppet's
        # @param inherited [Array<Symbol>] methods that work as they are
        # @return [void]
        def decline_others_of(original, inherited)
          (original.public_instance_methods(false) - inherited - public_instance_methods(false)).each do |name|
            next if name.end_with?("=") && inherited.include?(:"#{name.to_s.chomp("=")}=")

            define_method(name) { |*, **| compilation.decline("#{original}##{name}") }
          end
        end
      end
    end
  end
end
