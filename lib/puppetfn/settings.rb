# frozen_string_literal: true

module Puppetfn
  # The settings that functions read as `Puppet[:name]`.
  #
  # Those that a runtime knows are set from the start; the others exist once they are
  # assigned, because a path of a Puppet that is not there would only mislead.
  class Settings
    # @api private
    # @return [Hash{Symbol=>Object}] what was assigned
    attr_reader :assigned

    # @api private
    # @return [Hash{Symbol=>Object}] all that have a value
    attr_reader :values

    # As Puppet 8 has them.
    DEFAULTS = {
      strict: :error, strict_variables: true, disable_warnings: [].freeze,
      trace: false, puppet_trace: false, debug: false, noop: false, tasks: false
    }.freeze

    # The possible values of `strict`.
    STRICT = %i[off warning error].freeze
    # For how many different settings the variables are kept.
    MOST = 16
    private_constant :STRICT, :MOST

    @known = Recent.new(MOST)
    @lock = Mutex.new

    # Returns what a block makes of settings, once for equal ones: many runtimes have the same, and there are hundreds.
    #
    # @api private
    # @param values [Hash{Symbol=>Object}]
    # @yieldreturn [Variables]
    # @return [Variables]
    def self.known(values, &block)
      @lock.synchronize { @known.fetch([values], &block) }
    end

    # @param environment [Environment]
    # @param given [Hash{Symbol=>Object}] settings that are not as in Puppet 8, and others
    # @raise [ArgumentError] when `strict` is none of Puppet's levels
    def initialize(environment, **given)
      strict = given[:strict]
      unless strict.nil? || STRICT.include?(strict)
        raise ArgumentError, "strict: expected :off, :warning or :error, got #{strict.inspect}"
      end

      @assigned = {}
      @values = DEFAULTS.merge(environment: environment.name.to_s,
        modulepath: environment.modulepath.join(File::PATH_SEPARATOR), **given)
    end

    # @return [void]
    def initialize_copy(other)
      super
      @assigned = other.assigned.dup
      @values = other.values.dup
    end

    # Returns the settings that code sees as `$settings::NAME`.
    #
    # @return [Hash{String=>Object}] in Puppet's own values
    def to_h
      @values.to_h { |name, value| [name.name, value.is_a?(Symbol) ? value.name : value] }
    end

    # Returns the variables by which code sees the settings.
    #
    # @api private
    # @return [Variables] those of many runtimes: it must not be changed
    def variables
      Settings.known(@values) do
        all = Facts.convert(to_h)
        all.each_with_object(Variables.new) { |(name, value), variables| variables.set("settings::#{name}", value) }
          .tap { |variables| variables.set("settings::all_local", all) }
      end
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
      @assigned[name.to_sym] = @values[name.to_sym] = value
    end

    # Sets settings to values that count as Puppet's own.
    #
    # @api private
    # @param values [Hash{Symbol=>Object}]
    def add(values)
      @values.update(values)
    end

    # Moves assigned values from other settings to these.
    #
    # @api private
    # @param others [Settings]
    def take(others)
      others.assigned.each { |name, value| self[name] = value }
      others.assigned.clear
    end

    # @return [Boolean] whether a setting has a value
    def include?(name)
      @values.key?(name.to_sym)
    end
  end
end
