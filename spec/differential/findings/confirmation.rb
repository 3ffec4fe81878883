# frozen_string_literal: true

require_relative "compilation"
require_relative "samples"

module Differential
  module Findings
    # Has real Puppet evaluate the code in which something was found, with values and facts of several kinds.
    class Confirmation
      # What Puppet says of what a rule is about.
      WORDS = {
        "access" => /is not applicable|Attempt to|cannot be|Index|must be|unknown attribute|has no|undefined/i,
        "argument-mismatch" => /expects|no matching|Wrong number of arguments|accepts|mismatch/i,
        "arithmetic" => /is not applicable|Numeric|cannot/i,
        "comparison" => /comparison|comparable|is not|cannot/i,
        "match" => /match|String/,
        "default-type" => /expects a/,
        "missing-parameter" => /expects a value for|must be|missing|required/i,
        "parameter-order" => /evaluated before|Unknown variable|not available|no default/i,
        "parameter-type" => /wrong type|expects a|mismatch/i,
        "reassignment" => /reassign|reserved|Attempt to assign/i,
        "return-type" => /return|wrong type/i,
        "selector" => /No matching entry/,
        "title" => /title|Title/,
        "unknown-class" => /Could not find (?:declared )?class|has not been|Could not find/,
        "unknown-class-variable" => /Unknown variable|could not look up/i,
        "unknown-function" => /Unknown function/,
        "unknown-parameter" => /no parameter named|invalid parameter|Invalid parameter|already|has no/,
        "unknown-resource-type" => /Unknown resource type|Could not find|Invalid resource type/,
        "unknown-type" => /not found|unresolved|not a|Could not find/,
        "unknown-variable" => /Unknown variable/
      }.freeze

      # Words of errors that come of what is not there in a run of this kind.
      ANY = /\A(?!.*Unknown variable)/m

      # The runs, each with other values. Later ones are made if none of the earlier ones comes to the place.
      RUNS = [[0, 1], [2, 3]].freeze

      # @param modulepath [Array<String>]
      # @param facts [Array<Hash>] those of several nodes
      def initialize(modulepath, facts)
        @facts = facts
        @environment = ::Puppet::Node::Environment.create(:production, modulepath)
        @samples = Samples.shared
        @runs = {}
      end

      # @param finding [Hash{String=>Object}] as `puppetfn check --format json` prints it
      # @return [Hash{String=>Object}] `outcome`: "raised" if Puppet fails there, "accepted" if it does not in a run that comes
      #   there, "unreached" if none does; `error`: what it says
      def of(finding)
        file = finding["file"]
        path = path(finding)
        RUNS.each do |numbers|
          natural = numbers.map { |number| outcome(finding, path, run(file, path, number)) }
          found = %w[accepted raised].filter_map { |outcome| natural.find { |result| result["outcome"] == outcome } }
          return found.first if found.any?
        end
        forced(finding, path)
      rescue ::Puppet::ParseError => e
        raised = %w[syntax not-allowed].include?(finding["rule"])
        {"outcome" => raised ? "raised" : "unreached", "error" => e.message}
      end

      # @param finding [Hash{String=>Object}] `words` is what Puppet may say
      # @param forced [Boolean] whether conditions on the way are as they have to be
      # @return [Array<String>] what Puppet says at a place
      def messages(finding, forced: false)
        path = path(finding)
        run(finding["file"], path, 1, forced: forced).errors.select { |error| about?(error, finding, path) }.map(&:message).uniq
      rescue ::Puppet::ParseError => e
        finding["words"].match?(e.message) ? [e.message] : []
      end

      private

      # A definition at the wrong place is only found among modules; all else can be seen in a text of its own.
      def path(finding)
        return Path.at(finding) unless finding["rule"] == "not-allowed"

        ::Puppet.override(current_environment: @environment) { Path.at(finding) }
      end

      def forced(finding, path)
        results = [0, 1].map { |number| outcome(finding, path, run(finding["file"], path, number, forced: true)) }
        found = results.find { |result| result["outcome"] == "raised" } || results.first
        found["outcome"] == "raised" ? found : found.merge("outcome" => "unreached", "forced" => found["outcome"])
      end

      def outcome(finding, path, observation)
        error = observation.errors.find { |found| about?(found, finding, path) }
        return {"outcome" => "raised", "error" => error.message} if error

        target = path.target
        reached = target && observation.visited?(target, finding["file"])
        elsewhere = observation.errors.select { |found| found.file == finding["file"] && path.lines.cover?(found.line) }
        {"outcome" => reached && elsewhere.empty? ? "accepted" : "unreached", "error" => (elsewhere + observation.errors).first(3).map(&:message).join(" | ")}
      end

      def about?(error, finding, path)
        return false unless (finding["words"] || WORDS.fetch(finding["rule"], ANY)).match?(error.message)
        # Parameters are checked where a class is declared.
        return names(finding).all? { |name| error.message.include?(name) } unless path.target

        error.file == finding["file"] && path.lines.cover?(error.line)
      end

      def names(finding)
        finding["message"].scan(/\$(\w+)|'([\w:]+)'/).flatten.compact.first(1)
      end

      def run(file, path, number, forced: false)
        definition = path.definition
        key = [file, definition&.offset, number, forced && path]
        @runs[key] ||= compile(Observation.new([file], lenient: true, path: forced ? path : nil, samples: ->(type) { @samples.of(type, number) }),
          file, definition, number)
      end

      # What no module has where it is looked for is in the main manifest.
      def compile(observation, file, definition, number)
        is_main = file.end_with?(".pp") && definition.nil?
        attempt(observation, file, definition, number, is_main) || attempt(observation, file, definition, number, true)
        observation
      end

      def attempt(observation, file, definition, number, is_main)
        environment = @environment.override_with(manifest: is_main ? file : ::Puppet::Node::Environment::NO_MANIFEST)
        node = Compilation.node(environment, @facts[number % @facts.size])
        catch(:unknown) do
          Compilation.compile(observation, environment, node) do |compiler|
            throw :unknown, false unless ::Puppet.override(compiler.context_overrides) { declare(compiler, file, definition, number) } || is_main
          end
          true
        end
      end

      # Says in the main manifest what is to be evaluated.
      # @return [Boolean] whether there is such a definition
      def declare(compiler, file, definition, number)
        types = compiler.environment.known_resource_types
        code, values = declaration(compiler, types, file, definition, number)
        return false unless code

        compiler.node.parameters["sampled"] = values
        program = ::Puppet::Pops::Parser::EvaluatingParser.singleton.parse_string(code)
        types.add(::Puppet::Resource::Type.new(:hostclass, "", code: ::Puppet::Parser::AST::PopsBridge::Expression.new(value: program.body)))
        true
      rescue ::Puppet::Error
        # Something else in the module is wrong.
        compiler.environment.manifest == ::Puppet::Node::Environment::NO_MANIFEST ? false : raise
      end

      def declaration(compiler, types, file, definition, number)
        name = definition&.name
        case definition
        when Path::Model::HostClassDefinition
          (type = types.find_hostclass(name)) && ["class { '#{name}': * => $sampled }", parameters(type, number)]
        when Path::Model::ResourceTypeDefinition
          (type = types.find_definition(name)) && ["#{name} { 'sample': * => $sampled }", parameters(type, number)]
        when Path::Model::FunctionDefinition
          (function = function(compiler, name)) && ["#{name}(*$sampled)", arguments(function, number)]
        when nil
          ["epp('#{file}', $sampled)", template_parameters(file, number)] if file.end_with?(".epp")
        end
      end

      # Of the first run only those that have no default.
      def parameters(type, number)
        type.arguments.filter_map do |name, default|
          [name, @samples.of(type.argument_types[name], number)] if default.nil? || number.positive?
        end.to_h
      end

      # A template that declares no parameters sees what its caller has.
      def template_parameters(file, number)
        program = Compilation.tree(file)
        declared = program.body.parameters
        return variables(program).to_h { |name| [name, @samples.of(nil, number)] } if declared.empty?

        declared.filter_map { |parameter| [parameter.name, @samples.of(type_of(parameter), number)] if parameter.value.nil? || number.positive? }.to_h
      end

      def variables(program)
        names = []
        program._pcore_all_contents([]) { |expression| names << expression.expr.value if expression.is_a?(Path::Model::VariableExpression) }
        names.grep(/\A[a-z]\w*\z/).uniq
      end

      def type_of(parameter)
        parameter.type_expr && ::Puppet::Pops::Types::TypeParser.singleton.interpret(parameter.type_expr)
      end

      def function(compiler, name)
        compiler.loaders.private_environment_loader.load(:function, name)
      end

      def arguments(function, number)
        types = function.class.signatures.first.type.param_types
        types.types.map { |type| @samples.of(type, number) }
      end
    end
  end
end
