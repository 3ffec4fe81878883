# frozen_string_literal: true

require_relative "../support/module_tree"

RSpec.describe Puppetfn::Catalog do
  include ModuleTree

  files = {
    "own/manifests/init.pp" => "class own($message = 'hi') { notify { 'own': message => $message } }",
    "own/manifests/thing.pp" => "define own::thing($size = 1) { own::tell(\"in ${title}\") }",
    # As the functions of modules do these things.
    "own/lib/puppet/functions/own/tell.rb" => <<~RUBY,
      Puppet::Functions.create_function(:'own::tell', Puppet::Functions::InternalFunction) do
        dispatch(:tell) { scope_param; param 'String', :title; optional_param 'Hash', :parameters }
        def tell(scope, title, parameters = {})
          resource = Puppet::Parser::Resource.new('notify', title, scope: scope, source: scope.source)
          parameters.each { |name, value| resource.set_parameter(name, value) }
          scope.compiler.add_resource(scope, resource)
          [resource.ref, scope.resource.to_s]
        end
      end
    RUBY
    "own/lib/puppet/functions/own/seen.rb" => <<~RUBY,
      Puppet::Functions.create_function(:'own::seen') do
        dispatch(:seen) { param 'String', :type; param 'String', :title; param 'String', :name }
        def seen(type, title, name)
          resource = closure_scope.findresource(type, title) and resource[name]
        end
      end
    RUBY
    "own/lib/puppet/functions/own/give.rb" => <<~RUBY,
      Puppet::Functions.create_function(:'own::give') do
        dispatch(:give) { param 'String', :reference; param 'String', :name; param 'Any', :value }
        def give(reference, name, value)
          closure_scope.catalog.resource(reference).set_parameter(name, value)
        end
      end
    RUBY
    "own/lib/puppet/functions/own/replace.rb" => <<~RUBY,
      Puppet::Functions.create_function(:'own::replace', Puppet::Functions::InternalFunction) do
        dispatch(:replace) { scope_param; param 'String', :title; param 'String', :message }
        def replace(scope, title, message)
          found = scope.catalog.resource('Notify', title)
          scope.catalog.remove_resource(found)
          resource = Puppet::Parser::Resource.new('notify', title, scope: scope, source: scope.source)
          resource[:message] = message
          resource.tag('replaced', ['own::kept'])
          scope.compiler.add_resource(scope, resource)
        end
      end
    RUBY
    "own/lib/puppet/functions/own/reference.rb" => <<~RUBY,
      Puppet::Functions.create_function(:'own::reference') do
        dispatch(:reference) { param 'String', :title }
        def reference(title) = Puppet::Resource.new('Notify', title)
      end
    RUBY
    "own/lib/puppet/parser/functions/own_ensure.rb" => <<~RUBY,
      Puppet::Parser::Functions.newfunction(:own_ensure, type: :statement) do |arguments|
        type, title, parameters = arguments
        unless findresource("\#{type.capitalize}[\#{title}]")
          Puppet::Parser::Functions.function(:create_resources)
          function_create_resources([type.capitalize, {title => parameters}])
        end
      end
    RUBY
    "own/lib/puppet/parser/functions/own_include.rb" => <<~RUBY
      Puppet::Parser::Functions.newfunction(:own_include, type: :rvalue) do |arguments|
        compiler.evaluate_classes(arguments, self, false).map(&:to_s)
      end
    RUBY
  }

  around { |example| with_runtime(files, node: "web") { |runtime| @runtime = runtime; example.run } }

  attr_reader :runtime

  def evaluate(code) = runtime.evaluate_string(code, "/site.pp")

  def notify(title) = runtime.catalog.resource("Notify", title)

  it "can have a resource replaced, and tagged" do
    evaluate("notify { 'n': message => 'old', alias => 'm' }\nown::replace('n', 'new')")

    expect(runtime.catalog.resource_keys.count(["Notify", "n"])).to eq(1)
    expect(notify("n")[:message]).to eq("new")
    expect(notify("m")).to be_nil
    expect(notify("n").tags).to include("replaced", "own::kept", "own", "kept")
    expect(runtime.catalog.edges.map(&:to_s)).to eq(["Stage[main] => Class[Settings]", "Stage[main] => Class[main]",
                                                      "Class[main] => Notify[n]"])

    notify("n").tag("more")
    expect(notify("n")).to be_tagged("more")
    expect { notify("n").tag("not a tag") }.to raise_error(Puppet::ParseError, "Invalid tag 'not a tag'")

    removed = notify("n")
    2.times { runtime.catalog.remove_resource(removed) }
    expect(runtime.catalog.resource_keys).not_to include(["Notify", "n"])
    expect { removed[:message] }.to raise_error(Puppet::Error, "Could not find resource 'Notify[n]'")
  end

  it "has what code declares, with parameters, tags and places" do
    evaluate("class a {\n  notify { 'n': message => 'hi', tag => 'extra' }\n}\ninclude a")
    resource = notify("n")

    expect([resource.type, resource.title, resource.to_s, resource.name]).to eq(["Notify", "n", "Notify[n]", "n"])
    expect(resource.to_hash).to eq(name: "n", message: "hi", tag: "extra")
    expect([resource["message"], resource[:message], resource[:withpath]]).to eq(["hi", "hi", nil])
    expect(resource.tags).to contain_exactly("notify", "n", "extra", "class", "a")
    expect([resource.file, resource.line]).to eq(["/site.pp", 2])
    expect(resource).to be_tagged("a").and(satisfy { |found| !found.virtual? && !found.exported? })
  end

  it "has the edges of what contains what, the classes and the node" do
    evaluate("class a { notify { 'n': } } include a")
    catalog = runtime.catalog

    expect(catalog.edges.map(&:to_s)).to eq(["Stage[main] => Class[Settings]", "Stage[main] => Class[main]",
      "Stage[main] => Class[A]", "Class[A] => Notify[n]"])
    expect([catalog.classes, catalog.name, catalog.environment]).to eq([%w[settings a], "web", "production"])
    expect(catalog.map(&:to_s)).to include("Class[A]", "Notify[n]")
  end

  it "is completed: defined types, collectors and overrides" do
    evaluate("define d($x) { notify { $title: message => $x } } d { 'v': x => 1 }\n" \
             "@notify { 'w': } Notify <| title == 'w' |> { message => 'collected' }")

    expect([notify("v")["message"], notify("w")["message"], notify("w").virtual?]).to eq([1, "collected", false])
  end

  it "is not there for scripts" do
    expect { Puppetfn::Runtime.new(node: nil).catalog }
      .to raise_error(Puppetfn::UnavailableError, /\AThe catalog is not available: .*Runtime.new\(node: "web"\)/)
  end

  it "has references among parameters as Puppet has them" do
    evaluate("notify { 'a': } notify { 'b': require => Notify['a'] }")

    expect(notify("b")["require"]).to eq(Puppet::Resource.new("Notify", "a"))
  end

  describe "for functions" do
    it "takes resources" do
      expect(evaluate("own::tell('t', {'message' => 'x'})")).to eq(["Notify[t]", "Class[main]"])
      expect(notify("t").to_hash).to eq(name: "t", message: "x")
    end

    it "takes resources where they are called, which only say where they are from if the function does" do
      evaluate("own::thing { 'one': }\nclass a {\n\n  own::tell('two') }\ninclude a")
      edges = runtime.catalog.edges.map(&:to_s)

      expect(edges).to include("Own::Thing[one] => Notify[in one]", "Class[A] => Notify[two]")
      expect([notify("two").file, notify("two").line]).to eq([nil, nil])
      expect(notify("two")).to be_tagged("a")
    end

    it "gives the values of parameters, while the catalog is made" do
      expect(evaluate("notify { 'n': message => 'hi' } own::seen('notify', 'n', 'message')")).to eq("hi")
      expect(evaluate("own::seen('Notify', 'other', 'message')")).to be_nil
    end

    it "lets parameters be set" do
      evaluate("notify { 'n': message => 'hi' } own::give('Notify[n]', 'message', 'bye')")

      expect(notify("n")["message"]).to eq("bye")
    end

    it "gives code the references that they return as types" do
      expect(evaluate("notify { 'n': message => 'hi' } own::reference('n')['message']")).to eq("hi")
    end

    it "has Puppet's own functions for those of the 3.x API" do
      evaluate("own_ensure('notify', 'n', {'message' => 1}) own_ensure('notify', 'n', {'message' => 2})")

      expect(notify("n")["message"]).to eq(1)
    end

    it "evaluates classes" do
      expect(evaluate("own_include('own')")).to eq(["Class[Own]"])
      expect(notify("own")["message"]).to eq("hi")
    end

    it "is there when they are called from Ruby" do
      runtime.call_function("create_resources", "notify", {"n" => {"message" => "x"}})
      runtime.call_function("own_ensure", "notify", "m", {"message" => "y"})
      runtime.call_function("include", "own")

      expect([notify("n")["message"], notify("m")["message"], notify("own")["message"]]).to eq(%w[x y hi])
    end
  end

  describe "without some resources" do
    let(:catalog) do
      runtime.compile(<<~PUPPET)
        class a { notify { 'a': } @notify { 'virtual': } }
        include a
        @@notify { 'exported': tag => 't' }
        file { '/secret': content => Sensitive('s3cret') }
      PUPPET
    end

    it "has copies of the others, and neither virtual resources nor their edges" do
      kept = catalog.filter { |resource| resource.ref == "Class[Settings]" }
      expect(kept.resources.map(&:ref)).to contain_exactly("Stage[main]", "Class[main]", "Class[A]", "Notify[a]", "Notify[exported]", "File[/secret]")
      expect(kept.edges.map(&:to_s)).to contain_exactly("Stage[main] => Class[main]", "Stage[main] => Class[A]", "Class[A] => Notify[a]",
                                                        "Class[main] => Notify[exported]", "Class[main] => File[/secret]")
      expect([kept.resource("Class", :main).ref, kept.resource("Class", "Settings"), kept.resource("Notify", "virtual")]).to eq(["Class[main]", nil, nil])
      expect(kept.to_ral.resources.map(&:ref)).to include("Class[Main]").and include("Notify[exported]")
    end

    it "has all attributes of the copies" do
      exported, secret = [%w[Notify exported], %w[File /secret]].map { |type, title| catalog.to_resource.resource(type, title) }
      expect([exported.exported?, exported.virtual?, exported.kind, exported.line]).to eq([true, true, "compilable_type", 3])
      expect(exported.tags.to_a).to contain_exactly("class", "notify", "exported", "t")
      expect([secret.sensitive_parameters, secret.to_hash]).to eq([[:content], {path: "/secret", content: "s3cret"}])
      expect([secret.inspect, secret.to_manifest].join).not_to include("s3cret")
    end
  end

  describe "what is wrong" do
    it "is said in Puppet's words for duplicates" do
      evaluate("notify { 'n': }")

      expect { evaluate("\nnotify { 'n': }") }.to raise_error(Puppet::PreformattedError,
        "Evaluation Error: Error while evaluating a Resource Statement, Duplicate declaration: Notify[n] is already " \
        "declared at (file: /site.pp, line: 1); cannot redeclare (file: /site.pp, line: 2) " \
        "(file: /site.pp, line: 2, column: 1)")
      expect { evaluate("own::tell('n')") }.to raise_error(Puppet::PreformattedError,
        "Evaluation Error: Error while evaluating a Function Call, Duplicate declaration: Notify[n] is already " \
        "declared at (file: /site.pp, line: 1); cannot redeclare (file: /site.pp, line: 1, column: 1)")
      expect { runtime.call_function("create_resources", "notify", {"n" => {}}) }.to raise_error(Puppet::Resource::Catalog::DuplicateResourceError,
        "Duplicate declaration: Notify[n] is already declared at (file: /site.pp, line: 1); cannot redeclare")
    end

    it "is said in Puppet's words for classes and types that are not there" do
      expect { runtime.call_function("include", "nosuch") }
        .to raise_error(Puppet::Error, "Could not find class ::nosuch for web")
      expect { runtime.call_function("own_include", "nosuch") }
        .to raise_error(Puppet::Error, "Could not find class nosuch for web")
      expect { runtime.call_function("create_resources", "nosuch", {"n" => {}}) }
        .to raise_error(ArgumentError, "Unknown resource type: 'nosuch'")
    end
  end

  describe "the class of the top level" do
    it "is included and contained as `::`, and is declared" do
      evaluate("class k { include '::' contain '::' } include k")
      data = runtime.catalog.to_data_hash
      expect(data["edges"]).to include({"source" => "Class[K]", "target" => "Class[main]"})
      expect(data["classes"]).to eq(%w[settings k])
      expect(evaluate("defined('::')")).to be(true)
      expect { evaluate("include ':::'") }.to raise_error(/Could not find class :::/)
    end
  end
end
