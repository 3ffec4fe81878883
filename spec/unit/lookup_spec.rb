# frozen_string_literal: true

require_relative "../support/module_tree"

RSpec.describe "data by keys" do
  include ModuleTree

  files = {
    "env/hiera.yaml" => <<~YAML,
      version: 5
      hierarchy:
        - name: Keys
          lookup_key: app::key
        - name: Files
          paths: ["%{facts.role}.yaml", common.yaml]
    YAML
    "env/data/web.yaml" => "lookup_options: {tags: {merge: unique}}\ntags: [web]\nport: 8080\n",
    "env/data/common.yaml" => "tags: [all, web]\nport: 80\nhost: \"%{lookup('port')} on %{facts.role}\"\n",
    "env/broken.yaml" => "version: 5\nhierarchy: 1\n",
    "global.yaml" => "version: 5\nhierarchy: [{name: Global, path: global.yaml}]\n",
    "data/global.yaml" => "where: global\n",
    "modules/app/hiera.yaml" => "version: 5\n",
    "modules/app/data/common.yaml" => "app::port: 1\nother: 2\n",
    "modules/app/lib/puppet/functions/app/key.rb" => <<~RUBY
      Puppet::Functions.create_function(:"app::key") do
        dispatch :key do
          param "String[1]", :key
          param "Hash[String[1], Any]", :options
          param "Puppet::LookupContext", :context
        end

        def key(key, options, context)
          return context.not_found unless key.start_with?("made_")
          context.explain { "made for \#{key}" }
          raise "no" if key == "made_wrong"
          return asked(context.invocation) if key == "made_invocation"
          context.cached_value(key) || context.cache(key, [context.module_name, context.interpolate("%{facts.role}")])
        end

        def asked(invocation)
          found = Puppet::Pops::Lookup.lookup("port", nil, nil, false, nil, invocation)
          [invocation.class.name, invocation.scope["role"], invocation.override_values, invocation.explainer.nil?,
           invocation.explain_options?, invocation.with(:data, "x") { 1 }, invocation.report_found("x", 2), found]
        end
      end
    RUBY
  }

  around do |example|
    with_modules(files) do |root|
      @root = root
      @runtime = Puppetfn::Runtime.new(environment: "#{root}/env", modulepath: ["#{root}/modules"], facts: {"role" => "web"},
                                       hiera_config: "#{root}/global.yaml")
      example.run
    end
  end

  attr_reader :runtime, :root

  def lookup(...) = runtime.call_function("lookup", ...)

  it "is found in the layers, from Ruby and from Puppet code" do
    expect([lookup("where"), lookup("port"), lookup("app::port")]).to eq(["global", 8080, 1])
    expect(runtime.evaluate_string("lookup('host')")).to eq("8080 on web")
    expect(lookup("tags")).to eq(%w[web all])
    expect(lookup("none") { |key| "no #{key}" }).to eq("no none")
  end

  it "is given by functions in Ruby, which get a context" do
    expect(lookup("made_up")).to eq([nil, "web"])
    expect(runtime.explain_lookup("made_too")).to include('Hierarchy entry "Keys"', "made for made_too")
    expect(runtime.evaluate_string("lookup('made_invocation')"))
      .to eq(["Puppet::Pops::Lookup::Invocation", "web", {}, true, false, 1, 2, 8080])
    expect { runtime.evaluate_string("lookup('made_wrong')") }.to raise_error(Puppet::PreformattedError, /Function Call, no \(line: 1/)
  end

  it "raises Puppet's errors" do
    expect { lookup("none") }.to raise_error(Puppet::DataBinding::LookupError, "Function lookup() did not find a value for the name 'none'")
    expect { lookup("port", runtime.type("String")) }.to raise_error(/Found value has wrong type, expects a String value, got Integer/)
  end

  it "warns of keys that a module cannot have" do
    lookup("app::port")
    expect(runtime.logs.to_a.last.last).to match(/\AModule 'app': Value returned from data_hash function .* got other\z/)
  end

  it "is explained" do
    expect(runtime.explain_lookup("port", merge: "first").lines.last(3).map(&:strip))
      .to eq(["Path \"#{root}/env/data/web.yaml\"", 'Original path: "%{facts.role}.yaml"', 'Found key: "port" value: 8080'])
  end

  it "becomes the parameters of classes" do
    runtime = Puppetfn::Runtime.new(environment: "#{root}/env", modulepath: ["#{root}/modules"], node: "a")
    runtime.evaluate_string("class app($port = 5, $name_of = 'x') { notice(\"${port} ${name_of}\") } include app")
    expect(runtime.logs.to_a.last).to eq([:notice, "1 x"])
  end
end
