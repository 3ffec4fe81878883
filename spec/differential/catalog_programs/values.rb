# frozen_string_literal: true

module Differential
  class CatalogPrograms
    # Expressions of a kind of value, with the variables of a place.
    module Values
      STRINGS = ["'a'", "'abc'", "'x y'", "'One'", "''", "'web-server'", "'10'", "\"two\\nlines\"", "'é'"].freeze
      INTEGERS = %w[0 1 3 42 80 -2].freeze
      HASHES = ["{}", "{ 'a' => 1 }", "{ 'a' => 'x', 'b' => [1, 'two'] }", "{ 'deep' => { 'k' => 'v' } }", "{ 1 => undef }"].freeze
      KEYS = {string: %w[label role], integer: %w[size], boolean: %w[on], strings: %w[list alias], hash: %w[settings], any: %w[settings nothing]}.freeze
      # What is no string, number or collection of them.
      RICH = [
        "Integer[1, 2]", "File", "Notify['n1']", "Class['c0']", "Sensitive('s')", "Deferred('upcase', ['x'])", "default", "/a(b)/", "1.5",
        "undef", "[1, [2, undef]]", "SemVer('1.2.3')", "Timespan(90)", "Sensitive(Deferred('upcase', ['x']))", "String", "Binary('YWJj')"
      ].freeze

      private

      def value(kind, place, depth)
        return rich_value(place) if one_of(kind == :any ? 15 : 600)

        known = place.variables.select { |_, other| other == kind || kind == :any }.keys
        return "$#{pick(known)}" if known.any? && one_of(3)

        named = qualified(kind, place)
        return "$#{pick(named)}" if named.any? && one_of(4)

        kind == :any ? any(place, depth) : send(:"#{kind}_value", place, depth)
      end

      # Variables of classes that are certainly evaluated before.
      def qualified(kind, place)
        lineage = place.kind == :class ? place.definition.lineage.drop(1) : []
        own = place.kind == :class && one_of(3) ? place.variables.select { |_, other| other == kind }.keys & place.definition.variables.keys : []
        return own.map { |name| "#{place.definition.name}::#{name}" } if own.any?

        classes = (place.kind == :top || place.kind == :node || place.kind == :define || one_of(1500)) ? @included : lineage
        classes = @classes if one_of(1500)
        classes.flat_map { |definition| definition.variables.select { |_, other| other == kind }.map { |name, _| "#{pick(["", "", "::"])}#{definition.name}::#{name}" } }
      end

      def any(place, depth)
        value(pick(%i[string integer boolean strings hash string]), place, depth)
      end

      def rich_value(_place)
        pick(RICH)
      end

      def integer_value(place, depth)
        return pick(INTEGERS) if depth <= 0

        case @random.rand(6)
        when 0 then "#{value(:integer, place, depth - 1)} + 1"
        when 1 then "lookup('size')"
        when 2 then "size(#{value(:strings, place, depth - 1)})"
        when 3 then "$facts['count']"
        else pick(INTEGERS)
        end
      end

      def boolean_value(place, depth)
        return pick(%w[true false]) if depth <= 0

        case @random.rand(8)
        when 0 then "defined(#{pick(["Notify['n1']", "'c0'", "File", "'$x'", "Class['c1']", "'d0'"])})"
        when 1 then "tagged('#{pick(%w[c0 extra late class gen])}')"
        when 2 then "(#{value(:integer, place, depth - 1)} > 2)"
        when 3 then "('a' in #{value(:strings, place, depth - 1)})"
        else pick(%w[true false])
        end
      end

      def strings_value(place, depth)
        return "[#{Array.new(between(0, 3)) { pick(STRINGS) }.join(", ")}]" if depth <= 0

        case @random.rand(6)
        when 0 then "lookup('#{pick(KEYS[:strings])}')"
        when 1 then "(#{value(:strings, place, depth - 1)} + #{value(:string, place, depth - 1)})"
        when 2 then "#{value(:strings, place, depth - 1)}.map |$each| { \"${each}#{number}\" }"
        else "[#{Array.new(between(0, 3)) { value(:string, place, depth - 1) }.join(", ")}]"
        end
      end

      def hash_value(place, depth)
        return pick(HASHES) if depth <= 0

        case @random.rand(4)
        when 0 then "lookup('settings')"
        when 1 then "{ 'a' => #{any(place, depth - 1)}, 'b' => #{any(place, depth - 1)} }"
        when 2 then "#{value(:hash, place, depth - 1)} + { 'more' => #{any(place, depth - 1)} }"
        else pick(HASHES)
        end
      end

      def optional_value(place, depth)
        one_of(3) ? "undef" : value(:string, place, depth)
      end

      def string_value(place, depth)
        return pick(STRINGS) if depth <= 0

        case weighted({plain: 5, interpolated: 6, lookup: 1, function: 3, fact: 1, template: 3, parameter: 1, rich: 1})
        when :plain then pick(STRINGS)
        when :interpolated then "\"#{pick(["", "a ", "x-"])}#{interpolation(place)}#{pick(["", " b", "/#{interpolation(place)}"])}\""
        when :lookup then "lookup('#{pick(%w[label role])}'#{pick(["", ", String", ", { 'default_value' => 'none' }", ", String, 'first'"])})"
        when :function then string_function(place, depth - 1)
        when :fact then pick(["$facts['role']", "$trusted['certname']", "$facts['os']['name']", "$hostname", "$trusted['extensions']['pp_role']", "$environment"])
        when :template then depth > 1 ? template(place) : pick(STRINGS)
        when :parameter then parameter(place)
        else "String(#{pick(RICH)})"
        end
      end

      def interpolation(place)
        names = place.variables.keys + %w[facts['role'] module_name title name]
        names << "caller_module_name" if one_of(5)
        names += place.definition.lineage.drop(1).flat_map { |found| found.variables.keys.map { |name| "#{found.name}::#{name}" } } if place.kind == :class
        names += @included.flat_map { |found| found.variables.keys.map { |name| "#{found.name}::#{name}" } } unless %i[class function].include?(place.kind)
        one_of(30) ? pick(["${1}", "${0}"]) : "${#{pick(names)}}"
      end

      def string_function(place, depth)
        inner = value(:string, place, depth)
        case @random.rand(9)
        when 0 then "upcase(#{inner})"
        when 1 then "join(#{value(:strings, place, depth)}, ',')"
        when 2 then "sprintf('%s-%s', #{inner}, #{any(place, depth)})"
        when 3 then "getvar('#{pick(@classes).name}::#{pick(%w[size label x any])}', 'none').then |$found| { \"${found}\" }"
        when 4 then "String(#{any(place, depth)})"
        when 5 then "pick(#{value(:optional, place, depth)}, 'other')"
        when 6 then "kit_where(#{pick(["'title'", "'role', 'count'", "'#{pick([*place.variables.keys.grep(/\A[a-z]/), "facts"])}'"])})"
        when 7 then "with(#{inner}) |$inner| { \"<${inner}>\" }"
        else "regsubst(#{inner}, '[aeiou]', '<\\0>', 'G')"
        end
      end

      def template(place)
        case @random.rand(7)
        when 0 then "inline_epp('<%= $#{pick(%w[facts["role"] module_name title])} %> #{number}')"
        when 1 then "inline_epp('<%- | $given | -%><%= $given %>', { 'given' => #{any(place, 0)} })"
        when 2 then "epp('kit/settings.epp', { 'options' => #{value(:hash, place, 0)}, 'port' => #{value(:integer, place, 0)} })"
        when 3 then "template('kit/all.erb')"
        else "inline_template('#{Array.new(between(1, 3)) { erb(place) }.join(" ")}')"
        end
      end

      def erb(place)
        known = pick([*place.variables.keys, "facts"].grep(/\A[a-z]/))
        name = pick([*place.variables.keys, "title", "name", "module_name", "label", "x"].grep(/\A[a-z]/))
        others = (place.kind == :class ? place.definition.lineage.drop(1) : @included).flat_map { |found| found.variables.keys.map { |variable| "#{found.name}::#{variable}" } }
        other = others.any? ? pick(others) : "facts"
        pick([
          "<%= @#{name} %>", "<%= @#{name}.inspect %>", "<%= scope[\"#{other}\"].inspect %>", "<%= scope.lookupvar(\"#{pick([other, known])}\") %>", "<%= has_variable?(\"#{name}\") %>",
          "<%= scope.to_hash.key?(\"#{name}\") %>", "<%= scope.include?(\"#{name}\") %>", "<%= all_tags.sort %>", "<%= classes.inspect %>", "<%= scope.call_function(\"upcase\", [\"x\"]) %>",
          "<%= defined?(@#{name}).inspect %>", "<%= scope.resource.tags.to_a.sort %>", "<%= scope.resource %>", "<%= scope[\"#{known}\"].class %>"
        ])
      end

      def parameter(place)
        reference = reference_to(place)
        return pick(STRINGS) unless reference

        type = reference[/\A[\w:]+/].downcase
        "String(#{reference}['#{pick(%w[tag loglevel title name] + Resources::TYPE_PARAMETERS.fetch(type, {}).keys * 2)}'])"
      end
    end
  end
end
