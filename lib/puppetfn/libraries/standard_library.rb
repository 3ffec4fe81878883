# frozen_string_literal: true

require_relative "standard_library/names"
require_relative "standard_library/core_extensions"

module Puppetfn
  # The libraries that functions and templates use without requiring them, because Puppet has loaded them. Here each is
  # loaded when one of its names is first used: a constant, or a method that it adds to Ruby's own classes.
  #
  # @api private
  module StandardLibrary
    @lock = Monitor.new

    # Makes the names known, once.
    #
    # @return [void]
    def self.publish
      return if @published

      @lock.synchronize do
        # Only names for global variables.
        require "English"
        CONSTANTS.each { |owner, names| publish_constants(Object.const_get(owner), names) }
        METHODS.each { |owner, names| publish_methods(owner, names) }
        CoreExtensions.publish
        @published = true
      end
    end

    # Loads all libraries that this Ruby has.
    #
    # @return [void]
    def self.load
      features.each do |feature|
        require feature
      rescue LoadError
        # Newer Rubies no longer bundle all of them, and some are gems of their own.
      end
    end

    # Loads the library that a file is a part of: the part alone would load it by its name, while it is loading itself.
    #
    # @param feature [String] such as `uri/generic`
    # @return [void]
    def self.load_whole(feature)
      first = feature[%r{\A[^/]+/}] or return
      library = features.find { |file| "#{file}/".start_with?(first) }
      require library if library
    end

    # Loads a library for the method of an object that led here, and returns the library's own method: the first one in the
    # chain of overridden methods that was not there before.
    #
    # @param object [Object]
    # @param name [Symbol]
    # @param feature [String]
    # @return [Method]
    def self.method_of(object, name, feature)
      before = overridden_methods(object, name).map(&:owner)
      require feature
      after = overridden_methods(object, name)
      after.find { |method| !before.include?(method.owner) } || after.first
    end

    class << self
      private

      def features
        @features ||= [CONSTANTS, METHODS].flat_map { |owners| owners.each_value.flat_map(&:values) }.uniq
      end

      def publish_constants(owner, names)
        names.each { |name, feature| owner.autoload(name, feature) unless owner.const_defined?(name, false) }
      end

      def publish_methods(owner, names)
        mod = Object.const_get(owner.delete_suffix("."))
        mod = mod.singleton_class if owner.end_with?(".")
        missing = names.reject { |name, _| mod.method_defined?(name) || mod.private_method_defined?(name) }
        # Included, so that a library's own methods come before these. Few modules, because `is_a?` goes through all of them.
        missing.group_by { |name, _| function?(mod, name) ? :private : :public }
          .each { |visibility, entries| mod.include(loading(entries, visibility)) }
      end

      # Whether a method is called without a receiver, as `URI("http://x")`.
      def function?(owner, name)
        owner == Kernel || name.match?(/\A[A-Z]/)
      end

      # Returns a module of methods that load their library and call its method.
      def loading(entries, visibility)
        Module.new do
          entries.each do |name, feature|
            define_method(name) do |*args, **options, &block|
              StandardLibrary.method_of(self, name, feature).call(*args, **options, &block)
            end
            send(visibility, name)
          end
        end
      end

      # The method that a call would find, followed by the methods it overrides.
      def overridden_methods(object, name)
        method = Kernel.instance_method(:method).bind_call(object, name)
        Enumerator.produce(method, &:super_method).take_while(&:itself)
      end
    end
  end
end
