# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Pops
      # Parser of the Puppet language.
      module Parser
        extend StandIn

        # Parses and evaluates code.
        class EvaluatingParser
          VARIABLE = /\$\{?(\w+)/
          # Expressions that depend on the class or resource around the code.
          # rubocop:disable Layout/LineLength
          EFFECT = /[{|}]\s*->|=>|<\||[~-]>|\b(?:include|contain|require|realize|tag|notice|warning|err|info|debug|alert|crit|emerg|fail|create_resources|ensure_\w+)\b/
          # rubocop:enable Layout/LineLength
          private_constant :VARIABLE, :EFFECT

          # @return [EvaluatingParser] always the same
          def self.singleton
            @singleton ||= new
          end

          # @param text [String]
          # @return [String] the text as a string of the Puppet language
          def self.quote(text)
            "\"#{text.gsub(/[\\"]/) { |char| "\\#{char}" }}\""
          end

          # @param string [String]
          # @param file_source [String, nil] the file that it is from, for messages
          # @return [Program]
          # @raise [Puppet::ParseError]
          def parse_string(string, file_source = nil)
            runtime.parse_string(string, file_source)
          end

          # @param file [String]
          # @return [Program]
          # @raise [Puppet::ParseError]
          def parse_file(file)
            runtime.parse_file(file)
          end

          # @param scope [Scope] code is evaluated in the top scope
          # @param string [String]
          # @param file_source [String, nil] the file that it is from, for messages
          # @return [Object]
          def evaluate_string(scope, string, file_source = nil)
            check_scope(scope, string)
            runtime.evaluate_string(string, file_source)
          end

          # @param _scope (see evaluate_string)
          # @param file [String]
          # @return [Object]
          def evaluate_file(scope, file)
            check_scope(scope, RegularFile.read(file))
            runtime.evaluate_file(file)
          end

          # @param _scope (see evaluate_string)
          # @param model [Program, nil]
          # @return [Object]
          def evaluate(scope, model)
            return unless model

            check_scope(scope, model.source_text)
            runtime.evaluate_string(model.source_text)
          end

          private

          def runtime
            Runtime.current!("Puppet::Pops::Parser::EvaluatingParser")
          end

          # Code is evaluated in the top scope: it must not depend on the `scope` argument.
          def check_scope(scope, code)
            return unless scope.is_a?(CallerScope)

            name = code.scan(VARIABLE).flatten.find { |variable| runtime.evaluator.caller_variable(variable) }
            raise UnavailableError, "Evaluating code in a scope whose $#{name} it uses" if name
            raise UnavailableError, "Evaluating code in a class or defined type that declares or logs something" if code.match?(EFFECT)
          end
        end
      end

      # Loaders of functions and types.
      Loaders = Puppetfn::Loaders

      module Evaluator
        # Templates in EPP.
        class EppEvaluator
          # @param scope [Scope]
          # @param epp_source [String]
          # @param template_args [Hash{String=>Object}, nil]
          # @return [String]
          def self.inline_epp(scope, epp_source, template_args = nil)
            scope.call_function("inline_epp", [epp_source, template_args].compact)
          end

          # @param scope [Scope]
          # @param file [String] as `epp` takes it
          # @param template_args [Hash{String=>Object}, nil]
          # @return [String]
          # @raise [Puppet::ParseError] when there is no such template
          def self.epp(scope, file, _environment, template_args = nil)
            scope.call_function("epp", [file, template_args].compact)
          end
        end
      end

      module Lookup
        # Arguments of a lookup. The explanation of a lookup is written by the core.
        class Invocation
          include StandIn

          # @return [Scope]
          attr_reader :scope

          # @return [String, nil] the module whose data a function looks up
          attr_reader :module_name

          # @return [nil]
          attr_reader :explainer

          # @return [Hash{String=>Object}] values that take precedence over all others
          attr_reader :override_values

          # @return [Hash{String=>Object}] values where none is found
          attr_reader :default_values

          # @param scope [Scope]
          # @param override_values [Hash{String=>Object}]
          # @param default_values [Hash{String=>Object}]
          # @param explainer [nil] use `Runtime#explain_lookup` for explanations
          def initialize(scope, override_values = {}, default_values = {}, explainer = nil, _adapter_class = nil)
            raise UnavailableError, "A lookup with an explainer" if explainer

            @scope = scope
            @override_values = override_values
            @default_values = default_values
          end

          # Returns the invocation of a lookup that calls a function.
          #
          # @api private
          # @param context [Context] the function's
          # @return [Invocation]
          def self.of_context(context)
            scope = Runtime.current!("Puppet::Pops::Lookup::Context#invocation").caller_scope
            new(scope).tap { |invocation| invocation.instance_variable_set(:@module_name, context.module_name) }
          end

          # @yield
          # @return [Object] the block's result
          def with(_qualifier_type, _qualifier)
            yield
          end

          # (see #with)
          def without_explain
            yield
          end

          # @return [false] options are not explained
          def explain_options? = false
          alias only_explain_options? explain_options?

          # @!method report_found(key, value)
          #   @return [Object] the value
          # @!method report_found_in_overrides(key, value)
          #   (see #report_found)
          # @!method report_found_in_defaults(key, value)
          #   (see #report_found)
          %i[report_found report_found_in_overrides report_found_in_defaults].each do |name|
            define_method(name) { |_key, value| value }
          end

          # @return [Object] the value
          def report_result(value) = value

          # @return [void]
          def report_text; end

          # @return [void]
          def report_not_found(_key); end

          # @return [void]
          def emit_debug_info(_preamble); end

          private

          def puppet_name = "Puppet::Pops::Lookup::Invocation"
        end

        # Configurations of data.
        class HieraConfig
          # @param struct [Object]
          # @return [Object] the same with strings as keys of hashes
          def self.symkeys_to_string(struct)
            case struct
            when Hash then struct.to_h { |key, value| [key.to_s, symkeys_to_string(value)] }
            when Array then struct.map { |value| symkeys_to_string(value) }
            else struct
            end
          end
        end

        # Looks up data.
        #
        # @param name [String, Array<String>]
        # @param value_type [Type, nil]
        # @param has_default [Boolean]
        # @param merge [String, Hash, nil]
        # @param lookup_invocation [Invocation]
        # @return [Object]
        def self.lookup(name, value_type, default_value, has_default, merge, lookup_invocation)
          options = {"name" => name, "value_type" => value_type, "merge" => merge}.compact
          options["default_value"] = default_value if has_default
          options["override"] = lookup_invocation.override_values unless lookup_invocation.override_values.empty?
          options["default_values_hash"] = lookup_invocation.default_values unless lookup_invocation.default_values.empty?
          lookup_invocation.scope.call_function("lookup", [options])
        end
      end

      # Numbers and names in texts.
      module Utils
        NUMBER = /\A[+-]?(?:0[xX]\h+|0[0-7]+|\d+(?:\.\d+)?(?:[eE]-?\d+)?)\z/
        private_constant :NUMBER

        module_function

        # @param object [Object]
        # @return [Integer, Float, nil] the number that an object or text is
        def to_n(object)
          return object if object.is_a?(Numeric)
          return unless object.is_a?(String) && object.match?(NUMBER)

          object.match?(/\A[+-]?0[xX]|\A[+-]?\d+\z/) ? Integer(object) : Float(object)
        rescue ArgumentError
          nil
        end

        # @return [Boolean] whether an object is a number or the text of one
        def is_numeric?(object)
          !to_n(object).nil?
        end

        # @param name [String]
        # @return [Array<String>]
        def name_to_segments(name)
          name.split("::")
        end
      end

      # The syntax of names.
      module Patterns
        NUMERIC = /\A[[:blank:]]*([-+]?)[[:blank:]]*((0[xX][0-9A-Fa-f]+)|(0?\d+)((?:\.\d+)?(?:[eE]-?\d+)?))[[:blank:]]*\z/
        ILLEGAL_P3_1_HOSTNAME = %r{[^-\w.]}
        NAME = /\A((::)?[a-z]\w*)(::[a-z]\w*)*\z/
        CLASSREF_DECL = /\A[A-Z]\w*(?:::[A-Z]\w*)*\z/
        CLASSREF = /\A((::)?[A-Z]\w*)(::[A-Z]\w*)*\z/
        CLASSREF_EXT = /\A((::)?[A-Z]\w*)(::[A-Z]\w*)*(\[.*\])?\z/
        DOLLAR_VAR = /\$(::)?(\w+::)*\w+/
        VAR_NAME = /\A(?:(::)?[a-z]\w*)*\z/
        NUMERIC_VAR_NAME = /\A(?:0|[1-9]\d*)\z/
        PARAM_NAME = /\A[a-z_]\w*\z/
      end
    end
  end
end
