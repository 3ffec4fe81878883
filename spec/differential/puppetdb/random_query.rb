# frozen_string_literal: true

require "json"

module Differential
  module PuppetDB
    # Random queries of the entities that catalogs and facts have, in PuppetDB's abstract syntax.
    class RandomQuery
      # Fields of each entity by their kinds.
      FIELDS = {
        "nodes" => {text: %w[certname facts_environment catalog_environment latest_report_status], boolean: %w[latest_report_noop], time: %w[facts_timestamp catalog_timestamp report_timestamp]},
        "facts" => {text: %w[certname environment name], value: %w[value]},
        "fact_contents" => {text: %w[certname environment name], value: %w[value], path: %w[path]},
        "inventory" => {text: %w[certname environment], time: %w[timestamp], member: %w[
          facts.kernel facts.uptime facts.load facts.virtual facts.zone facts.none facts.os.family facts.os.release.major facts.tags facts.tags[0] facts.disks[1].size facts.disks.0.name
          facts.deep."a.b"."c-d" facts.nowhere facts.os.nowhere facts.many.key3 facts.disks[0].7 facts.text facts.empty trusted.certname trusted.extensions.pp_role
        ]},
        "resources" => {text: %w[certname environment type title file], number: %w[line], boolean: %w[exported], list: %w[tags tag], member: %w[
          parameters.port parameters.ensure parameters.ssl parameters.names parameters.names[1] parameters.opts.a parameters.uid parameters.message parameters.nowhere
        ], parameter: %w[port ensure names uid opts]},
        "edges" => {text: %w[certname relationship source_type source_title target_type target_title]},
        "factsets" => {text: %w[certname environment producer], time: %w[timestamp producer_timestamp]},
        "environments" => {text: %w[name]}
      }.freeze
      TEXTS = ["web1", "Linux", "linux", "Debian", "production", "uptime", "Class", "Apache", "/etc/motd", "0", "8", "", "present", "Mixed.example.com", "kernel", "contains"].freeze
      PATTERNS = ["^w", "eb", "1$", "(?i)LINUX", "[0-9]+", "^$", ".", "a.*e", "\\d", "^(web|db)", "e{1,2}b", "\\.", "x|n", "[[:upper:]]", "\\yb", "a.b"].freeze
      NUMBERS = [0, 1, 3, 4, 5, 80, 82, 100, 300, 1.5, 0.25, -1].freeze
      TIMES = ["2024-05-01T10:00:00Z", "2020-01-01", "2100-01-01T00:00:00.000Z"].freeze
      private_constant :TEXTS, :PATTERNS, :NUMBERS, :TIMES

      # @param seed [Integer]
      def initialize(seed)
        @random = Random.new(seed)
      end

      # @return [Array] a query
      def query
        entity = pick(FIELDS.keys)
        @random.rand(8).zero? ? grouped(entity) : ["from", entity, *selection(entity)]
      end

      # @return [Boolean] whether the rows of a query have an order that it says
      def self.ordered?(query)
        return query.match?(/\b(?:order by|limit|offset)\b/) if query.is_a?(String)

        query.any? { |part| part.is_a?(Array) && %w[order_by limit offset].include?(part.first) }
      end

      private

      def pick(items) = items[@random.rand(items.size)]

      def selection(entity)
        condition = condition(entity, 3)
        columns = columns(entity)
        paging = @random.rand(4).zero? ? paging(entity) : []
        [@random.rand(4).zero? ? condition : ["extract", columns, condition], *paging]
      end

      def columns(entity)
        fields = FIELDS[entity]
        known = fields.values_at(:text, :number, :boolean, :value, :path).compact.flatten + (fields[:list] ? ["tags"] : []) + Array(fields[:member]).reject { |field| field.include?("[") }
        [*Array(fields[:text]).first(1), *Array.new(@random.rand(3)) { pick(known) }].uniq
      end

      # All text columns, so that there is one order.
      def paging(entity)
        keys = FIELDS[entity].values_at(:text, :number, :value).compact.flatten.shuffle(random: @random).map { |field| @random.rand(2).zero? ? field : [field, pick(%w[asc desc])] }
        [["order_by", keys], *([["limit", 1 + @random.rand(5)]] if @random.rand(2).zero?), *([["offset", @random.rand(3)]] if @random.rand(3).zero?)]
      end

      def grouped(entity)
        field = pick(FIELDS[entity][:text])
        functions = [["function", "count"], ["function", "count", field], ["function", "max", field], ["function", "min", field]]
        functions += [%w[function sum line], %w[function avg line]] if entity == "resources"
        return ["from", entity, ["extract", ["function", pick(%w[sum avg min max]), "value"].then { |call| [call] }, ["=", "name", pick(%w[uptime load zone])]]] if entity == "facts" && @random.rand(2).zero?

        ["from", entity, ["extract", [field, pick(functions)], condition(entity, 2), ["group_by", field]]]
      end

      def condition(entity, depth)
        case depth.zero? ? 9 : @random.rand(10)
        when 0 then ["not", condition(entity, depth - 1)]
        when 1 then ["and", *Array.new(2) { condition(entity, depth - 1) }]
        when 2 then ["or", *Array.new(2) { condition(entity, depth - 1) }]
        when 3 then subquery(entity, depth)
        else comparison(entity)
        end
      end

      def subquery(entity, depth)
        others = %w[nodes facts inventory resources edges fact_contents factsets] - ["environments"]
        return comparison(entity) if entity == "environments"

        other = pick(others)
        inner = condition(other, depth - 1)
        return ["subquery", other, inner] if @random.rand(2).zero? && !(entity == "resources" && other != "nodes")

        ["in", "certname", pick([["from", other, ["extract", ["certname"], inner]], ["extract", "certname", ["select_#{other}", inner]]])]
      end

      def comparison(entity)
        kinds = FIELDS[entity]
        kind = pick(kinds.keys)
        field = pick(kinds[kind])
        send(:"compare_#{kind}", field)
      end

      def compare_text(field) = pick([["=", field, pick(TEXTS)], ["~", field, pick(PATTERNS)], ["in", field, ["array", Array.new(2) { pick(TEXTS) }]], ["null?", field, pick([true, false])]])
      def compare_number(field) = pick([[pick(%w[= < > <= >=]), field, pick([1, 3, 4, 5])], ["null?", field, pick([true, false])]])
      def compare_boolean(field) = ["=", field, pick([true, false])]
      def compare_time(field) = pick([[pick(%w[< > <= >= =]), field, pick(TIMES)], ["null?", field, pick([true, false])]])
      def compare_list(field) = pick([["=", field, pick(%w[web APACHE file class])], ["~", field, pick(PATTERNS)]])
      def compare_parameter(name) = pick([["=", ["parameter", name], pick([80, "present", %w[x y], "3", true])], ["~", ["parameter", name], pick(PATTERNS)]])

      def compare_value(field)
        pick([["=", field, pick([*TEXTS, *NUMBERS, true, %w[a b]])], [pick(%w[< > <= >=]), field, pick(NUMBERS)], ["~", field, pick(PATTERNS)], ["null?", field, pick([true, false])],
              ["in", field, ["array", Array.new(3) { pick([*TEXTS, *NUMBERS]) }]]])
      end

      def compare_member(field)
        pick([["=", field, pick([*TEXTS, *NUMBERS, true, ["a"], %w[x y]])], [pick(%w[< > <= >=]), field, pick([*NUMBERS, "8", "a"])], ["~", field, pick(PATTERNS)], ["null?", field.delete("[]"), pick([true, false])]])
      end

      def compare_path(field)
        paths = [%w[os family], ["disks", 0, "size"], ["tags", 1], %w[uptime], ["disks", "0", "size"]]
        pick([["=", field, pick(paths)], ["in", field, ["array", [pick(paths), pick(paths)]]], ["~>", field, pick([%w[os .*], ["disks", ".*", "si"], ["tags", "\\d"], ["disks", 0, "name"], %w[os release major]])]])
      end
    end
  end
end
