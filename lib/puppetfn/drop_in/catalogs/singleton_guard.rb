# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Gives the catalog to Puppet where a function gives an object methods of its own, which Puppet would call, or looks behind its
      # methods. Classes that include it have `compilation`.
      module SingletonGuard
        # @return [Boolean] whether functions have the object
        def lent? = true

        # @raise [Declined] once functions have the object
        def singleton_method_added(name) # rubocop:disable Lint/MissingSuper
          compilation.decline("the method #{name} of a #{self.class}") if lent?
        end

        # (see #singleton_method_added)
        def extend(*modules)
          compilation.decline("#{self.class}#extend") if lent?
          super
        end

        # (see #singleton_method_added)
        def singleton_class
          compilation.decline("the singleton class of a #{self.class}") if lent?
          super
        end

        # (see #singleton_method_added)
        def instance_variable_set(name, value)
          compilation.decline("the instance variable #{name} of a #{self.class}") if lent? && !DecidingMethods.called_by_library?
          super
        end

        # (see #singleton_method_added)
        def instance_variable_get(name)
          compilation.decline("the instance variable #{name} of a #{self.class}") if lent? && !DecidingMethods.called_by_library?
          super
        end
      end
    end
  end
end
