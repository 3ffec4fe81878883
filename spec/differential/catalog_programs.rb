# frozen_string_literal: true

require_relative "catalog_programs/program"
require_relative "catalog_programs/drawing"
require_relative "catalog_programs/values"
require_relative "catalog_programs/resources"
require_relative "catalog_programs/statements"

module Differential
  # Manifests drawn at random, that declare resources in all ways there are: most of them make a catalog, and some an
  # error. The same number always gives the same program.
  class CatalogPrograms
    include Drawing
    include Values
    include Resources
    include Statements

    NODES = %w[web12.example.com db.example.com WEB.example.com].freeze
    NODE_NAMES = ["default", "default", "'web12.example.com'", "/^(web)(\\d+)\\./", "/example/", "'other', 'db.example.com'", "'web.example.com'"].freeze
    PARAMETERS = %w[size label on list any settings extra].freeze
    PARAMETER_KINDS = {
      "size" => :integer, "label" => :string, "on" => :boolean, "list" => :strings, "any" => :any, "settings" => :hash, "extra" => :optional
    }.freeze
    LOCALS = {"x" => :string, "y" => :integer, "items" => :strings, "label" => :string, "size" => :integer, "role" => :string}.freeze
    TYPES = {integer: "Integer", string: "String", boolean: "Boolean", strings: "Array[String]", hash: "Hash", optional: "Optional[String]"}.freeze

    # A class, a defined type or a function: its name, and its parameters as names and kinds. `variables` are those that
    # others can name, `required` the parameters that have no default.
    Definition = Struct.new(:kind, :name, :parameters, :parent, :variables, :required, :file, :declared, :locals, keyword_init: true) do
      # A class and those that it inherits from.
      def lineage
        parent ? [self, *parent.lineage] : [self]
      end
    end

    # Where statements are: what is known there. `label` is what makes titles unique where code runs several times.
    Place = Struct.new(:kind, :definition, :variables, :declared, :label, keyword_init: true) do
      def within(label: self.label)
        dup.tap { |place| place.variables, place.declared, place.label = variables.dup, declared.transform_values(&:dup), label }
      end
    end

    # @param number [Integer]
    # @return [CatalogProgram]
    def self.of(number)
      new(number).program
    end

    def initialize(number)
      @number = number
      @random = Random.new(number)
      @count = 0
      @virtual = []
      @included = []
      plan
    end

    # @return [CatalogProgram]
    def program
      top = top_level
      definitions = (@classes + @defines + @functions).map { |definition| [definition, define(definition)] }
      in_files, in_manifest = definitions.partition { |definition, _| definition.file }
      blocks = in_manifest.map(&:last) + nodes
      # Definitions count wherever they are.
      before, after = blocks.partition { one_of(3) }
      CatalogProgram.new(
        number: @number, code: text([*before, *with_mistake(top), *after]), files: in_files.to_h { |definition, lines| [definition.file, text([lines])] },
        node: pick(NODES), in_file: one_of(2),
        settings: {"strict" => one_of(5) ? "warning" : "error", "strict_variables" => !one_of(6)}
      )
    end

    private

    def plan
      @classes = []
      between(1, 5).times { |index| @classes << plan_class("c#{index}") }
      @defines = Array.new(between(0, 3)) { |index| plan_definition(:define, "d#{index}") }
      @functions = Array.new(between(0, 2)) { |index| plan_definition(:function, "f#{index}") }
    end

    def plan_class(name)
      definition = plan_definition(:class, name)
      parents = @classes.select { |parent| parent.required.empty? }
      definition.parent = pick(parents) if parents.any? && one_of(2)
      definition
    end

    def plan_definition(kind, name)
      name = "gen::#{name}" if one_of(3)
      folder = kind == :function ? "functions" : "manifests"
      file = "modules/gen/#{folder}/#{name.delete_prefix("gen::")}.pp" if name.start_with?("gen::")
      parameters = PARAMETERS.sample(between(0, 3), random: @random).to_h { |parameter| [parameter, PARAMETER_KINDS.fetch(parameter)] }
      parameters = {"id" => :string, **parameters} if kind == :function
      required = kind == :function ? parameters.keys : parameters.keys.select { one_of(kind == :class ? 12 : 3) }
      locals = LOCALS.reject { |local, _| parameters.key?(local) }.to_a.sample(between(0, 2), random: @random).to_h
      Definition.new(kind: kind, name: name, parameters: parameters, variables: parameters.merge(locals), locals: locals, required: required, file: file, declared: {})
    end

    def define(definition)
      place = Place.new(kind: definition.kind, definition: definition, variables: {}, declared: definition.declared, label: nil)
      place.label = "${title}" if definition.kind == :define
      place.label = "${id}" if definition.kind == :function
      head = "#{definition.kind} #{definition.name}#{parameter_list(definition, place)}"
      head += " inherits #{definition.parent.name}" if definition.parent
      place.variables.update("title" => :string, "name" => :string) unless definition.kind == :function
      block("#{head} {", locals(place) + statements(place, between(1, 4)))
    end

    def parameter_list(definition, place)
      return definition.kind == :function ? "()" : "" if definition.parameters.empty?

      # Those without a default come first in a function, and anywhere else.
      texts = definition.parameters.map do |name, kind|
        typed = one_of(3) ? "" : "#{TYPES.fetch(kind, "Any")} "
        default = definition.required.include?(name) ? "" : " = #{kind == :optional ? "undef" : value(kind, place, 1)}"
        place.variables[name] = kind
        "#{typed}$#{name}#{default}"
      end
      "(#{texts.join(", ")})"
    end

    # Variables, some of which are named as those of the class that is inherited from.
    def locals(place)
      names = place.definition ? place.definition.locals.keys : (LOCALS.keys - ["role"]).sample(between(0, 2), random: @random)
      names.flat_map { |name| assign(name, place) }
    end

    def assign(name, place)
      kind = LOCALS.fetch(name)
      line = "$#{name} = #{value(kind, place, 2)}"
      place.variables[name] = kind
      [line]
    end

    def top_level
      place = Place.new(kind: :top, variables: {}, declared: {})
      lists = locals(place).map { |line| [line] }
      lists << stages if one_of(6)
      declare_classes(lists, place)
      between(3, 9).times { lists << statement(place, 2) }
      lists.reject(&:empty?)
    end

    def declare_classes(lists, place)
      @classes.shuffle(random: @random).each do |definition|
        next if one_of(7) || (@included.include?(definition) && !one_of(10))

        lists <<
          if definition.required.any? || one_of(5)
            class_resource(definition, place)
          else
            ["#{pick(%w[include include include contain require])} #{definition.name}"]
          end
        @included.concat(definition.lineage)
      end
    end

    def nodes
      return [] unless one_of(3)

      names = NODE_NAMES.sample(between(1, 3), random: @random)
      names << "default" unless names.include?("default") || one_of(20)
      names.uniq.map do |name|
        place = Place.new(kind: :node, variables: {}, declared: {})
        place.variables["1"] = :string if name.start_with?("/^(")
        block("node #{name} {", locals(place) + statements(place, between(1, 4)))
      end
    end

    def with_mistake(lists)
      return lists unless one_of(8)

      lists.dup.insert(between(0, lists.size), [mistake])
    end
  end
end
