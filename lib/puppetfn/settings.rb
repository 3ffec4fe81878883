# frozen_string_literal: true

module Puppetfn
  # The settings that functions read as `Puppet[:name]`.
  #
  # Those that a runtime has an answer for are set from the start; the others exist once they are
  # assigned, because a path of a Puppet that is not there would only mislead.
  class Settings
    # As Puppet 8 has them.
    DEFAULTS = {
      strict: :error, strict_variables: true, disable_warnings: [].freeze,
      trace: false, puppet_trace: false, debug: false, noop: false
    }.freeze

    # @param environment [Environment]
    def initialize(environment)
      @values = DEFAULTS.merge(environment: environment.name.to_s,
        modulepath: environment.modulepath.join(File::PATH_SEPARATOR))
    end

    # @param name [Symbol, String]
    # @return [Object]
    # @raise [UnavailableError] when the setting was not assigned
    def [](name)
      @values.fetch(name.to_sym) do
        raise UnavailableError.new("Puppet[:#{name}]", "Assign Puppet[:#{name}] first if the function needs it.")
      end
    end

    # @param name [Symbol, String]
    # @param value [Object]
    def []=(name, value)
      @values[name.to_sym] = value
    end

    # @return [Boolean] whether a setting has a value
    def include?(name)
      @values.key?(name.to_sym)
    end
  end
end
