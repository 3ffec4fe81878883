# frozen_string_literal: true

module Puppetfn
  # The compiler for scripts, which functions can ask for: it has no catalog.
  class ScriptCompiler < Compiler
    undef_method :catalog, :resources, :findresource, :add_resource, :add_override, :add_class, :classlist, :evaluate_classes

    # @return [false]
    def has_catalog?
      false
    end
  end
end
