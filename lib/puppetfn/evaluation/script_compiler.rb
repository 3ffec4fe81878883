# frozen_string_literal: true

module Puppetfn
  # The compiler that functions get which ask for one for scripts: there is no catalog.
  class ScriptCompiler < Compiler
    undef_method :catalog, :resources, :findresource, :add_resource, :add_override, :add_class, :classlist, :evaluate_classes

    # @return [false]
    def has_catalog?
      false
    end
  end
end
