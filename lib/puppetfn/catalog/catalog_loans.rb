# frozen_string_literal: true

module Puppetfn
  # Parameters of the catalog's resources that functions have in their hands.
  #
  # Puppet gives functions the objects that its catalog consists of. Here they get copies: changes that a function makes to a Hash of
  # parameters, or to a value in place, are written to the catalog before code goes on. Nothing of this happens
  # unless a function asks for parameters.
  #
  # @api private
  class CatalogLoans
    # @param runtime [Runtime]
    def initialize(runtime)
      @runtime = runtime
      @tables = {}.compare_by_identity
      @version = 0
    end

    # @param resource [Puppet::Parser::Resource] one that is declared
    # @return [Hash{Symbol=>Puppet::Parser::Resource::Param}] its parameters, the same Hash while the function runs
    def parameters(resource)
      table(resource).parameters
    end

    # @param resource [Puppet::Parser::Resource]
    # @return [Boolean] whether a function has its parameters
    def lent?(resource)
      @tables.key?(resource)
    end

    # Takes a resource's own parameters over when it is added to the catalog.
    #
    # @param resource [Puppet::Parser::Resource]
    # @param parameters [Hash{Symbol=>Puppet::Parser::Resource::Param}]
    # @return [void]
    def adopt(resource, parameters)
      lend(resource, Table.new(resource, parameters))
    end

    # Notes that something has changed resources.
    #
    # @return [void]
    def outdate
      @version += 1
    end

    # Writes changes that functions made to parameters to the catalog.
    #
    # @param is_last [Boolean] whether no function has them any more
    # @return [void]
    def settle(is_last)
      return if @is_settling

      @is_settling = true
      begin
        @tables.each_value(&:write)
      ensure
        @is_settling = false
        outdate
        finish if is_last
      end
    end

    private

    def table(resource)
      found = @tables[resource]
      if found.nil?
        found = lend(resource, Table.new(resource))
      elsif found.version != @version
        found.write
        found.read
        found.version = @version
      end
      found
    end

    def lend(resource, table)
      table.version = @version
      @runtime.evaluator.lend
      @tables[resource] = table
    end

    def finish
      @tables.each_value(&:close)
      @tables.clear
      @runtime.evaluator.settled
    end

    # The parameters of one resource. Arrays and hashes are its own, as in Puppet, which copies them when a parameter is set.
    class Table
      # A parameter on loan: the object, its value, and a digest of the original value.
      Shown = Struct.new(:parameter, :value, :digest)
      private_constant :Shown

      # @return [Hash{Symbol=>Puppet::Parser::Resource::Param}]
      attr_reader :parameters

      # @return [Integer] the state of the loans that it is of
      attr_accessor :version

      # @param resource [Puppet::Parser::Resource]
      # @param parameters [Hash{Symbol=>Puppet::Parser::Resource::Param}, nil] as the catalog has them
      def initialize(resource, parameters = nil)
        @resource = resource
        @shown = {}
        @parameters = parameters || {}
        parameters ? parameters.each { |name, parameter| show(name, parameter) } : read
      end

      # Reads the parameter from the catalog.
      #
      # @return [void]
      def read
        values = @resource.current_values
        (@parameters.keys - values.keys).each { |name| forget(name) }
        values.each do |name, value|
          shown = @shown[name]
          next if shown && shown.digest == value.hash

          if shown
            shown.parameter.show(value)
            show(name, shown.parameter)
          else
            show(name, Puppet::Parser::Resource::Param.lent(@resource, name, value))
          end
        end
      end

      # Writes changed parameters to the catalog.
      #
      # @return [void]
      # @raise [Puppet::Error] for a value that no catalog can have
      def write
        (@shown.keys - @parameters.keys).each { |name| remove(name) }
        @parameters.each { |name, parameter| write_parameter(name, parameter, @shown[name]) }
      end

      # Ends all loans: later changes would be lost.
      #
      # @return [void]
      def close
        @parameters.freeze
        @shown.each_value { |shown| freeze_value(shown.value) }
      end

      private

      def write_parameter(name, parameter, shown)
        if shown.nil? || !shown.parameter.equal?(parameter)
          put(name, parameter)
        elsif !shown.value.equal?(parameter.value) || shown.digest != parameter.value.hash
          @resource.change(:value, [name.name, parameter.value])
        else
          return
        end
        show(name, parameter)
      end

      def put(name, parameter)
        unless parameter.is_a?(Puppet::Parser::Resource::Param) && parameter.name == name
          raise Puppet::Error, "Parameter '#{name}' of #{@resource} was set to an object of #{parameter.class}, expected a " \
                               "Puppet::Parser::Resource::Param of this name"
        end

        @resource.change(:parameter, parameter.to_change)
        parameter.belong_to(@resource)
      end

      def remove(name)
        @resource.change(:removal, name.name)
        @shown.delete(name)
      end

      def forget(name)
        @parameters.delete(name)
        @shown.delete(name)
      end

      def show(name, parameter)
        @parameters[name] = parameter unless @parameters[name].equal?(parameter)
        @shown[name] = Shown.new(parameter, parameter.value, parameter.value.hash)
      end

      def freeze_value(value)
        case value
        when String then value.freeze
        when Array then value.each { |element| freeze_value(element) }.freeze
        when Hash then value.each_value { |element| freeze_value(element) }.freeze
        end
      end
    end
  end
end
