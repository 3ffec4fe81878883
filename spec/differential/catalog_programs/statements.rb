# frozen_string_literal: true

module Differential
  class CatalogPrograms
    # Statements, as lists of lines.
    module Statements
      WEIGHTS = {
        resource: 12, variable: 2, defaults: 2, override: 3, collector: 3, relation: 3, virtual_resource: 2.5, exported: 0.5, realize: 1.2, include: 2,
        iteration: 2, condition: 2, create_resources: 2, library: 2, debian: 1.5, idiom: 1.5, tag: 1, function: 2, kit: 1.5, schedule: 0.4, message: 0.3
      }.freeze
      MISTAKES = [
        "include nosuch", "nosuch { 'x': }", "notify { 'twice': } notify { 'twice': }", "notify { 'x': bogus => 1 }", "file { '/a': ensure => bogus }", "file { 'relative': }",
        "Notify['none'] -> Notify['other']", "notify { 'before': before => File['/none'] }", "fail('on purpose')", "realize Notify['none']", "Notify['none'] { message => 'x' }",
        "class { 'c0': } class { 'c0': }", "include c0 class { 'c0': }", "class { 'c0': bogus => 1 }", "kit::item { 'i': size => -1 }", "kit::item { 'i': owner => 1, nope => 2 }", "kit::setting { 's': }",
        "kit::setting { 's': value => 1, ensure => 'gone' }", "notify { ['a', 'b', 'a']: }", "notify { '': }", "notify { undef: }", "notify { [[]]: }", "notify { 1.5: }", "notify { 'x': tag => 'b ad' }",
        "$facts = 1", "$x = 1 $x = 2", "notify { \"${nothing}\": }", "notify { 'x': message => $nothing::at::all }", "include(undef)", "include('')", "contain Notify['a']", "create_resources('nosuch', { 'a' => {} })",
        "create_resources('notify', { 'a' => { 'bogus' => 1 } })", "create_resources('class', { 'kit::extra' => { 'nope' => 1 } })", "lookup('nosuch')", "lookup('size', String)", "notify { 'x': require => 'nothing' }",
        "notify { 'x': require => Class['main'] }", "Class['nosuch'] -> Class['kit']", "notify { 'a': alias => 'b' } notify { 'b': }", "notify { 'a': alias => 'z' } notify { 'b': alias => 'z' }",
        "file { '/same': } file { 'other': path => '/same' }", "user { 'u': } User['u'] { uid +> 3 }", "notify { 'a': message => 1 } Notify['a'] { message => 2 }", "class q inherits nosuch { } include q",
        "notify { 'x': * => 1 }", "notify { 'x': * => { 'message' => 1 }, message => 2 }", "notify { 'x': message => 1, message => 2 }", "tag('b ad')", "tag(undef)", "stage { 'main': }", "class { 'kit::extra': stage => 'nosuch' }",
        "notify { 'x': schedule => 'nosuch' }", "notify { default: message => 1; default: message => 2 }", "Notify <| bogus == 1 |>", "Nosuch <| |>", "Class <| |>", "@class { 'kit': }", "Notify['a', 'b'] { message => 1 }",
        "realize('x')", "notify { 'x': noop => 'perhaps' }", "notify { 'x': loglevel => 'loud' }", "1 -> Notify['a']", "inline_template('<%= raise %>')", "inline_template('<%= nope %>')", "template('kit/none.erb')",
        "epp('kit/settings.epp', { 'port' => 'x' })", "epp('kit/around.epp', { 'x' => 1 })", "inline_template('<%= scope[\"c0::none\"].inspect %> <%= scope.lookupvar(\"c9::x\").inspect %>')", "include kit::none",
        "notify { 'x': message => Notify['none']['message'] }", "kit_entry { 'e': value => 'b ad' }", "notify { String: }", "notify { [1, 'a', undef]: }", "exec { 'relative': }", "package { 'p': ensure => [] }",
        "service { 's': enable => sometimes }", "node 'late' { }", "assert_private()", "assert_type(Integer, 'x')", "class { ['c0', 'kit']: }", "class { 'kit': port => 'http' }", "hiera_include('classes')", "Kit::Item['none'] { size => 3 }",
        "notify { 'x': before => Kit::Item['none'] }", "kit::declare('x', 1, 1) kit::declare('x', 1)", "create_resources('kit::item', { 'a' => { 'size' => 'none' } })"
      ].freeze

      private

      def statements(place, count)
        Array.new(count) { statement(place, 2) }.flatten
      end

      def statement(place, depth)
        kind = weighted(WEIGHTS)
        return resource(place) if depth <= 0 && %i[iteration condition].include?(kind)

        %i[iteration condition].include?(kind) ? send(kind, place, depth - 1) : send(kind, place)
      end

      def variable(place)
        free = LOCALS.keys - place.variables.keys - ["role"]
        return resource(place) if free.empty? || (place.label && place.kind != :define)

        assign(pick(free), place)
      end

      def defaults(place)
        type = weighted(Resources::TYPE_WEIGHTS)
        parameters = parameters_of(Resources::TYPE_PARAMETERS.fetch(type).reject { |name, _| %w[name command source content].include?(name) }, place)
        parameters << metaparameter(place) if one_of(3) || parameters.empty?
        return ["#{pick(@defines).name.split("::").map(&:capitalize).join("::")} { #{metaparameter(place)} }"] if @defines.any? && one_of(6)

        ["#{type.capitalize} { #{parameters.join(", ")} }"]
      end

      # Of a resource that the place declared, or that a class declared that it inherits from.
      def override(place)
        inherited = place.kind == :class ? place.definition.lineage.drop(1).map(&:declared).reduce({}, :merge) : {}
        overridden = inherited.any? && !one_of(4) ? inherited : place.declared
        return resource(place) if overridden.empty?

        reference = pick(overridden.keys)
        type = reference[/\A[\w:]+/].downcase
        known = Resources::TYPE_PARAMETERS.fetch(type, {"tag" => %w['over']})
        names = [*known.keys, "tag", "require"]
        names -= overridden[reference] if overridden.equal?(place.declared) && !one_of(8)
        return resource(place) if names.empty?

        name = pick(names)
        place.declared[reference]&.push(name)
        text = known.key?(name) ? parameter_value(known[name], place) : (name == "tag" ? "'over'" : related(place))
        ["#{reference} { #{name} #{one_of(4) ? "+>" : "=>"} #{text} }"]
      end

      def collector(place)
        collector = collector_of(place)
        ["#{collector}#{" { #{collected_override(place, collector[/\A[\w:]+/])} }" if one_of(2)}"]
      end

      def collector_of(_place)
        type = pick(%w[Notify Notify Notify File File Service Package User Kit::Item])
        type = pick(@defines).name.split("::").map(&:capitalize).join("::") if @defines.any? && one_of(5)
        marks = one_of(10) ? %w[<<| |>>] : %w[<| |>]
        "#{type} #{marks.first} #{query(2)} #{marks.last}"
      end

      def query(depth)
        case @random.rand(depth.positive? ? 9 : 6)
        when 0 then ""
        when 1, 2 then "tag #{pick(%w[== == !=])} '#{pick(%w[extra late item c0 gen d0 notify kit-package over a])}'"
        when 3 then "title #{pick(%w[== !=])} '#{pick(%w[n1 n2 n3 n4])}'"
        when 4 then "#{pick(%w[message mode ensure noop])} #{pick(%w[== !=])} #{pick(["'abc'", "'0644'", "present", "true", "undef"])}"
        when 5 then "withpath == #{pick(%w[true false])}"
        else "#{parenthesized(query(depth - 1))} #{pick(%w[and or])} #{parenthesized(query(depth - 1))}"
        end
      end

      def parenthesized(query)
        query = "tag == 'extra'" if query.empty?
        query.include?(" and ") || query.include?(" or ") ? "(#{query})" : query
      end

      def collected_override(place, type)
        known = Resources::TYPE_PARAMETERS.fetch(type.downcase, {}).reject { |name, _| name == "content" || name == "source" }
        return "#{name = pick(known.keys)} => #{parameter_value(known[name], place)}" if known.any? && one_of(2)

        pick(["tag => 'collected'", "tag +> 'collected'", "noop => true", "require => #{related(place)}", "before +> #{related(place)}"])
      end

      def relation(place)
        sides = Array.new(between(2, 3)) { side(place) }
        [sides.drop(1).reduce(sides.first) { |text, side| "#{text} #{pick(%w[-> ~> <- <~ ->])} #{side}" }]
      end

      def side(place)
        reference = reference_to(place)
        case @random.rand(8)
        when 0 then collector_of(place)
        when 1 then resource(place).then { |lines| lines.one? ? lines.first : "Notify <| |>" }
        when 2 then "#{some_class}"
        when 3 then "[#{reference || "Stage['main']"}, #{reference_to(place) || some_class}]"
        when 4 then one_of(3) ? "[]" : "\"#{reference || "Stage['main']"}\""
        else reference || "#{some_class}"
        end
      end

      def virtual_resource(place) = resource(place, prefix: "@")
      def exported(place) = resource(place, prefix: "@@")

      def realize(place)
        return virtual_resource(place) if @virtual.empty?

        found = Array.new(between(1, 2)) { pick(@virtual) }
        [pick(["realize #{found.join(", ")}", "realize(#{found.join(", ")})", "realize([#{found.join(", ")}])"])]
      end

      # Classes include those that come later, or they would wait for each other with `require`.
      def include(place)
        names = place.kind == :class ? @classes.drop(@classes.index(place.definition) + 1) : @classes
        names = names.reject { |definition| definition.required.any? }.map(&:name) + %w[kit kit::extra]
        name = pick(names)
        [pick(["include #{name}", "include #{name}", "contain #{name}", "require #{name}", "include '#{name}', ['#{pick(names)}']", "include Class['#{name}']"])]
      end

      def iteration(place, depth)
        variable = "i#{number}"
        inner = place.within(label: [place.label, "${#{variable}}"].compact.join("-"))
        inner.variables[variable] = :string
        list = pick(["['a', 'b']", "[1, 2]", "lookup('list')", "[]", "keys({ 'k' => 'v' })"])
        block("#{list}.each |$#{variable}| {", Array.new(between(1, 2)) { statement(inner, depth) }.flatten)
      end

      def condition(place, depth)
        inner = place.within
        body = Array.new(between(1, 2)) { statement(inner, depth) }.flatten
        case @random.rand(5)
        when 0 then block("if 'abc' =~ /(b)(c)/ {", body)
        when 1 then block("unless #{value(:boolean, place, 2)} {", body)
        when 2 then ["case #{value(:string, place, 1)} {", "  #{pick(STRING_CASES)}: {", *body.map { |line| "    #{line}" }, "  }", "  default: { #{resource(place.within).join(" ")} }", "}"]
        else [*block("if #{value(:boolean, place, 2)} {", body).first(body.size + 1), "} else {", *resource(place.within).map { |line| "  #{line}" }, "}"]
        end
      end

      STRING_CASES = ["'a', 'abc'", "/(a)/", "String[3]", "undef", "'web', /b$/"].freeze

      def create_resources(place)
        type = pick(%w[notify file @notify @@notify user kit::item] + usable_defines(place).map(&:name) + @classes.map(&:name).first(1).map { "class" })
        return create_classes(place) if type == "class"

        bare = type.delete("@")
        known = Resources::TYPE_PARAMETERS.fetch(bare) { {"tag" => %w['x']} }
        hash = Array.new(between(0, 2)) do
          given = @defines.find { |definition| definition.name == bare }&.then { |definition| arguments(definition, place).map { |name, text| "'#{name}' => #{text}" } }
          given ||= parameters_of(known, place).map { |text| text.sub(/\A(\w+)/, "'\\1'") }
          "#{title_for(bare, place.within(label: place.label || "x"))[/"[^"]*"|\d+/] || "'t#{number}'"} => { #{given.join(", ")} }"
        end
        defaults = one_of(3) ? ", { '#{pick(%w[noop tag loglevel])}' => #{pick(%w[true 'x' debug])} }" : ""
        ["create_resources('#{type}', { #{hash.join(", ")} }#{defaults})"]
      end

      def create_classes(place)
        definition = pick(place.kind == :top && (@classes - @included).any? ? @classes - @included : @classes)
        return resource(place) if @included.include?(definition) && !one_of(15)

        @included.concat(definition.lineage)
        ["create_resources('class', { '#{definition.name}' => { #{arguments(definition, place).map { |name, text| "'#{name}' => #{text}" }.join(", ")} } })"]
      end

      # Functions of Debian's stdlib.
      def library(place)
        title = title_for("notify", place.within(label: place.label || "s"))[/"[^"]*"/] || "'s#{number}'"
        [pick([
          "ensure_resource('notify', #{title}, { 'message' => #{value(:string, place, 1)} })", "ensure_packages(['vim', 'git'])", "ensure_packages(['vim'], { 'ensure' => 'present' })", "ensure_packages({ 'vim' => {} })",
          "ensure_resource('user', 'same', { 'ensure' => 'present' })", "ensure_resource('user', ['both', 'other'])", "ensure_resources('group', { 'all' => { 'ensure' => 'present' } })",
          "if defined_with_params(User['same'], { 'ensure' => 'present' }) { notify { #{title}: } }", "notify { #{title}: message => String(getparam(#{reference_to(place) || "Notify['n1']"}, 'message')) }",
          "notify { #{title}: message => pick_default($facts['none'], 'pd') }", "notify { #{title}: message => to_json(#{value(:hash, place, 1)}) }", "notify { #{title}: message => merge(#{value(:hash, place, 0)}, { 'm' => 1 })['m'] }"
        ])]
      end

      # Defined types and types of Debian's modules, and of stdlib.
      def debian(place)
        path = "/etc/m#{number}-#{place.label}"
        [pick([
          "concat { \"#{path}\": ensure => present, owner => 'root' } concat::fragment { \"part #{path}\": target => \"#{path}\", content => #{value(:string, place, 1)}, order => #{pick(%w['10' 1])} }",
          "file_line { \"#{path}\": path => '/etc/hosts', line => #{value(:string, place, 0)}, match => '^a' }",
          "ini_setting { \"#{path}\": ensure => present, path => '/etc/a.ini', section => 'a', setting => \"#{path}\", value => #{value(:string, place, 1)} }",
          "systemd::unit_file { \"m#{number}-#{place.label}.service\".regsubst('[^a-z0-9.-]', '', 'G'): content => #{value(:string, place, 1)}, enable => #{pick(%w[true false])} }",
          "systemd::dropin_file { \"#{number}.conf\": unit => 'a.service', content => #{value(:string, place, 1)} }", "stage { \"stage #{path}\": before => Stage['main'] }",
          "include stdlib::stages", "anchor { \"#{path}\": #{pick(["", "before => #{related(place)}"])} }", "Concat_file <| |> -> Concat_fragment <| |>"
        ])]
      end

      # What modules do again and again.
      def idiom(place)
        title = title_for("notify", place.within(label: place.label || "i"))[/"[^"]*"/] || "'i#{number}'"
        reference = reference_to(place) || some_class
        pick([
          ["unless defined(#{reference}) { notify { #{title}: } }"], ["if !defined(File[#{title}]) { @file { \"/i#{number}${#{title[1] == "$" ? "title" : "facts['role']"}}\": ensure => file } }"],
          ["Package <| |> -> Service <| |>"], ["Package <| tag == 'kit-package' |> -> Class['kit']", "include kit"], ["lookup('classes', Array[String], 'unique').include"],
          ["lookup('resources').each |$#{name = "t#{number}"}, $#{name}p| {", "  notify { \"${#{name}} #{name}#{place.label}\": * => $#{name}p }", "}"],
          ["[#{title}].each |Integer $index, String $value| { notify { \"${index} ${value}\": } }"], ["$#{name} = { 'a' => { 'message' => #{value(:string, place, 1)} } }", "$#{name}.each |$k, $v| { notify { \"#{name} ${k}#{place.label}\": * => $v } }"],
          ["if $facts['os']['family'] == 'Debian' and $facts['count'] =~ Integer[1] { notify { #{title}: message => $facts['os'].dig('release', 'major') } }"],
          ["[#{reference}] -> notify { #{title}: }", "Notify <| title == #{title} |> ~> #{reference}"], ["notify { #{title}: message => $facts['role'] ? { /^(w)(.*)/ => \"<${1}${2}>\", default => 'none' } }"],
          ["notify { #{title}: message => @(\"END\") }", "  text ${facts['role']}", "    more #{place.label}", "  | END"], ["contain kit", "Class['kit::config'] ~> notify { #{title}: }"],
          ["if #{value(:optional, place, 0)} =~ NotUndef { include kit::extra }"], ["$#{name} = with(1, 2) |$a, $b| { $a + $b }", "notify { #{title}: message => \"${#{name}}\" }"]
        ])
      end

      def tag(_place)
        ["tag('#{pick(%w[late extra own t::u])}'#{", 'second'" if one_of(4)})"]
      end

      def function(place)
        return kit(place) if @functions.empty?

        definition = pick(@functions)
        return resource(place) if place.kind == :function && @functions.index(definition) <= @functions.index(place.definition)

        ["#{definition.name}(#{definition.parameters.map { |name, kind| name == "id" ? "\"call #{number}#{place.label}\"" : value(kind, place, 1) }.join(", ")})"]
      end

      def kit(place)
        text = "\"kit #{number}#{place.label}\""
        [pick([
          "kit::declare(#{text}, 'one', 'two')", "kit::create('notify', { #{text} => { 'message' => #{value(:string, place, 1)} } })", "kit::create('kit::item', { #{text} => {} }, { 'size' => 1 })",
          "kit::create('notify', #{text}) |$t| { { 'message' => \"${t} #{interpolation(place)}\" } }", "kit::use('kit')", "kit::use(#{@classes.reject { |found| found.required.any? }.map { |found| "'#{found.name}'" }.join(", ")})",
          "kit_declare('notify', #{text})", "kit::setting { #{text}: value => #{any(place, 1)} }", "notify { #{text}: message => kit_where('role', 'title') }", "notify { #{text}: message => epp('kit/around.epp') }", "kit::item { #{text}: size => 2 }"
        ])]
      end

      def stages
        @staged = true
        ["stage { 'first': before => Stage['main'] }", "stage { 'last': require => Stage['main'] }"]
      end

      def schedule(place)
        return resource(place) if @scheduled || place.kind != :top

        @scheduled = true
        ["schedule { 'sometimes': period => daily, repeat => 2 }"]
      end

      def message(place)
        ["warning(\"#{interpolation(place)} #{number}\")"]
      end

      def mistake
        pick(MISTAKES)
      end
    end
  end
end
