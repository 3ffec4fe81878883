# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Provider
      # A provider of resources that are lines of a file. Files are neither read nor written here: what the provider says
      # of their lines is kept.
      class ParsedFile < Provider
        # A kind of lines.
        class Record
          # @return [Symbol]
          attr_reader :name

          # @return [Array<Symbol>]
          attr_reader :fields

          # @return [Hash{Symbol=>Object}]
          attr_reader :options

          def initialize(name, options, &block)
            @name = name
            @fields = options.fetch(:fields, [])
            @options = options
            instance_eval(&block) if block
          end
        end

        class << self
          # @return [String, nil] the file of resources that name none
          attr_accessor :default_target

          attr_accessor :filetype, :state_target

          def initvars
            super
            @records = {}
          end

          # Provides the attributes of the type as well.
          def resource_type=(type)
            super
            mk_resource_methods
          end

          # Describes lines that are left as they are.
          #
          # @return [Record]
          def text_line(name, options = {}, &block)
            record_line(name, options, &block)
          end

          # Describes lines that are resources.
          #
          # @return [Record]
          def record_line(name, options = {}, &block)
            @records[name.to_sym] = Record.new(name.to_sym, options, &block)
          end

          # @return [Record, nil]
          def record_type(name)
            @records[name.to_sym]
          end

          # @return [Array<Symbol>, nil] the fields of a kind of lines
          def fields(name)
            record_type(name)&.fields
          end
        end

        initvars
      end
    end
  end
end
