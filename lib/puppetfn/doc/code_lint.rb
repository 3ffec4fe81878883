# frozen_string_literal: true

require_relative "definition_lint"
require_relative "mutation_lint"
require_relative "signature_lint"

class Puppetfn::Doc
  # What the code of a function does that the function API forbids, though Puppet lets it pass.
  #
  # @api private
  class CodeLint
    # @param declaration [Declaration]
    def initialize(declaration)
      @declaration = declaration
    end

    # @return [Array<Hash{Symbol => Object}>] by rule
    def findings
      found = []
      report = lambda do |line, rule, message|
        found << {file: @declaration.source.path, line: line, rule: rule, message: message}
      end
      DefinitionLint.new(@declaration, report).run
      if @declaration.api == :ruby4x
        SignatureLint.new(@declaration, report).run
        MutationLint.new(@declaration, report).run if @declaration.base.nil?
      end
      # A call with arguments is a node within a node, and each is seen.
      found.uniq
    end
  end
end
