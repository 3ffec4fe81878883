# frozen_string_literal: true

require_relative "../findings/path"

module Differential
  module Planted
    # A change of a text that makes a mistake of some kind of it.
    # `at` is where the mistake is in the changed text, in bytes, and `words` what Puppet says of it; without words it is one by its kind.
    Edit = Struct.new(:kind, :offset, :length, :text, :at, :words, keyword_init: true) do
      def apply(text)
        text.byteslice(0, offset) + self.text + text.byteslice((offset + length)..)
      end

      # Where what is wrong now was.
      def at_before
        at > offset ? at - text.bytesize + length : at
      end
    end

    # The edits that can be made of a file.
    class Edits
      Model = ::Puppet::Pops::Model

      WORDS = {
        "argument" => /expects|no matching|mismatch|accept/i,
        "argument-count" => /expects|arguments|mismatch|accept/i,
        "attribute" => /no parameter named|invalid parameter/i,
        "attribute-value" => /expects|failed on|Invalid value|must be|wrong type/i,
        "attribute-left-out" => /expects a value|is required|must be specified|Must pass/,
        "attribute-twice" => /duplicate|already/i,
        "class" => /Could not find/i,
        "class-variable" => /Unknown variable/,
        "create-resources" => /no parameter named|expects/,
        "data-type" => /not found|unresolved|Could not find/i,
        "duplicate" => /Duplicate declaration/,
        "ensure-packages" => /no parameter named|expects/,
        "epp-parameter" => /expects|no parameter|has no|invalid/i,
        "fact" => /Unknown variable/,
        "file" => /Could not find|No such file/i,
        "function" => /Unknown function/,
        "index-of-string" => /substring|not applicable|index/i,
        "lambda-type" => /expects|mismatch|rejected/i,
        "method" => /Unknown function/,
        "operand" => /not applicable|Numeric|comparison/i,
        "override" => /no parameter named|invalid parameter/i,
        "own-type" => /expects|wrong type|not applicable|mismatch|failed on/i,
        "range" => /expects/i,
        "reassignment" => /reassign/,
        "reference" => /Could not find/i,
        "resource-type" => /Unknown resource type|Could not find|Invalid resource type/i,
        "variable" => /Unknown variable/
      }.freeze

      # Kinds that Puppet does not always fail for, but that are mistakes: an option that no value is, and a type of nowhere in an alias.
      CERTAIN = %w[option alias].freeze
      KINDS = (WORDS.keys + CERTAIN).sort.freeze

      # Kinds of mistakes in data: a key that names no parameter, and a value that its parameter does not take.
      DATA = %w[data-key data-value].freeze

      LITERALS = ["42", "'sample text'", "true", "[1, 2]", "{'a' => 1}", "2.5", "undef"].freeze
      TYPES = ["Integer[100000, 100010]", "Array[Integer, 1]", "Boolean", "Hash[String, Integer, 1]", "Regexp"].freeze
      LAMBDAS = ["[1, 2].each |String $one| { notice($one) }", "{'a' => 1}.each |Integer $key, $value| { notice($value) }",
                 "['a'].map |Integer $one| { $one }", "[[1], [2]].each |Integer $one| { notice($one) }"].freeze
      CREATED = ["create_resources('file', {'/tmp/planted' => {'onwer' => 'root'}})", "create_resources('cron', {'planted' => {'comand' => 'a'}})",
                 "create_resources('exec', {'/bin/planted' => {'refresh_only' => true}})"].freeze
      PACKAGES = ["ensure_packages(['planted'], {'ensur' => 'present'})", "ensure_packages({'planted' => {'ensure' => 'present', 'sorce' => 'a'}})",
                  "ensure_resource('file', '/planted', {'onwer' => 'root'})"].freeze
      OVERRIDES = ["File { onwer => 'root' } file { '/planted': }", "file { '/planted': } File['/planted'] { onwer => 'root' }",
                   "file { '/planted': } File <| title == '/planted' |> { onwer => 'root' }",
                   "Exec { pth => '/bin' } exec { '/bin/planted': }"].freeze

      # @param program [Puppet::Pops::Model::Program]
      # @param text [String]
      def initialize(program, text, random)
        @text, @random = text, random
        @paths = []
        program._pcore_all_contents([]) { |expression, path| @paths << [expression, path.reverse] if expression.is_a?(Model::Positioned) }
      end

      # @return [Array<Edit>] all of a kind
      def of(kind)
        public_send("of_#{kind.tr("-", "_")}").compact
      end

      def of_function
        each(Model::CallNamedFunctionExpression).filter_map do |call, _|
          misspelt("function", call.functor_expr) if call.functor_expr.is_a?(Model::QualifiedName)
        end
      end

      def of_method
        each(Model::NamedAccessExpression).filter_map { |access, path| misspelt_text("method", access.right_expr.offset + 1, name(access.right_expr)) if path.first.is_a?(Model::CallMethodExpression) }
      end

      def of_class
        included = each(Model::CallNamedFunctionExpression).select { |call, _| %w[include contain require].include?(name(call.functor_expr)) }
        declared = each(Model::ResourceBody).select { |_, path| name(path.first.type_name) == "class" }.map { |body, _| body.title }
        (included.flat_map { |call, _| call.arguments } + declared).filter_map { |title| misspelt("class", title) if name(title) && text(title).length > 4 }
      end

      def of_resource_type
        each(Model::ResourceExpression).filter_map do |resource, _|
          misspelt("resource-type", resource.type_name) if resource.type_name.is_a?(Model::QualifiedName) && name(resource.type_name) != "class"
        end
      end

      def of_attribute
        attributes.map { |operation| misspelt_text("attribute", operation.offset, operation.attribute_name) }
      end

      def of_attribute_value
        literal_attributes.map { |operation| replaced("attribute-value", operation.value_expr, LITERALS.sample(random: @random)) }
      end

      def of_attribute_left_out
        attributes.map { |operation| removed("attribute-left-out", operation) }
      end

      def of_attribute_twice
        literal_attributes.map { |operation| inserted("attribute-twice", operation.offset, "#{text(operation)}, ") }
      end

      def of_argument
        arguments.map { |argument| replaced("argument", argument, LITERALS.sample(random: @random)) }
      end

      def of_argument_count
        calls.filter_map do |call|
          last = call.arguments.last
          inserted("argument-count", last.offset + last.length, ", 42" * (1 + @random.rand(3))) if last && own?(last)
        end
      end

      def of_variable
        used.map { |variable| misspelt_text("variable", variable.offset + 1, name(variable.expr)) unless name(variable.expr).include?("::") }
      end

      def of_class_variable
        used.map { |variable| misspelt_text("class-variable", variable.offset + 1, name(variable.expr)) if /\w::/.match?(name(variable.expr)) }
      end

      def of_fact
        used.map { |variable| replaced("fact", variable, "$::osfamly") if name(variable.expr) == "facts" }
      end

      def of_data_type
        each(Model::QualifiedReference).filter_map do |type, path|
          misspelt("data-type", type) unless path.any? { |around| around.is_a?(Model::TypeAlias) } || path.first.is_a?(Model::ResourceExpression)
        end
      end

      def of_alias
        each(Model::QualifiedReference).filter_map { |type, path| misspelt("alias", type) if path.any? { |around| around.is_a?(Model::TypeAlias) } }
      end

      def of_reference
        each(Model::AccessExpression).filter_map do |access, _|
          title = access.keys.first
          misspelt("reference", title) if text(access).match?(/\AClass\[/) && name(title)
        end
      end

      def of_option
        variables = enumerated
        tested = each(Model::CaseExpression).map { |o, _| [o.test, o.options.flat_map(&:values)] } +
          each(Model::SelectorExpression).map { |o, _| [o.left_expr, o.selectors.map(&:matching_expr)] } +
          each(Model::ComparisonExpression).map { |o, _| [o.left_expr, [o.right_expr]] }
        tested.select { |test, _| test.is_a?(Model::VariableExpression) && variables.include?(name(test.expr)) }.flat_map(&:last)
          .filter_map { |value| misspelt("option", value) if value.is_a?(Model::LiteralString) || value.is_a?(Model::QualifiedName) }
      end

      def of_file
        named = %w[template epp file]
        calls.select { |call| named.include?(name(call.functor_expr)) }.filter_map do |call|
          path = call.arguments.first
          misspelt("file", path) if path.is_a?(Model::LiteralString) && path.value.include?("/")
        end
      end

      def of_epp_parameter
        each(Model::KeyedEntry).filter_map do |entry, path|
          call = path.find { |around| around.is_a?(Model::CallExpression) }
          next unless call && name(call.functor_expr) == "epp" && path[0..1].include?(call) && name(entry.key)

          [misspelt("epp-parameter", entry.key), removed("epp-parameter", entry), replaced("epp-parameter", entry.value, LITERALS.sample(random: @random))].sample(random: @random)
        end
      end

      def of_duplicate
        each(Model::ResourceExpression).filter_map do |resource, path|
          body = resource.bodies.first
          # What follows in a chain would be the copy.
          next if path.first.is_a?(Model::RelationshipExpression) || resource.form != "regular" || body.title.is_a?(Model::LiteralDefault)

          finish = @text.b.index("}".b, resource.offset + resource.length - 1)
          inserted("duplicate", finish + 1, " #{text(resource.type_name)} { #{text(body.title)}: }") if finish && name(resource.type_name) != "class"
        end
      end

      def of_operand
        each(Model::AttributeOperation).filter_map do |operation, _|
          value = operation.value_expr
          replaced("operand", value, "#{text(value)} #{%w[+ - *].sample(random: @random)} 'x'") if value.is_a?(Model::VariableExpression) && own?(value)
        end
      end

      def of_index_of_string
        typed(/\A(?:Optional\[)?(?:String|Enum|Pattern)/).map { |variable| replaced("index-of-string", variable, "#{text(variable)}['name']") }
      end

      def of_own_type
        each(Model::Parameter).select { |parameter, path| definition?(path.first) && parameter.type_expr && own?(parameter.type_expr) }.filter_map do |parameter, _|
          use = attributes.find { |operation| operation.value_expr.is_a?(Model::VariableExpression) && name(operation.value_expr.expr) == parameter.name }
          next unless use && use.offset > parameter.offset

          type = TYPES.sample(random: @random)
          edit = replaced("own-type", parameter.type_expr, type) || next
          edit.at = use.offset + type.bytesize - parameter.type_expr.length
          edit
        end
      end

      def of_range
        literal_attributes.select { |operation| operation.value_expr.is_a?(Model::LiteralInteger) }.map { |operation| replaced("range", operation.value_expr, "-70000") }
      end

      def of_reassignment
        each(Model::Parameter).select { |_, path| definition?(path.first) }.map { |parameter, path| at_start("reassignment", path.first, "$#{parameter.name} = 1") }
      end

      def of_create_resources
        definitions.map { |definition| at_start("create-resources", definition, CREATED.sample(random: @random)) }
      end

      def of_ensure_packages
        definitions.map { |definition| at_start("ensure-packages", definition, PACKAGES.sample(random: @random)) }
      end

      def of_lambda_type
        definitions.map { |definition| at_start("lambda-type", definition, LAMBDAS.sample(random: @random)) }
      end

      def of_override
        definitions.map { |definition| at_start("override", definition, OVERRIDES.sample(random: @random)) }
      end

      private

      def each(kind)
        @paths.select { |expression, _| expression.is_a?(kind) }
      end

      def definition?(expression)
        expression.is_a?(Model::HostClassDefinition) || expression.is_a?(Model::ResourceTypeDefinition)
      end

      def definitions
        @paths.map(&:first).select { |expression| definition?(expression) && expression.body.is_a?(Model::BlockExpression) && own?(expression.body) }
      end

      def calls
        each(Model::CallNamedFunctionExpression).map(&:first).select { |call| call.functor_expr.is_a?(Model::QualifiedName) }
      end

      def arguments
        calls.reject { |call| %w[include contain require notice fail].include?(name(call.functor_expr)) }.flat_map(&:arguments).select { |argument| own?(argument) }
      end

      def attributes
        each(Model::AttributeOperation).select { |_, path| path.first.is_a?(Model::ResourceBody) }.map(&:first).select { |operation| own?(operation) }
      end

      def literal_attributes
        attributes.select { |operation| operation.value_expr.is_a?(Model::LiteralValue) || operation.value_expr.is_a?(Model::QualifiedName) }
      end

      # Variables where they are used.
      def used
        each(Model::VariableExpression).reject { |variable, path| path.first.is_a?(Model::AssignmentExpression) && path.first.left_expr.equal?(variable) }
          .map(&:first).select { |variable| name(variable.expr) && text(variable).start_with?("$") && text(variable).length == name(variable.expr).length + 1 }
      end

      def typed(pattern)
        names = each(Model::Parameter).filter_map { |parameter, path| parameter.name if definition?(path.first) && parameter.type_expr && pattern.match?(text(parameter.type_expr)) }
        attributes.map(&:value_expr).select { |value| value.is_a?(Model::VariableExpression) && names.include?(name(value.expr)) && own?(value) }
      end

      def enumerated
        each(Model::Parameter).filter_map { |parameter, path| parameter.name if definition?(path.first) && parameter.type_expr && /\A(?:Optional\[)?Enum/.match?(text(parameter.type_expr)) }
      end

      # Whether an expression says where it is.
      def own?(expression)
        expression.length.to_i.positive? && !text(expression).include?("\n") || expression.is_a?(Model::BlockExpression)
      end

      def name(expression)
        expression.value if expression.is_a?(Model::QualifiedName) || expression.is_a?(Model::LiteralString)
      end

      def text(expression)
        @text.byteslice(expression.offset, expression.length)
      end

      def edit(kind, offset, length, text, at = offset)
        Edit.new(kind: kind, offset: offset, length: length, text: text, at: at, words: WORDS[kind])
      end

      def replaced(kind, expression, text)
        edit(kind, expression.offset, expression.length, text) if own?(expression) && text(expression) != text
      end

      def inserted(kind, offset, text)
        edit(kind, offset, 0, text)
      end

      def at_start(kind, definition, text)
        first = definition.body.is_a?(Model::BlockExpression) ? definition.body.statements.first : definition.body
        inserted(kind, first.offset, "#{text} ") if first && first.length.to_i.positive? && @text.byteslice(0, first.offset).match?(/[{\n]\s*\z/)
      end

      # What is said without an element of a list.
      def removed(kind, element)
        rest = @text.byteslice((element.offset + element.length)..)
        comma = rest[/\A\s*,/]
        edit(kind, element.offset, element.length + comma.bytesize, "", element.offset) if comma && own?(element)
      end

      def misspelt(kind, expression)
        quote = /\A['"]/.match?(text(expression)) ? 1 : 0
        misspelt_text(kind, expression.offset + quote, text(expression)[quote..(-1 - quote)])
      end

      # Two letters of a name are exchanged, or one is left out.
      def misspelt_text(kind, offset, name)
        places = (1...(name.length - 1)).select { |place| name[place, 2].match?(/\A[a-z]{2}\z/) && name[place] != name[place + 1] }
        return if places.empty? || name.length < 4 || name.include?("\n") || @text.byteslice(offset, name.bytesize) != name

        place = places.sample(random: @random)
        changed = name.dup
        changed[place, 2] = @random.rand(2).zero? ? name[place, 2].reverse : name[place]
        edit(kind, offset, name.bytesize, changed)
      end
    end
  end
end
