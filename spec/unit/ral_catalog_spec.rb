# frozen_string_literal: true

require_relative "../support/module_tree"

# Resources as instances of their types, and which come before which.
RSpec.describe Puppetfn::RalCatalog do
  include ModuleTree

  def ral(code, **options)
    Puppetfn::Runtime.new(node: "web", facts: {"os" => {"name" => "Debian", "family" => "Debian"}}, **options).compile(code).to_ral
  end

  describe "instances" do
    it "have values that are munged, and defaults" do
      file = ral("file { '/etc/motd/': mode => '644', content => 'hi', backup => '.old' }").resource("File[/etc/motd]")

      expect(file.to_hash).to include(path: "/etc/motd", mode: "0644", ensure: :file, links: :manage, backup: ".old", replace: true)
      expect(file[:content]).to eq("{sha256}8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4")
      expect([file.title, file.ref, file[:name], file.line]).to eq(["/etc/motd/", "File[/etc/motd/]", "/etc/motd", 1])
      expect(file.provider.class.name).to eq(:posix)
    end

    {
      "file { '/a': mode => 644 }" =>
        "Parameter mode failed on File[/a]: The file mode specification must be a string, not 'Integer' (line: 1)",
      "file { '/a': recurse => remote }" =>
        "Validation of File[/a] failed: You cannot specify a remote recursion without a source (line: 1)",
      "file { 'a': }" => "Parameter path failed on File[a]: File paths must be fully qualified, not 'a' (line: 1)",
      "service { 'a': ensure => 'runing' }" =>
        "Parameter ensure failed on Service[a]: Invalid value \"runing\". Valid values are stopped, running. (line: 1)",
      "exec { 'ls': }" => "Validation of Exec[ls] failed: 'ls' is not qualified and no path was specified. " \
                          "Please qualify the command or specify a path. (line: 1)",
      "user { 'a': groups => ['b,c'] }" => "Parameter groups failed on User[a]: Group names must be provided as an array, " \
                                           "not a comma-separated list. (line: 1)",
      "package { 'a': mark => hold, ensure => absent }" => "Validation of Package[a] failed: You cannot use \"mark\" property " \
                                                           "while \"ensure\" is one of [\"absent\", \"purged\"] (line: 1)",
      "package { 'a': provider => 'nope' }" => "Parameter provider failed on Package[a]: Invalid package provider 'nope' (line: 1)",
      "schedule { 'a': range => '25 - 4' }" =>
        "Parameter range failed on Schedule[a]: Munging failed for value \"25 - 4\" in class range: Invalid hour '25' (line: 1)"
    }.each do |code, message|
      it "are refused as Puppet does: #{code}" do
        expect { ral(code) }.to raise_error(Puppet::ResourceError, message)
      end
    end

    it "are those of modules' types, with their own validation and providers" do
      files = {
        "shop/lib/puppet/type/article.rb" => <<~RUBY,
          Puppet::Type.newtype(:article) do
            feature :sellable, "It can be sold."
            ensurable
            newparam(:name, namevar: true) { munge(&:upcase) }
            newparam(:fragile, boolean: true, parent: Puppet::Parameter::Boolean) { defaultto false }
            newproperty(:tags, array_matching: :all) { validate { |tag| raise ArgumentError, "no tag" if tag == "" } }
            newproperty(:buyer, required_features: :sellable)
            newproperty(:price) do
              munge { |value| Integer(value) }
              defaultto { @resource[:fragile] ? 2 : 1 }
            end
            validate { raise ArgumentError, "too dear" if self[:price] > 9 }
            autorequire(:file) { "/shops/\#{self[:name]}" }
          end
        RUBY
        "shop/lib/puppet/provider/article/corner.rb" => "Puppet::Type.type(:article).provide(:corner) {}"
      }
      with_modules(files) do |root|
        code = "article { 'a': fragile => 'yes', tags => ['x', 'y'], buyer => 'joe' } file { '/shops/A': }"
        catalog = ral(code, modulepath: [root])
        article = catalog.resource(:article, "a")

        expect(article.to_hash).to eq(
          name: "A", provider: :corner, ensure: :present, fragile: true, tags: %w[x y], price: 2, loglevel: :notice
        )
        expect([article.fragile?, article.property(:buyer), article.should(:ensure)]).to eq([true, nil, :present])
        expect(catalog.resource("Article", "A")).to equal(article)
        edges = catalog.relationship_graph.edges.select { |edge| edge.target.equal?(article) }.map(&:to_s)
        expect(edges).to include("File[/shops/A] => Article[a]")

        expect { ral("article { 'a': price => '10' }", modulepath: [root]) }
          .to raise_error(Puppet::ResourceError, "Validation of Article[a] failed: too dear (line: 1)")
        expect { ral("article { 'a': price => 'x' }", modulepath: [root]) }.to raise_error(
          Puppet::ResourceError,
          "Parameter price failed on Article[a]: Munging failed for value \"x\" in class price: " \
          "invalid value for Integer(): \"x\" (line: 1)"
        )
      end
    end

    it "have default values from their turn on, and each its own values" do
      files = {
        "shop/lib/puppet/type/article.rb" => <<~RUBY
          Puppet::Type.newtype(:article) do
            newparam(:name, namevar: true)
            newparam(:early) { defaultto :yes }
            newparam(:seen) { defaultto { [@resource[:early], @resource[:late], @resource.parameters.keys.include?(:late)].inspect } }
            newparam(:late) { newvalues(:x, :y); defaultto "x" }
            newparam(:code) { newvalues(:plain, /./) }
          end
        RUBY
      }
      with_modules(files) do |root|
        catalog = ral("article { 'a': code => 'it' } article { 'b': code => 'it', early => no } article { 'c': code => plain }", modulepath: [root])
        first, second, third = %w[a b c].map { |name| catalog.resource(:article, name) }

        expect(first.to_hash).to eq(name: "a", early: :yes, seen: "[:yes, nil, false]", late: :x, code: "it", loglevel: :notice)
        expect([second[:seen], third[:code]]).to eq(['["no", nil, false]', :plain])
        first[:code] << "!"
        expect([first[:code], second[:code]]).to eq(["it!", "it"])

        first.delete(:late)
        expect([first[:late], first.parameters.key?(:late), second[:late], second.parameter(:late).resource]).to eq([nil, false, :x, second])
        first[:late] = "y"
        expect([first[:late], first.tags, second.tagged?("b")]).to eq([:y, Set["article", "a", "class"], true])
      end
    end

    it "have the attributes that types get later" do
      with_modules("shop/lib/puppet/type/article.rb" => "Puppet::Type.newtype(:article) { newparam(:name, namevar: true) }") do |root|
        runtime = Puppetfn::Runtime.new(node: "web", modulepath: [root])
        catalog = runtime.compile("article { 'a': }")
        expect(catalog.to_ral.resource("Article[a]").to_hash).to eq(name: "a", loglevel: :notice)

        runtime.activate { runtime.resource_type("article").newparam(:late) { defaultto "x" } }
        expect(catalog.to_ral.resource("Article[a]")[:late]).to eq("x")
      end
    end

    it "are those of the Resource API, canonicalized and checked by data types" do
      files = {
        "shop/lib/puppet/type/article.rb" => <<~RUBY,
          Puppet::ResourceApi.register_type(
            name: "article", desc: "x", features: ["canonicalize"],
            attributes: {
              name: {type: "String[1]", desc: "x", behaviour: :namevar}, ensure: {type: "Enum[present, absent]", desc: "x", default: "present"},
              price: {type: "Optional[Integer[0]]", desc: "x"}, maker: {type: "String", desc: "x", behaviour: :parameter},
              secret: {type: "Optional[Sensitive[String]]", desc: "x"}
            }
          )
        RUBY
        "shop/lib/puppet/provider/article/article.rb" => <<~RUBY
          require "puppet/resource_api/simple_provider"
          class Puppet::Provider::Article::Article < Puppet::ResourceApi::SimpleProvider
            def canonicalize(_context, resources) = resources.each { |values| values[:price] = values[:price].to_i }
          end
        RUBY
      }
      with_modules(files) do |root|
        article = ral("article { 'a': price => '3', maker => 'm', secret => Sensitive('s') }", modulepath: [root]).resource("Article[a]")
        expect(article.to_hash).to include(name: "a", ensure: :present, price: 3, maker: "m")
        expect(article[:secret].unwrap).to eq("s")

        expect { ral("article { 'a': maker => 1 }", modulepath: [root]) }.to raise_error(
          Puppet::ResourceError, "Parameter maker failed on Article[a]: article.maker expects a String value, got Integer"
        )
        expect { ral("article { 'a': }", modulepath: [root]) }.to raise_error(
          Puppet::ResourceError, "Validation of Article[a] failed: The following mandatory parameters were not provided:\n    *  maker"
        )
      end
    end

    it "have the URIs of files as sources, and say what is deprecated" do
      runtime = Puppetfn::Runtime.new
      catalog = runtime.compile("file { '/a': source => ['/x y/', 'puppet:///b'], source_permissions => use }").to_ral

      expect(catalog.resource("File[/a]")[:source]).to eq(["file:///x y", "puppet:///b"])
      expect(runtime.logs.map { |_, text| text }).to include(a_string_starting_with("The `source_permissions` parameter is deprecated."))
      expect { ral("file { '/a': source => '/x[1]' }") }
        .to raise_error(Puppet::ResourceError, /Failed to convert '\/x\[1\]' to URI: bad component/)
    end

    it "keep what must not be shown" do
      expect(ral("user { 'a': password => 'x' }").resource("User[a]").parameter(:password).sensitive).to be(true)
      file = ral("file { '/a': content => Sensitive('x') }").resource("File[/a]")
      expect([file.parameter(:content).sensitive, file.parameter(:ensure).sensitive]).to eq([true, true])
    end

    it "are made of what is realized, and in the order of the code" do
      catalog = ral("@notify { 'v': } @notify { 'w': } realize Notify['w'] class c { notify { 'in c': } } include c")

      expect(catalog.resources.map(&:ref)).to eq(["Stage[main]", "Class[Settings]", "Class[Main]", "Notify[w]", "Class[C]", "Notify[in c]"])
      expect(catalog.container_of(catalog.resource("Notify[in c]")).ref).to eq("Class[C]")
      expect(catalog.adjacent(catalog.resource("Class[c]")).map(&:path)).to eq(["/Stage[main]/C/Notify[in c]"])
    end

    it "have no alias that is no title" do
      ["false", "['a', false]"].each do |aliases|
        expect { ral("notify { 'x': alias => #{aliases} }") }.to raise_error(
          Puppet::ResourceError, /in class alias: No title provided and :notify is not a valid resource reference \(line: 1\)\z/
        )
      end
    end

    it "have no names that others have" do
      expect { ral("file { 'x': path => '/a//b' } file { 'y': path => '/a/b' }") }.to raise_error(
        ArgumentError, 'Cannot alias File[y] to ["/a/b"] at (line: 1); resource ["File", "/a/b"] already declared (line: 1)'
      )
      expect { ral("file { 'x': path => '/a//b' } file { '/a/b': }") }.to raise_error(
        Puppet::Resource::Catalog::DuplicateResourceError,
        "Duplicate declaration: File[/a/b] is already declared at (line: 1); cannot redeclare"
      )
    end
  end

  describe "#relationship_graph" do
    def edges(code)
      ral(code).relationship_graph.edges.map { |edge| ["#{edge.source.ref} => #{edge.target.ref}", edge.event, edge.callback].compact.join(" ") }
    end

    it "has what is said and what types add, with whits for what contains" do
      found = edges(<<~PUPPET)
        file { '/a/b': owner => 'joe', require => Notify['n'] } file { '/a': notify => Exec['/bin/x'] } user { 'joe': gid => 'g' }
        group { 'g': } exec { '/bin/x': } notify { 'n': }
        class c { notify { 'in c': } } class { 'c': before => Notify['n'] }
      PUPPET

      expect(found).to include(
        "Notify[n] => File[/a/b]", "File[/a] => Exec[/bin/x] ALL_EVENTS refresh", "File[/a] => File[/a/b] NONE",
        "User[joe] => File[/a/b] NONE", "Group[g] => User[joe] NONE", "Whit[Completed_class[C]] => Notify[n]",
        "Whit[Admissible_class[C]] => Notify[in c] ALL_EVENTS refresh", "Notify[in c] => Whit[Completed_class[C]] ALL_EVENTS refresh"
      )
    end

    it "has what relates a container to itself, once" do
      expect(edges("class c { } include c Class['c'] ~> Class['c']").grep(/\AWhit\[Completed_class\[C\]\] => Whit\[Admissible_class\[C\]\]/).size).to eq(1)
    end

    it "adds nothing against what is said" do
      expect(edges("file { '/a': require => File['/a/b'] } file { '/a/b': }")).not_to include(a_string_starting_with("File[/a] => File[/a/b]"))
    end

    it "finds cycles, and says the shortest way around" do
      graph = ral(<<~PUPPET).relationship_graph
        notify { ['a', 'b', 'c', 'd']: } Notify['a'] -> Notify['b'] -> Notify['c'] -> Notify['a'] Notify['b'] -> Notify['a']
        notify { 'e': before => Notify['e'] }
      PUPPET

      expect(graph.cycles.map { |cycle| cycle.map(&:ref) }).to eq([["Notify[a]", "Notify[b]", "Notify[c]"], ["Notify[e]"]])
      expect(graph.cycles_message).to eq(
        "Found 2 dependency cycles:\n(Notify[a] => Notify[b] => Notify[a])\\n(Notify[e] => Notify[e])\\n" \
        "Try the '--graph' option and opening the resulting '.dot' file in OmniGraffle or GraphViz"
      )
      expect(graph.cycles_to_dot).to start_with(%(digraph Resource_Cycles {\n  label = "Resource Cycles"\n"Notify[a]" -> "Notify[b]"))
      expect(graph.to_dot).to include('"Notify[a]" -> "Notify[b]"')
    end

    it "has none where there is no cycle, however long the chain" do
      code = (1..5000).map { |number| "notify { 'n#{number}': #{"require => Notify['n#{number - 1}']" if number > 1} }" }.join("\n")
      graph = ral(code).relationship_graph

      expect([graph.cycles, graph.cycles_message]).to eq([[], nil])
      expect(graph.dependencies(graph.vertices.find { |vertex| vertex.ref == "Notify[n5000]" }).size).to be > 5000
    end

    it "names what is not there" do
      catalog = ral("notify { 'a': }")
      catalog.resource("Notify[a]")[:require] = "File[/nope]"

      expect { catalog.relationship_graph }
        .to raise_error(Puppet::Error, "Could not retrieve dependency 'File[/nope]' of Notify[a]")
      expect { catalog.finalize }
        .to raise_error(Puppet::ResourceError, "Could not find dependency File[/nope] for Notify[a] (line: 1)")
    end
  end
end
