# frozen_string_literal: true

require "set"

module Puppetfn
  # A release whose behaviour code sees: Puppet 8, or OpenVox, the community's fork of it.
  #
  # @example
  #   Puppetfn::Target.named("openvox9").version                   # => "9.0.0-beta2"
  #   Puppetfn::Target.named("openvox9").has?(:no_script_methods)  # => true
  #   Puppetfn::Target.default.name                                # => "puppet8"
  class Target
    # The environment variable that names the default.
    VARIABLE = "PUPPETFN_TARGET"
    # The setting by which settings that were set say for which release they are.
    SETTING = :puppetfn_target

    class << self
      # Returns a release.
      #
      # @param name [String, Symbol, Target] `puppet8`, `openvox8` or `openvox9`
      # @return [Target]
      # @raise [ArgumentError] when there is no such release
      def named(name)
        return name if name.is_a?(self)

        (@known ||= {})[name.to_s] ||= new(name.to_s)
      end

      # Returns all releases, the earliest first.
      #
      # @return [Array<Target>]
      def all
        Targets.names.map { |name| named(name) }
      end

      # Returns the release of runtimes that name none: the one that the environment variable `PUPPETFN_TARGET` names, or else
      # Puppet 8.
      #
      # @return [Target]
      def default
        @default ||= named(ENV[VARIABLE] || Targets.names.first)
      end

      # Sets the release of runtimes that name none. The constants of `Puppet` name its version.
      #
      # @param name [String, Symbol, Target]
      # @raise [ArgumentError] when there is no such release
      def default=(name)
        @default = named(name)
        Puppet.name_release(@default) if Puppet.respond_to?(:name_release)
      end

      # Returns the release whose behaviour the loaded Puppet has. Puppet 7 has none, and gets Puppet 8's.
      #
      # @api private
      # @return [Target]
      def of_puppet
        return named("puppet8") unless ::Puppet.respond_to?(:implementation) && ::Puppet.implementation == "openvox"

        named(::Puppet.version.to_i < 9 ? "openvox8" : "openvox9")
      end

      # Returns the release of the runtime at work, or the default.
      #
      # @api private
      # @return [Target]
      def current
        Runtime.current&.target || default
      end

      # Returns the differences between Puppet 8 and the releases of OpenVox.
      #
      # @return [Array<Hash{Symbol=>Object}>] their `name` (Symbol), the release `since` which they are there, the `area` that they
      #   belong to, a `summary` and their `source`
      def differences
        @differences ||= Targets.table.map { |row| row.merge(name: underscored(row[:name])).freeze }.freeze
      end

      private

      def underscored(name)
        name.gsub(/(?<=[a-z])(?=[A-Z])/, "_").downcase.to_sym
      end
    end

    # @return [String] `puppet8`, `openvox8` or `openvox9`
    attr_reader :name

    # @return [String] the version of the release: `Puppet.version`
    attr_reader :version

    # @return [String] the version of Facter or OpenFact that belongs to it
    attr_reader :facter_version

    # @return [String, nil] the name of the implementation: `Puppet.implementation`; nil if the release has no name for it
    attr_reader :implementation

    # @return [String] the name of the release in messages, such as `OpenVox 9`
    attr_reader :title

    # @return [String] the name of the product in messages: `Puppet` or `OpenVox`
    attr_reader :product

    # @return [String] the address of the product's documents in messages
    attr_reader :documents

    # @param name [String]
    def initialize(name)
      @name = name
      @version, @facter_version, @implementation, @title, @product, @documents =
        Targets.describe(name).values_at(:version, :facter_version, :implementation, :title, :product, :documents).each(&:freeze)
      names = Targets.names
      own = Target.differences.select { |row| names.index(row[:since]) <= names.index(name) }
      @differences = own.to_set { |row| row[:name] }.freeze
    end
    private_class_method :new

    # Returns true if the release differs from Puppet 8 in this way.
    #
    # @param difference [Symbol] the `name` of one of {differences}
    # @return [Boolean]
    def has?(difference)
      @differences.include?(difference)
    end

    # @return [String]
    def to_s
      name
    end

    # @return [String]
    def inspect
      "#<#{self.class} #{name}>"
    end
  end
end
