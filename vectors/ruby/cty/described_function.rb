# frozen_string_literal: true

module Vectors
  module Cty
    # Functions that the cases describe by their parts.
    module DescribedFunction
      TYPES = {
        "string" => "string", "number" => "number", "list_string" => %w[list string],
        "list_dynamic" => %w[list dynamic], "object_a_string" => ["object", {"a" => "string"}], "bytes" => "bytes"
      }.freeze
      private_constant :TYPES

      def self.make(spec)
        function = Puppetfn::Cty::Function.new(
          name: "f", params: spec["params"].map { |param| keys(param) }, var_param: spec["var_param"]&.then { |param| keys(param) },
          type: rule(spec["type_rule"]), impl: ->(args, type) { result(spec["impl"], args, type) }
        )
        spec["unpredictable"] ? function.unpredictable : function
      end

      def self.keys(param)
        param.transform_keys(&:to_sym)
      end

      def self.rule(name)
        kind, type = name.split(":")
        return TYPES.fetch(type) if kind == "fixed"

        ->(args) { type_of(name, args) }
      end

      def self.type_of(rule, args)
        case rule
        when "same_as_first" then args.first.type
        when "dynamic" then "dynamic"
        when "by_value" then by_value(args.first.unmark.first)
        when "error" then raise Puppetfn::Cty::Error, "type rule failed"
        when "arg_error:1" then raise Puppetfn::FunctionSpec::ArgumentError.new("type rule rejects argument 1", 1)
        when "panic" then raise "type rule panicked"
        when "probe" then raise Puppetfn::Cty::Error, "type rule saw [#{described(args)}]"
        else raise "no such rule: #{rule}"
        end
      end

      def self.by_value(value)
        return "dynamic" if value.type.kind != :string || value.null? || !value.known?

        value.to_s == "num" ? "number" : "string"
      end

      def self.result(implementation, args, type)
        case implementation
        when "constant" then "constant"
        when "constant_number" then Puppetfn::Cty.value(1)
        when "first_arg" then args.first
        when "error" then raise Puppetfn::Cty::Error, "impl failed"
        when "value_and_error" then raise Puppetfn::Cty::Error, "impl failed with a value"
        when "arg_error:0" then raise Puppetfn::FunctionSpec::ArgumentError.new("impl rejects argument 0", 0)
        when "panic" then raise "impl panicked"
        when "length" then Puppetfn::Cty.value(args.size)
        when "unknown" then Puppetfn::Cty.unknown(type)
        when "null" then Puppetfn::Cty.null(type)
        when "dynamic" then Puppetfn::Cty.unknown
        when "marked_constant" then Puppetfn::Cty.value("constant").mark("impl")
        when "probe" then "impl saw [#{described(args)}] for #{type}"
        else raise "no such implementation: #{implementation}"
        end
      end

      def self.described(args)
        args.map do |value|
          unmarked, marks = value.unmark
          marked = "marked(#{marks.join(",")}) " if marks.any?
          deep = "deep-marked " if unmarked.contains_marked?
          state = value.null? ? "null" : (value.known? ? "known" : "unknown")
          "#{marked}#{deep}#{state} #{value.type}"
        end.join("; ")
      end
      private_class_method :keys, :rule, :type_of, :by_value, :result, :described
    end
  end
end
