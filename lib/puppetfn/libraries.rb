# frozen_string_literal: true

module Puppetfn
  # What functions of the core have Ruby's libraries do. Each method answers nil where there is no such
  # library.
  #
  # @api private
  module Libraries
    module_function

    # @param scope [Scope] has the variables of the template
    # @param template [String]
    # @param path [String, nil] the file that it is from
    # @return [String]
    # @raise [Puppet::ParseError] whatever goes wrong
    def erb(scope, template, path)
      Puppet::Parser::TemplateWrapper.new(scope).render(template, path)
    rescue StandardError, ScriptError => e
      raise Puppet::ParseError, path ? template_failure(path, e) : "Failed to parse inline template: #{e}"
    end

    def template_failure(path, error)
      file, line = error.backtrace_locations&.first&.then { |at| [at.path, at.lineno] } || [path, nil]
      "Failed to parse template #{path}:\n  Filepath: #{file}\n  Line: #{line}\n  Detail: #{error}\n"
    end
    private_class_method :template_failure
  end
end
