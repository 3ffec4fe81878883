# frozen_string_literal: true

module Puppetfn
  module Puppet
    # Processors of reports, which modules define and specs put into reports. Nothing else processes reports.
    class Reports
      extend StandIn
      @reports = {}

      # Methods of the module that a processor is.
      module Processor
        # @return [Boolean, nil]
        attr_accessor :useyaml

        # @return [String, nil]
        attr_reader :doc

        # Documents the processor.
        def desc(text)
          @doc = text
        end
      end

      class << self
        # @param name [Symbol, String]
        # @option options [Boolean] :useyaml
        # @yield in the module
        # @return [void]
        def register_report(name, options = {}, &block)
          name = name.to_sym
          constant = name.to_s.capitalize
          remove_const(constant) if const_defined?(constant, false)
          processor = const_set(constant, ::Module.new.extend(Processor))
          processor.module_eval(&block) if block
          processor.useyaml = true if options[:useyaml]
          processor.define_method(:report_name) { name }
          @reports[name] = processor
        end

        # @param name [Symbol, String]
        # @return [Module, nil] the processor, of the file of its name
        def report(name)
          name = name.to_sym
          @reports[name] || (Runtime.current&.resource_types&.load_report(name) && @reports[name])
        end
      end
    end
  end
end
