# frozen_string_literal: true

module Puppetfn
  # Work that functions of the core leave to Ruby's libraries. Each method answers nil if its library is not installed.
  #
  # @api private
  module Libraries
    module_function

    # @return [Puppet::Pops::Time::Timestamp] Ruby's current time
    def clock
      Puppet::Pops::Time::Timestamp.now
    end

    # @param scope [Scope] has the variables of the template
    # @param template [String]
    # @param path [String, nil] the file that it is from
    # @param name [String, nil] the template's name in the call, which errors show
    # @return [String]
    # @raise [Puppet::ParseError] whatever goes wrong
    def erb(scope, template, path, name)
      scope.runtime.render_erb(scope, template, path)
    rescue NotImplementedError
      # No StandardError, and so no error of the template to Puppet.
      raise
    rescue StandardError, ScriptError => e
      raise Puppet::ParseError, path ? template_failure(name, path, e) : "Failed to parse inline template: #{e}"
    end

    # @param text [String]
    # @param path [String] the file that it is from
    # @return [Object] the data, unless there is no library
    # @raise [Puppet::DataBinding::LookupError] when the text is malformed
    def hocon(text, path)
      return unless available?("hocon", "hocon/config_error")

      ::Hocon.parse(text)
    rescue ::Hocon::ConfigError => e
      raise Puppet::DataBinding::LookupError, "Unable to parse (#{path}): #{e.message}"
    end

    # @param text [String] has encrypted parts
    # @param options [Hash{String=>Object}] of the hierarchy
    # @param key [String] the key that is looked up
    # @param path [String] the file that it is from
    # @return [String] the text with its parts decrypted, unless there is no library
    # @raise [Puppet::DataBinding::LookupError] when they cannot be decrypted
    def eyaml(text, options, key, path)
      return unless available?("hiera/backend/eyaml/options", "hiera/backend/eyaml/parser/parser")

      ::Hiera::Backend::Eyaml::Options.set(options)
      begin
        ::Hiera::Backend::Eyaml::Parser::ParserFactory.hiera_backend_parser.parse(text).map(&:to_plain_text).join.chomp
      rescue StandardError => e
        raise Puppet::DataBinding::LookupError,
              "hiera-eyaml backend error decrypting #{text} when looking up #{key} in #{path}. Error was #{e.message}"
      end
    end

    def available?(*files)
      files.each { |file| require file }
      true
    rescue LoadError
      false
    end

    def template_failure(name, path, error)
      file, line = error.backtrace_locations&.first&.then { |at| [at.path, at.lineno] } || [path, nil]
      "Failed to parse template #{name}:\n  Filepath: #{file}\n  Line: #{line}\n  Detail: #{error}\n"
    end
    private_class_method :available?, :template_failure
  end
end
