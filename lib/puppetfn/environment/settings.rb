# frozen_string_literal: true

module Puppetfn
  # The class below has Puppet's name for it.
  const_set(:Settings, Puppet.const_set(:Settings, Class.new))

  # Puppet's settings, which functions read as `Puppet[:name]` and code as `$settings::name`.
  #
  # Settings that nobody has set have Puppet's defaults. A text may refer to other settings, as in `$vardir/lib`.
  class Settings
    # The directories that are made when they are first asked for: functions keep files there.
    MADE = %i[vardir statedir].freeze
    # The possible values of `strict`.
    STRICT = %i[off warning error].freeze
    # Names among settings that are none: they say which defaults apply.
    NO_SETTINGS = [:run_mode, Target::SETTING].freeze
    # The number of different sets of settings whose values are cached.
    MOST = 16
    # The end of the default of Puppet's `http_user_agent`.
    USER_AGENT = "Ruby/#{RUBY_VERSION}-p#{RUBY_PATCHLEVEL} (#{RUBY_PLATFORM})".freeze
    private_constant :MADE, :STRICT, :NO_SETTINGS, :MOST, :USER_AGENT

    # The values of all settings, and the variables by which code sees them.
    #
    # @api private
    class Resolution
      # @return [Hash{Symbol=>Object}]
      attr_reader :values

      # @param set [Hash{Symbol=>Object}]
      def initialize(set)
        target = Target.named(set.fetch(Target::SETTING))
        known, own = set.partition { |name, _| NO_SETTINGS.include?(name) || SettingsTable.known?(name.name, target.name) }.map(&:to_h)
        texts = known.to_h { |name, value| [name.name, value.is_a?(Symbol) ? value.name : value] }
        agent = "Puppet/#{target.version} #{USER_AGENT}"
        @values = SettingsTable.resolve({"http_user_agent" => agent}.merge(texts)).merge(own).freeze
      end

      # @return [Hash{String=>Object}] in Puppet's own values
      def to_h
        values.to_h { |name, value| [name.name, value.is_a?(Symbol) ? value.name : value] }
      end

      # @return [Variables] shared by many runtimes: must not be changed
      def variables
        @variables ||= begin
          all = Facts.convert(to_h)
          variables = all.each_with_object(Variables.new) { |(name, value), added| added.set("settings::#{name}", value) }
          # A class has its own name as a variable.
          %w[name title].each { |name| variables.set("settings::#{name}", "settings") }
          variables.set("settings::all_local", all)
          variables
        end
      end
    end

    @known = Recent.new(MOST)
    @lock = Mutex.new

    # Returns the values of settings, once for equal ones: many runtimes have the same, and there are hundreds.
    #
    # @api private
    # @param set [Hash{Symbol=>Object}]
    # @return [Resolution]
    def self.resolution(set)
      set = set.dup
      @lock.synchronize { @known.fetch([set]) { Resolution.new(set) } }
    end

    # @api private
    # @return [Hash{Symbol=>Object}] the assigned settings
    attr_reader :assigned

    # @return [Target] the release whose defaults they have
    attr_reader :target

    # @param environment [Environment]
    # @param target [Target] the release whose defaults they have
    # @param given [Hash{Symbol=>Object}] settings that differ from the defaults, and further ones
    # @raise [ArgumentError] when `strict` is none of Puppet's levels
    def initialize(environment, target: Target.default, **given)
      strict = given[:strict]
      unless strict.nil? || STRICT.include?(strict)
        raise Error[ArgumentError], "strict: expected :off, :warning or :error, got #{strict.inspect}"
      end

      @assigned = {}
      @target = target
      @set = {Target::SETTING => target.name, modulepath: environment.modulepath.join(File::PATH_SEPARATOR), **environment.settings, **given}
    end

    # Shares the values with the other settings until either is changed.
    #
    # @return [void]
    def initialize_copy(other)
      super
      @assigned.freeze
      @set.freeze
      @made = nil
    end

    # @api private
    # @return [Hash{Symbol=>Object}] the values of all settings
    def values
      resolution.values
    end

    # Returns the settings that code sees as `$settings::NAME`.
    #
    # @return [Hash{String=>Object}] in Puppet's own values
    def to_h
      resolution.to_h
    end

    # Returns the variables by which code sees the settings.
    #
    # @api private
    # @return [Variables] shared by many runtimes: must not be changed
    def variables
      resolution.variables
    end

    # Returns the value of a setting. The directory `vardir` is made when it is first asked for.
    #
    # @param name [Symbol, String]
    # @return [Object] nil if the setting does not exist
    def [](name)
      value = values[name = name.to_sym]
      make_directory(name, value) if MADE.include?(name)
      value
    end

    # (see #[])
    def value(name, _environment = nil)
      self[name]
    end

    # @param name [Symbol, String]
    # @param value [Object]
    # @raise [ArgumentError] when there is no such setting
    def []=(name, value)
      name = name.to_sym
      raise Error[ArgumentError], "Attempt to assign a value to unknown setting #{name.inspect}" unless include?(name)

      @assigned = @assigned.dup if @assigned.frozen?
      @assigned[name] = value
      add(name => value)
    end

    # Sets settings to values that count as Puppet's own.
    #
    # @api private
    # @param values [Hash{Symbol=>Object}]
    # @return [void]
    def add(values)
      @set = @set.dup if @set.frozen?
      @set.update(values)
      @resolution = nil
    end

    # Moves assigned values from other settings to these. The others have the values still, but not as assigned ones.
    #
    # @api private
    # @param others [Settings]
    # @return [void]
    def take(others)
      others.release.each { |name, value| self[name] = value }
    end

    # Forgets which settings were assigned.
    #
    # @api private
    # @return [Hash{Symbol=>Object}] these settings
    def release
      return @assigned if @assigned.empty?

      @assigned.tap { @assigned = {} }
    end

    # @param name [Symbol, String]
    # @return [Boolean] whether there is a setting of this name
    def include?(name)
      name = name.to_sym
      SettingsTable.known?(name.name, target.name) || (@set.key?(name) && !NO_SETTINGS.include?(name))
    end

    # @return [true] they have values from the start
    def global_defaults_initialized?
      true
    end
    alias app_defaults_initialized? global_defaults_initialized?

    # @api private
    # @param name [Symbol]
    # @return [Boolean] whether somebody has set a setting
    def set?(name)
      @set.key?(name)
    end

    private

    def resolution
      @resolution ||= Settings.resolution(@set)
    end

    # Whoever cannot make the directory finds that out when writing there.
    def make_directory(name, path)
      return if (@made ||= {})[name] == path

      require "fileutils"
      @made[name] = path
      FileUtils.mkdir_p(path)
    rescue SystemCallError
      nil
    end
  end
end
