# frozen_string_literal: true

require "puppetfn/rspec"

module PuppetlabsSpec
  # Parts of Puppet that old specs ask for by hand.
  module PuppetInternals
    module_function

    # @return [Puppet::Parser::Scope] the top scope of the example
    def scope(_parts = {})
      Puppetfn::Runtime.current.scope
    end

    # @return [Puppetfn::Compiler]
    def compiler(_parts = {})
      Puppetfn::Runtime.current.compiler
    end

    # Returns the method of a scope that is a function of the 3.x API.
    #
    # @param name [String]
    # @option parts [Puppet::Parser::Scope] :scope
    # @return [Method, nil]
    def function_method(name, parts = {})
      return unless Puppet::Parser::Functions.function(name)

      (parts[:scope] || scope).method(:"function_#{name}")
    end
  end
end
