# frozen_string_literal: true

require "erb"

module Puppetfn
  module DropIn
    module Catalogs
      # A template in ERB. Its code becomes a method of Puppet's wrapper, in place of a text that is evaluated each time.
      class Template < ::ERB
        # Words that tell the wrapper's own variables and methods from its instance variables. Code with such a word is
        # evaluated where Puppet does it.
        WRAPPERS_OWN = /\b(?:binding|eval|local_variables|__method__|string|template\w*|result|\w*_source)\b/
        # The number of cached templates; when it is exceeded, all are dropped.
        MOST = 500
        private_constant :WRAPPERS_OWN, :MOST

        @known = {}
        @lock = Mutex.new

        class << self
          # @param content [String]
          # @return [Template] one that nobody else has
          def of(content)
            known(content).dup
          end

          # @param content [String]
          # @return [Array<String>, nil] the variables that the template uses; nil where it may use any
          def variables(content)
            known(content).variables
          end

          # @param content [String]
          # @return [Boolean] whether its code has effects outside of the catalog
          def effects?(content)
            known(content).effects?
          end

          # @param content [String]
          # @return [Array<String>] the functions of the 3.x API that the template may call as methods of its scope
          def called(content)
            known(content).called
          end

          private

          def known(content)
            known = @lock.synchronize { @known[content] } and return known

            known = new(content, trim_mode: "-")
            @lock.synchronize do
              @known.clear if @known.size >= MOST
              @known[content.dup.freeze] = known
            end
          end
        end

        # @return [Array<String>, nil]
        attr_reader :variables

        # @return [Array<String>]
        attr_reader :called

        # @return [Boolean]
        def effects? = @effects

        # @param content [String]
        # @param options [Hash] see ::ERB
        def initialize(content, **options)
          super
          @uses_wrapper = WRAPPERS_OWN.match?(content.scrub.scan(/<%.*?%>/m).join)
          @variables = Puppetfn::Puppet::Parser::TemplateWrapper.variables_in(content)
          @effects = Effects.in_template?(content)
          @called = Effects.called_in_template(content)
          # Copies share it.
          @methods = {}
        end

        # @param binding [Binding] of the wrapper
        # @return [String]
        def result(binding)
          wrapper = binding.receiver
          return super if @uses_wrapper || !wrapper.instance_of?(::Puppet::Parser::TemplateWrapper)

          (@methods[filename] ||= method_of_wrapper).bind_call(wrapper)
        end

        private

        def method_of_wrapper
          def_method(::Puppet::Parser::TemplateWrapper, "__render__()", filename || "(erb)")
          method = ::Puppet::Parser::TemplateWrapper.instance_method(:__render__)
          ::Puppet::Parser::TemplateWrapper.remove_method(:__render__)
          method
        end

        # Before `Puppet::Util.create_erb`.
        module Creating
          def create_erb(content)
            Compilation.current ? Template.of(content) : super
          end
        end
      end
    end
  end
end
