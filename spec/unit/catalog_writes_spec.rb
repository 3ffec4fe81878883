# frozen_string_literal: true

require "tmpdir"

# Writes of functions in Ruby to the catalog and to scopes. The expected answers are Puppet 8.11's.
RSpec.describe "Writes of functions" do
  SITE = <<~PUPPET
    $v = 'V'
    Notify { withpath => true }
    notify { ['a', 'b']: message => "m${v}" }
    $list = ['q']
    notify { 'list': message => $list }
    @notify { 'virtual': }
    define d($p = 'default') { notify { "d-${title}": message => "p=${p}" } }
    d { 'one': p => 'first' }
    class k($secret = 'x') { IN_CLASS notify { 'in': } }
    include k
    AT_TOP
    notify { 'later': message => 'z' }
  PUPPET
  NOOP = "def scope.lookupdefaults(type) super.merge(noop: Puppet::Parser::Resource::Param.new(name: :noop, value: true, " \
         "source: source)) end"
  DECLARE = "added = Puppet::Parser::Resource.new('notify', 'new', scope: scope, source: scope.source); added[:message] = 'x'; "

  around { |example| Dir.mktmpdir { |directory| (@directory = directory) && example.run } }

  # Compiles {SITE} with a function that runs some code.
  def data(code, in_class: false)
    path = "#{@directory}/m/lib/puppet/functions/m"
    FileUtils.mkdir_p(path)
    File.write("#{path}/write.rb", <<~RUBY)
      Puppet::Functions.create_function(:'m::write', Puppet::Functions::InternalFunction) do
        dispatch(:write) { scope_param }
        def write(scope)
          found = ->(reference) { scope.catalog.resource(reference) }
          #{code}
          nil
        end
      end
    RUBY
    site = SITE.sub("IN_CLASS", in_class ? "m::write()" : "").sub("AT_TOP", in_class ? "" : "m::write()")
    runtime = Puppetfn::Runtime.new(modulepath: [@directory], node: "web")
    runtime.evaluate_string(site, "site.pp")
    runtime.catalog.to_data_hash
  end

  def resources(code, **options)
    data(code, **options)["resources"].to_h { |resource| ["#{resource["type"]}[#{resource["title"]}]", resource] }
  end

  def parameters(code, reference, **options)
    resources(code, **options).fetch(reference)["parameters"]
  end

  # Code, a resource, and the resource's parameters.
  {
    'found["Notify[a]"].parameters[:message].value = "new"' => ["Notify[b]", {"message" => "new", "withpath" => true}],
    'found["Notify[a]"][:message] = "new"' => ["Notify[b]", {"message" => "mV", "withpath" => true}],
    'param = found["Notify[a]"].parameters[:message].dup; param.value = "new"' => ["Notify[a]", {"message" => "mV", "withpath" => true}],
    'found["Notify[a]"].parameters.delete(:message)' => ["Notify[a]", {"withpath" => true}],
    'found["Notify[a]"].delete(:message)' => ["Notify[a]", {"withpath" => true}],
    'found["Notify[a]"].parameters[:noop] = Puppet::Parser::Resource::Param.new(name: :noop, value: true, source: scope.source)' =>
      ["Notify[a]", {"message" => "mV", "withpath" => true, "noop" => true}],
    'found["Notify[list]"][:message] << "more"' => ["Notify[list]", {"message" => %w[q more], "withpath" => true}],
    'found["Notify[a]"].to_hash[:message] << "!"' => ["Notify[a]", {"message" => "mV!", "withpath" => true}],
    'found["Notify[a]"].instance_variable_get(:@parameters).clear' => ["Notify[a]", nil],
    'found["D[one]"][:p] = "changed"' => ["Notify[d-one]", {"message" => "p=changed", "withpath" => true}],
    'found["D[one]"].parameters.delete(:p)' => ["Notify[d-one]", {"message" => "p=default", "withpath" => true}],
    'scope.define_settings("Notify", Puppet::Parser::Resource::Param.new(name: :noop, value: true, source: scope.source))' =>
      ["Notify[later]", {"message" => "z", "withpath" => true, "noop" => true}],
    'Array(scope.lookupdefaults("Notify")).each { |name, param| found["Notify[a]"][:message] = "#{name}=#{param.value}" }' =>
      ["Notify[a]", {"message" => "withpath=true", "withpath" => true}],
    'found["Notify[a]"].tap { |notify| notify[:noop] = true }.prune_parameters' => ["Notify[a]", {"message" => "mV"}],
    'found["Notify[a]"].prune_parameters(parameters_to_include: [:withpath])' =>
      ["Notify[a]", {"message" => "mV", "withpath" => true}],
    # As in Puppet, a parameter with any value is present.
    'found["Notify[a]"].tap { |notify| notify[:message] = "absent" }.prune_parameters' => ["Notify[a]", {"message" => "absent"}],
    "#{DECLARE}scope.compiler.add_resource(scope, added); added[:message] = 'late'" =>
      ["Notify[new]", {"message" => "late", "withpath" => true}],
    NOOP => ["Notify[d-one]", {"message" => "p=first", "withpath" => true, "noop" => true}]
  }.each do |code, (reference, expected)|
    it "has #{expected.inspect} in #{reference} after `#{code}`" do
      expect(parameters(code, reference)).to eq(expected)
    end
  end

  # Code, a resource, an attribute of it and the attribute's value.
  {
    'found["Notify[a]"].tags = "x, y::z"' => ["Notify[a]", "tags", %w[x y::z y z class]],
    'found["Notify[a]"].tag("w")' => ["Notify[a]", "tags", %w[notify a w class]],
    'found["Notify[a]"].line = 77' => ["Notify[a]", "line", 77],
    'found["Notify[a]"].file = "/nix"' => ["Notify[a]", "file", "/nix"],
    'found["Notify[a]"].sensitive_parameters = [:message]' => ["Notify[a]", "sensitive_parameters", %w[message]],
    'found["Notify[a]"][:message] = Puppet::Pops::Types::PSensitiveType::Sensitive.new("s")' =>
      ["Notify[a]", "sensitive_parameters", %w[message]],
    'found["Notify[a]"].tap { |notify| notify[:message] = Puppet::Pops::Types::PSensitiveType::Sensitive.new("s") }.finish' =>
      ["Notify[a]", "sensitive_parameters", %w[message]],
    'found["Notify[a]"].tap(&:finish_evaluation).tag("w")' => ["Notify[a]", "tags", %w[notify a class w]],
    "#{DECLARE}scope.catalog.add_resource(added)" => ["Notify[new]", "tags", %w[notify new]],
    "#{DECLARE}scope.compiler.add_resource(scope, added)" => ["Notify[new]", "tags", %w[notify new class]]
  }.each do |code, (reference, attribute, expected)|
    it "has the #{attribute} #{expected.inspect} after `#{code}`" do
      expect(resources(code).fetch(reference)[attribute]).to eq(expected)
    end
  end

  it "leaves out what became virtual, and has what became real" do
    expect(resources('found["Notify[a]"].virtual = true; found["Notify[virtual]"].virtual = false').keys)
      .to include("Notify[virtual]").and not_include("Notify[a]")
    expect(resources('found["Notify[a]"].exported = true')).not_to include("Notify[a]")
    expect(resources('found["Notify[a]"].instance_variable_set(:@virtual, true)')).not_to include("Notify[a]")
    expect(resources('found["D[one]"].evaluated = true')).not_to include("Notify[d-one]")
  end

  it "has edges, classes and attributes that functions add, and no edges of resources that they add to the catalog alone" do
    edge = {"source" => "Class[K]", "target" => "Notify[a]"}
    expect(data('scope.catalog.add_edge(found["Class[k]"], found["Notify[a]"])')["edges"]).to include(edge)
    expect(data('scope.catalog.add_class("extra")')["classes"]).to eq(%w[settings k extra])
    expect(data('scope.catalog.version = "v1"')["version"]).to eq("v1")
    targets = ->(code) { data(code)["edges"].map { |found| found["target"] } }
    expect(targets.("#{DECLARE}scope.catalog.add_resource(added)")).not_to include("Notify[new]")
    expect(targets.("#{DECLARE}scope.compiler.add_resource(scope, added)")).to include("Notify[new]")
  end

  it "changes parameters of the class around, as node_encrypt's redact does" do
    found = resources("scope.resource.parameters[:secret].value = '<<redacted>>'", in_class: true)
    expect(found["Class[K]"]["parameters"]).to eq("secret" => "<<redacted>>")
  end

  it "asks the scope that has methods of its own, and only it and those within it" do
    found = resources(NOOP, in_class: true)
    expect(found["Notify[in]"]["parameters"]).to eq("withpath" => true, "noop" => true)
    expect(found["Notify[later]"]["parameters"]).to eq("message" => "z", "withpath" => true)
    expect(found["Notify[d-one]"]["parameters"]).to eq("message" => "p=first", "withpath" => true)
  end

  # As newer versions of trlinkin/noop define it.
  KEEPING = <<~RUBY
    def scope.lookupdefaults(type)
      super.merge(noop: @defaults[type][:noop] = Puppet::Parser::Resource::Param.new(name: :noop, value: true, source: source))
    end
  RUBY

  it "keeps the defaults that such a method writes to the scope, which overrides are compared with" do
    expect(parameters(KEEPING, "Notify[in]", in_class: true)).to eq("withpath" => true, "noop" => true)
    expect(parameters(KEEPING, "Notify[later]", in_class: true)).to eq("message" => "z", "withpath" => true)
    override = "#{KEEPING}scope.compiler.add_override(Puppet::Parser::Resource.new('notify', 'later', scope: scope, source: scope.source, " \
               "parameters: [Puppet::Parser::Resource::Param.new(name: :noop, value: false, source: scope.source)]))"
    expect(parameters(override, "Notify[later]")).to eq("message" => "z", "withpath" => true, "noop" => false)
    again = "#{KEEPING}scope.lookupdefaults('Notify'); scope.define_settings('Notify', " \
            "Puppet::Parser::Resource::Param.new(name: :noop, value: false, source: scope.source))"
    expect { data(again) }.to raise_error(/Default already defined for Notify \{ noop \}/)
    expect { data("#{KEEPING}def scope.forget = @defaults['Notify'].clear; scope.forget") }
      .to raise_error(/not available|clear/)
  end

  # Mutating methods of Puppet's classes that puppetfn refuses.
  {
    'found["Notify[a]"]' => %w[source= scope= kind= resource_type= environment= catalog= evaluate add_edge_to_stage set_tags],
    "scope.catalog" => %w[add_resource_after add_resource_before add_vertex alias apply clear create_resource environment=
                          environment_instance= finalize metadata= recursive_metadata= remove_vertex! set_tags tags=
                          write_class_file write_graph write_resource_file],
    "scope.compiler" => %w[add_catalog_validator add_catalog_validators add_collection add_relationship delete_collection
                           evaluate_node_classes evaluate_relationships newscope],
    "scope" => %w[class_set ephemeral_from merge_settings new_ephemeral newscope parent= pop_ephemerals push_ephemerals resource=
                  set_match_data source=]
  }.each do |receiver, names|
    it "refuses what it cannot honour of #{receiver}" do
      names.each do |name|
        argument = "nil" if name.end_with?("=")
        expect { data("#{receiver}.public_send(:#{name}, *[#{argument}])") }.to raise_error(/not available|undefined method/), name
      end
    end
  end

  it "refuses methods of a scope that code would have to be evaluated with, and writes after a function has ended" do
    expect { data("def scope.lookupvar(name) = 1") }.to raise_error(/The method lookupvar of one scope/)
    expect { data("scope.extend(Module.new { def setvar(*) = 1 })") }.to raise_error(/The method setvar of one scope/)
    expect { data("scope.catalog.instance_variable_set(:@classes, [])") }.to raise_error(/@classes/)
    expect { data('$kept&.store(:a, 1); $kept = found["Notify[a]"].parameters') }.not_to raise_error
    expect { data("$kept.clear") }.to raise_error(/can't modify frozen Hash/)
  ensure
    $kept = nil
  end

  RSpec::Matchers.define_negated_matcher :not_include, :include
end
