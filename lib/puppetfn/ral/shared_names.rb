# frozen_string_literal: true

module Puppetfn
  # The constants that files of one runtime define in namespaces of Puppet's, which all runtimes share:
  # `Puppet::Type::Article`, `Puppet::Provider::Shop`.
  #
  # They are there while code of the runtime runs that may name them, and gone after that, so that each runtime has its
  # own. Only one runtime at a time can have them there.
  #
  # @api private
  class SharedNames
    LOCK = Monitor.new
    # The namespaces, each with the constants that are everybody's.
    NAMESPACES = {} # rubocop:disable Style/MutableConstant
    private_constant :LOCK, :NAMESPACES

    # Looks for missing constants among the constants of the runtime at work.
    module Missing
      # @param name [Symbol]
      # @return [Object]
      def const_missing(name)
        found = Runtime.current&.resource_types&.constant(self, name) if NAMESPACES.key?(self)
        found.nil? ? super : found
      end
    end

    class << self
      # Shares a namespace; the constants that it has now belong to everybody.
      #
      # @param namespaces [Array<Module>]
      def share(*namespaces)
        namespaces.each do |namespace|
          NAMESPACES[namespace] = namespace.constants(false)
          namespace.singleton_class.prepend(Missing)
        end
      end

      # Resolves a constant in the enclosing namespaces of a module, as Ruby does lexically.
      #
      # @param inner [Module]
      # @param name [Symbol]
      # @return [Object, nil]
      def around(inner, name)
        path = inner.name
        types = Runtime.current&.resource_types if path
        return unless types

        outer = NAMESPACES.keys.select { |namespace| path.start_with?("#{namespace.name}::") }
        outer.sort_by { |namespace| -namespace.name.size }.each do |namespace|
          found = types.constant(namespace, name)
          return found unless found.nil?
        end
        nil
      end
    end

    def initialize
      @constants = {}
      @held = false
    end

    # Makes the constants available during a block, and keeps constants that the block defines.
    def hold
      LOCK.synchronize do
        return yield if @held

        put_down
        begin
          yield
        ensure
          pick_up
        end
      end
    end

    # @param namespace [Module]
    # @param name [Symbol]
    # @return [Object, nil]
    def value(namespace, name)
      @constants.dig(namespace, name)
    end

    private

    def put_down
      @held = true
      @before = NAMESPACES.to_h { |namespace, everybodys| [namespace, everybodys | namespace.constants(false)] }
      @constants.each do |namespace, constants|
        constants.each { |name, value| namespace.const_set(name, value) unless namespace.const_defined?(name, false) }
      end
    end

    def pick_up
      @constants = NAMESPACES.each_key.to_h do |namespace|
        names = namespace.constants(false) - @before.fetch(namespace)
        [namespace, names.to_h { |name| [name, namespace.send(:remove_const, name)] }]
      end
    ensure
      @held = false
    end
  end
end
