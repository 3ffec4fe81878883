# frozen_string_literal: true

module Differential
  class CatalogPrograms
    # Resources, with their parameters.
    module Resources
      # What types have: the kind of a value, or the values themselves.
      TYPE_PARAMETERS = {
        "notify" => {"message" => :string, "withpath" => :boolean},
        "file" => {
          "ensure" => %w['file' present 'directory' absent], "mode" => %w['0644' '0600' 'u+x' '644'], "owner" => %w['root' 0 'web'], "content" => :string, "backup" => %w[false '.old'],
          "recurse" => %w[true false remote], "replace" => :boolean, "source" => %w['puppet:///modules/kit/a' ['/a','/b']], "group" => :optional
        },
        "exec" => {
          "command" => %w['/bin/true' '/bin/echo'], "refreshonly" => :boolean, "unless" => :string, "path" => %w['/bin:/usr/bin' ['/bin','/usr/bin']],
          "environment" => :strings, "timeout" => :integer, "creates" => %w['/a' '/b']
        },
        "user" => {"ensure" => %w[present absent], "groups" => :strings, "uid" => :integer, "managehome" => :boolean, "password" => %w[Sensitive('pw') 'plain' Sensitive("x${1}")]},
        "group" => {"ensure" => %w[present absent], "gid" => :integer},
        "package" => {"ensure" => %w[present latest '1.0' installed], "provider" => %w['apt' gem], "install_options" => :strings},
        "service" => {"ensure" => %w[running stopped true], "enable" => %w[true false manual]},
        "kit_entry" => {"ensure" => %w[present absent], "flag" => :boolean, "value" => %w['abc' none], "list" => :strings},
        "tidy" => {"age" => %w['1d'], "recurse" => :boolean, "matches" => :strings}
      }.freeze
      TYPE_WEIGHTS = {"notify" => 10, "file" => 6, "exec" => 2, "user" => 1.5, "group" => 1, "package" => 2, "service" => 2, "kit_entry" => 1, "tidy" => 0.4}.freeze
      METAPARAMETERS = %w[tag tag noop loglevel alias schedule require before notify subscribe audit].freeze

      private

      def resource(place, prefix: "")
        return defined_resource(place, prefix) if @defines.any? && one_of(3)

        type = weighted(TYPE_WEIGHTS)
        bodies = one_of(8) ? 2 : 1
        lines = Array.new(bodies) { resource_body(type, place, prefix) }
        return ["#{prefix}#{type} { #{lines.first} }"] if bodies == 1

        lines.unshift("default: #{parameters_of(TYPE_PARAMETERS.fetch(type), place).join(", ")}") if one_of(2)
        block("#{prefix}#{type} {", lines.map { |line| "#{line};" })
      end

      def resource_body(type, place, prefix)
        title = title_for(type, place)
        parameters = one_of(10) ? [] : parameters_of(TYPE_PARAMETERS.fetch(type), place)
        parameters << metaparameter(place) if one_of(3)
        parameters << "* => #{splat(place)}" if one_of(25)
        parameters << "* => { '#{pick(%w[noop tag loglevel])}' => #{pick(%w[true 'x' debug])} }" if one_of(25) && !parameters.any? { |text| text.match?(/\A(noop|tag|loglevel)/) }
        parameters.uniq! { |text| text[/\A\S+/] }
        declare(type, title, place, prefix, parameters)
        "#{title}: #{parameters.join(", ")}"
      end

      # A hash of metaparameters, which may be a variable.
      def splat(place)
        known = place.variables.select { |_, kind| kind == :hash }.keys
        known.any? && one_of(3) ? "$#{pick(known)}" : pick(["{}", "{ 'noop' => true } + {}", "{ 'tag' => ['x'], 'loglevel' => 'info' }.filter |$k, $v| { $k == 'tag' }", "lookup('nothing').lest || { {} }"])
      end

      # Remembers what other statements can name.
      def declare(type, title, place, prefix, parameters)
        return if title.start_with?("[") || title.include?("$")

        reference = "#{type.split("::").map(&:capitalize).join("::")}[#{title}]"
        prefix.empty? ? place.declared[reference] = parameters.map { |text| text[/\A\S+/] } : @virtual << reference
      end

      # A title that nothing else has: a text, an array of texts, or one that says where it is.
      def title_for(type, place)
        names = Array.new(one_of(8) ? 2 : 1) do
          name = "#{type[0]}#{number}"
          name = "#{name}-#{place.label}" if place.label
          name = "/tmp/#{name}#{"/" if one_of(12)}" if %w[file tidy kit_entry].include?(type)
          name = "/bin/#{name}" if type == "exec" && one_of(2)
          name = pick(["Upper #{name}", "#{name}[x]", "a::#{name}", "#{name} y", "Ü#{name}"]) if one_of(10) && !name.start_with?("/")
          place.label ? "\"#{name}\"" : "'#{name}'"
        end
        names.one? ? names.first : "[#{names.join(", ")}]"
      end

      def parameters_of(known, place)
        known.keys.sample(between(0, [known.size, 3].min), random: @random).map { |name| "#{name} => #{parameter_value(known[name], place)}" }
      end

      def parameter_value(kind, place)
        return pick(kind) if kind.is_a?(Array)
        return rich_value(place) if %i[string boolean].include?(kind) && one_of(15)
        return "undef" if one_of(25)

        value(kind, place, 2)
      end

      def metaparameter(place)
        name = pick(METAPARAMETERS)
        text =
          case name
          when "tag" then pick(["'extra'", "['extra', 'late']", "'a::b'", "['x', ['y']]", "'web.tag'", "undef", "$facts['role']"])
          when "noop" then pick(%w[true false])
          when "loglevel" then pick(%w[debug 'warning' err])
          when "alias" then pick(["\"alias #{number}-#{place.label}\"", "[\"alias #{number}-#{place.label}\", 'alias #{number}']"].first(one_of(4) ? 2 : 1))
          when "schedule" then pick(["'sometimes'", "Schedule['sometimes']", "'daily'"])
          when "audit" then pick(["all", "'ensure'", "['ensure', 'mode']"])
          else related(place)
          end
        "#{name} => #{text}"
      end

      # Resources for a relationship: one that is there, most times.
      def related(place)
        first = reference_to(place) || some_class
        pick([first, first, first, "[#{first}]", "[#{first}, Stage['main']]", "[#{first}, undef]", "[[#{first}], #{first}]", "undef", "\"#{first.delete("'\"")}\"", some_class, "[]"])
      end

      # A reference to a class that is there, most times.
      def some_class
        return "Class['#{pick(@classes).name}']" if one_of(60)

        @included.any? ? "Class['#{pick(@included).name}']" : "Stage['main']"
      end

      def reference_to(place)
        known = place.declared
        pick(known.keys) if known.any?
      end

      # Those whose resources do not lead back here.
      def usable_defines(place)
        case place.kind
        when :function then []
        when :define then @defines.drop(@defines.index(place.definition) + 1)
        else @defines
        end
      end

      def defined_resource(place, prefix)
        candidates = usable_defines(place)
        return ["#{prefix}kit::item { #{title_for("item", place)}: #{pick(["", "size => 'large'", "list => ['a'], tag => 'item-tag'"])} }"] if candidates.empty? || one_of(6)

        definition = pick(candidates)
        given = arguments(definition, place).map { |name, text| "#{name} => #{text}" }
        given << metaparameter(place) if one_of(3)
        title = title_for(definition.name[/\w+\z/], place)
        declare(definition.name, title, place, prefix, given)
        ["#{prefix}#{definition.name} { #{title}: #{given.join(", ")} }"]
      end

      # Values for all parameters that need one, and some others.
      def arguments(definition, place)
        definition.parameters.select { |name, _| definition.required.include?(name) || one_of(2) }.to_h { |name, kind| [name, one_of(100) ? any(place, 0) : value(kind, place, 1)] }
      end

      def class_resource(definition, place)
        given = arguments(definition, place).map { |name, text| "#{name} => #{text}" }
        given << metaparameter(place) if one_of(4)
        given << "stage => '#{pick(%w[first last main])}'" if @staged && one_of(2)
        ["class { '#{pick(["", "", "::"])}#{definition.name}': #{given.join(", ")} }"]
      end
    end
  end
end
