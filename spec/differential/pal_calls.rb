# frozen_string_literal: true

module Differential
  # Calls of Puppet::Pal: each line is Ruby that both sides evaluate, see {PalWorld}.
  PAL_CALLS = <<~'RUBY'.lines(chomp: true).reject { |line| line.empty? || line.start_with?("#") }.freeze
    # Arguments of environments
    pal.in_tmp_environment(nil) { }
    pal.in_tmp_environment("") { }
    pal.in_tmp_environment(:name) { }
    pal.in_tmp_environment("a", modulepath: "x") { }
    pal.in_tmp_environment("a", modulepath: [""]) { }
    pal.in_tmp_environment("a", modulepath: nil) { }
    pal.in_tmp_environment("a")
    pal.in_tmp_environment("a", facts: {}) { |given| [given.equal?(pal), 12] }
    pal.in_tmp_environment("a", facts: {}) { |given| Puppet.lookup(:pal_env).to_s }
    pal.in_environment("a") { }
    pal.in_environment("a", env_dir: "x", envpath: "y") { }
    pal.in_environment("a", env_dir: "/nonexistent") { }
    pal.in_environment("a", envpath: "/nonexistent") { }
    pal.in_environment("a", envpath: "/nonexistent:/none") { }
    pal.in_environment("a", envpath: "/nonexistent")
    pal.in_environment("a", envpath: "/nonexistent", pre_modulepath: nil) { }
    pal.in_environment("a", envpath: "/nonexistent", post_modulepath: [1]) { }
    pal.in_environment("a", envpath: 1) { }
    pal.in_tmp_environment("a", facts: {"a" => nil, "b" => [{"c" => nil}]}) { |given| given.with_catalog_compiler { |c| c.evaluate_string("[$a, $b, $facts]") } }
    pal.in_environment("here", env_dir: environment, facts: {}) { Puppet.lookup(:pal_env).modulepath == ["#{environment}/modules"] }
    pal.in_environment("here", env_dir: environment, facts: {}) { |given| given.with_script_compiler { |c| c.call_function("here::twice", 4) } }
    pal.in_environment("here", env_dir: environment, modulepath: [], facts: {}) { |given| given.with_script_compiler { |c| c.call_function("here::twice", 4) } }
    pal.with_script_compiler { }
    pal.with_catalog_compiler { }
    # Arguments of compilers
    script(code_string: "1", manifest_file: "x") { }
    script(code_string: "") { }
    script(manifest_file: "") { }
    script(code_string: "1", configured_by_env: true) { }
    script(configured_by_env: 1) { }
    catalog(code_string: "1", manifest_file: "x") { }
    catalog(code_string: 1) { }
    catalog(manifest_file: "x", configured_by_env: true) { }
    # The code that comes first
    script(code_string: "$x = 1") { |c| c.evaluate_string("$x") }
    script(code_string: "$x = 1")
    script(code_string: "$x = ") { }
    script(code_string: "1 + 'a'") { }
    script(code_string: "1 2") { }
    script(code_string: "fail('x')") { }
    script(manifest_file: "/nonexistent.pp") { }
    script(manifest_file: "/") { }
    script(manifest_file: manifest("$x = 12")) { |c| c.evaluate_string("$x") }
    script(configured_by_env: true) { |c| c.evaluate_string("1") }
    catalog(code_string: "$x = ") { }
    catalog(code_string: "fail('x')") { }
    catalog(code_string: "notify { a: require => Notify[b] }") { }
    catalog(manifest_file: manifest("notify { a: }")) { |c| titles(c) }
    # Errors
    script { raise ArgumentError, "boo" }
    script { raise Puppet::Error, "boo" }
    script { raise Puppet::ParseError, "boo" }
    script { throw :out }
    script { |c| c.evaluate_string("fail('x')") }
    script { |c| c.evaluate_string("[$a, $b] = Class[foo]") }
    script { |c| c.evaluate_string("[$a, $b] = Class") }
    script { |c| c.evaluate_string("break()") }
    script { |c| c.evaluate_string("realize(1)") }
    script { |c| c.evaluate_string("[1].each |$x| { include foo }") }
    script { |c| c.evaluate_string("function f() { tagged('a') } f()") }
    script { |c| c.evaluate_string("function class() {}") }
    script { |c| c.evaluate_string("class 'a' {}") }
    script { |c| c.evaluate_string("\xEF\xBB\xBF1") }
    script(code_string: "\xEF\xBB\xBF1") { }
    script(code_string: "function class() {}") { }
    script(manifest_file: manifest("\xEF\xBB\xBF1")) { }
    catalog(code_string: "function class() {}") { }
    catalog(manifest_file: manifest("\xEF\xBB\xBF1")) { }
    script { |c| c.evaluate_string("function f() { $environment } f()") }
    script { |c| c.evaluate_string("$environment") }
    catalog { |c| c.evaluate_string("function f() { $environment } f()") }
    script { |c| c.evaluate_string("$x = ") }
    script { |c| c.evaluate_string("1 2") }
    script { |c| c.evaluate_string("notify { a: }") }
    script { |c| c.evaluate_string("nope()") }
    catalog { raise "boo" }
    catalog { |c| c.evaluate_string("1 + 'a'") }
    # Functions
    script { |c| c.call_function("abs", -1) }
    script { |c| c.call_function("map", [1, 2]) { |x| x + 1 } }
    script { |c| c.call_function("nope") }
    script { |c| c.call_function("") }
    script { |c| c.call_function(:abs, -1) }
    script { |c| c.call_function(nil) }
    script { |c| c.call_function("abs", "x", "y") }
    script { |c| c.call_function("stdlib::extname", "a.b") }
    script { |c| c.evaluate_string("function mine::f() { 12 }"); c.call_function("mine::f") }
    script { |c| c.function_signature("map").callables.map(&:to_s) }
    script { |c| c.function_signature("abs").callables.map(&:to_s) }
    script { |c| [[1], [1, 2], ["x"], [[]]].map { |args| c.function_signature("abs").callable_with?(args) } }
    script { |c| messages = []; [c.function_signature("map").callable_with?([1]) { |text| messages << text }, messages] }
    script { |c| messages = []; [c.function_signature("abs").callable_with?([[]]) { |text| messages << text }, messages] }
    script { |c| messages = []; [c.function_signature("stdlib::extname").callable_with?([1]) { |text| messages << text }, messages] }
    script { |c| c.function_signature("map").callable_with?([[1]], proc { |x| x }) }
    script { |c| c.function_signature("nope") }
    script { |c| c.list_functions(/\Aab/).uniq(&:to_s).map { |name| [name.class, name.to_s, name.name, name.type, name.name_authority.to_s, name.name_parts] } }
    script { |c| c.list_functions(/\Amysql::/).map(&:name).uniq.sort }
    # Code
    script { |c| [c.evaluate_string(nil), c.evaluate_string("")] }
    script { |c| c.evaluate_string(1) }
    script { |c| c.parse_string(nil) }
    script { |c| c.parse_string(:x) }
    script { |c| c.parse_string("$x = ", "<here>") }
    script { |c| c.parse_file(1) }
    script { |c| c.evaluate_file(manifest("[1, 2].map |$x| { $x * 2 }")) }
    script { |c| c.evaluate_file(manifest("1 +")[0..-4]) }
    script { |c| program = c.parse_string("1+2", "f.pp"); [program.source_text, program.source_ref, c.evaluate(program), c.evaluate(program)] }
    script { |c| [1, "abc", nil, [1]].map { |value| c.evaluate(value) } }
    script { |c| c.evaluate(c.parse_string("function mine::g() { 3 }")); c.call_function("mine::g") }
    script { |c| ["1", "'a'", "1.5", "true", "undef", "default", "abc", "a::b", "\"a\"", "{1=>2, [1]=>3}"].map { |code| c.evaluate_literal(c.parse_string(code)) } }
    script { |c| c.evaluate_literal(c.parse_string("/a.b/")) }
    script { |c| c.evaluate_literal(c.parse_string("$x")) }
    script { |c| c.evaluate_literal(c.parse_string("1 + 1")) }
    script { |c| c.evaluate_literal(c.parse_string("(1)")) }
    script { |c| c.evaluate_literal(c.parse_string("[$x]")) }
    script { |c| c.evaluate_literal(c.parse_string("\"a${1}\"")) }
    script { |c| c.evaluate_literal(c.parse_string("")) }
    script { |c| c.evaluate_literal(1) }
    script { |c| c.evaluate_literal(nil) }
    # Types
    script { |c| c.type("Integer[1,2]").to_s }
    script { |c| c.type("integer") }
    script { |c| c.type("Stdlib::Port").instance?(80) }
    script { |c| c.create("Integer", "0xFF", 16) }
    script { |c| c.create(c.type("Integer"), "12") }
    script { |c| c.create(12) }
    script { |c| c.create(nil) }
    script { |c| c.create("Integer", "x") }
    script { |c| c.create("Nope", "x") }
    # Variables
    script { |c| c.evaluate_string("[$trusted, $server_facts, $facts]") }
    script { |c| c.evaluate_string("$a") }
    script { |c| c.evaluate_string("$settings::strict") }
    script(set_local_facts: false) { |c| c.evaluate_string("$trusted") }
    script(facts: {"b" => 2}) { |c| c.evaluate_string("$facts") }
    script(variables: {"x" => 1}) { |c| c.evaluate_string("$x") }
    script(variables: {"x" => 1}) { |c| c.evaluate_string("$x = 2") }
    script(variables: {"x" => 1}, code_string: "$y = $x") { |c| c.evaluate_string("$y") }
    script(variables: {"x" => 1}, code_string: "$x = 5") { |c| c.evaluate_string("$x") }
    script(variables: {"a" => 1}) { |c| c.evaluate_string("$a") }
    script(variables: {"n::x" => 1, "::y" => 2}) { |c| c.evaluate_string("[$n::x, $y]") }
    script(variables: {"X y" => 1}) { }
    script(variables: {"x" => Object.new}) { }
    script(variables: {"x" => :symbol}) { }
    script(variables: {x: 1}) { }
    pal.in_tmp_environment("a", facts: {}, variables: {"x" => 1, "y" => 2}) { |given| given.with_script_compiler(variables: {"y" => 3}) { |c| c.evaluate_string("[$x, $y]") } }
    catalog { |c| c.evaluate_string("[$trusted, $server_facts, $facts, $environment, $a]") }
    catalog(target_variables: {"t" => 1, "a" => 5, "v" => 1}, variables: {"v" => 2, "a" => 9}) { |c| c.evaluate_string("[$t, $a, $v]") }
    # Compilers
    script { |c| [c.has_catalog?, c.class, Puppet.lookup(:pal_script_compiler).equal?(c), Puppet.lookup(:pal_compiler).equal?(c)] }
    script { Puppet.lookup(:pal_catalog_compiler) }
    script { |c| pal.with_script_compiler { |other| [c.equal?(other), Puppet.lookup(:pal_compiler).equal?(other)] } }
    script { [Puppet[:tasks], Puppet[:code], Puppet[:strict]] }
    catalog { |c| [c.has_catalog?, c.class, Puppet.lookup(:pal_catalog_compiler).equal?(c), Puppet.lookup(:pal_compiler).equal?(c), Puppet[:tasks]] }
    pal.in_tmp_environment("a", facts: {}) { |given| given.evaluate_script_string("1+1") }
    pal.in_tmp_environment("a", facts: {}) { |given| given.evaluate_script_manifest(manifest("1+1")) }
    # Catalogs
    catalog { |c| c.evaluate_string("notify { a: message => hi }"); titles(c) }
    catalog { |c| c.evaluate_string("define d() { notify { $title: } } d { z: }"); before = titles(c); c.compile_additions; [before, titles(c)] }
    catalog { |c| c.evaluate_string("notify { a: require => Notify[b] }"); c.evaluate_additions; titles(c) }
    catalog { |c| c.evaluate_string("notify { a: require => Notify[b] }"); c.compile_additions }
    catalog { |c| c.evaluate_string("notify { a: require => Notify[b] }"); c.validate }
    catalog(code_string: "node default { notify { n: } }") { |c| c.evaluate_ast_node; titles(c) }
    catalog(code_string: catalog_code) { |c| known(c.catalog_data_hash) }
    catalog(code_string: catalog_code) { |c| c.with_json_encoding { |e| known(JSON.parse(e.encode)) } }
    catalog(code_string: catalog_code) { |c| c.with_json_encoding(exclude_virtual: false) { |e| known(JSON.parse(e.encode)) } }
    catalog(code_string: catalog_code) { |c| c.with_json_encoding(pretty: false) { |e| [e.encode_resource("notify", "a"), e.encode_resource("Notify", "x"), e.pretty, e.exclude_virtual] } }
    catalog(code_string: catalog_code) { |c| c.with_json_encoding { |e| [e.encode_resource("class", "x"), e.encode_resource("Class", "X"), e.encode_resource("file", "/b"), e.encode_resource("d", "e")] } }
    catalog { |c| c.with_json_encoding { |e| e.encode_resource("notify", nil) } }
  RUBY

  # Where these calls are evaluated, on either side.
  class PalWorld
    # What is different in each catalog.
    IDENTITY = %w[version catalog_uuid].freeze

    CATALOG_CODE = <<~'PUPPET'
      notify { a: message => hi, tag => ['one', 'Two'] }
      define d(Integer $n, $rest = undef) { notify { "d-${title}": message => Sensitive("s${n}") } }
      class x { @file { '/b': require => Notify[a] } file { '/c': ensure => file, mode => '0644', before => [Notify[a], D[e]] } }
      include x
      d { e: n => 1, rest => { 'v' => SemVer('1.2.3'), 1 => /x/ } }
    PUPPET

    def initialize(directory)
      @directory = directory
      @files = 0
    end

    def evaluate(code)
      instance_eval(code, "call", 1)
    end

    def pal
      ::Puppet::Pal
    end

    def script(**options, &block)
      here { |given| given.with_script_compiler(**options, &block) }
    end

    def catalog(**options, &block)
      here { |given| given.with_catalog_compiler(**options, &block) }
    end

    def catalog_code
      CATALOG_CODE
    end

    # The path of a manifest with this code.
    def manifest(code)
      File.join(@directory, "#{@files += 1}.pp").tap { |path| File.write(path, code) }
    end

    def environment
      File.join(@directory, "here").tap do |root|
        FileUtils.mkdir_p("#{root}/modules/here/functions")
        File.write("#{root}/modules/here/functions/twice.pp", "function here::twice($x) { $x * 2 }")
      end
    end

    def titles(compiler)
      compiler.catalog_data_hash["resources"].map { |resource| [resource["type"], resource["title"]] }
    end

    # A catalog without what is different in each; sets are in order.
    def known(catalog)
      resources = catalog["resources"].map { |resource| resource.merge("tags" => resource["tags"].sort) }
      catalog.reject { |key, _| IDENTITY.include?(key) }.merge("tags" => catalog["tags"].sort, "resources" => resources)
    end

    private

    def here(&block)
      pal.in_tmp_environment("env1", modulepath: MODULEPATH, facts: {"a" => 1}, &block)
    end
  end
end
