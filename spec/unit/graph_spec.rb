# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "rbconfig"
require "rexml/document"
require "tmpdir"
require_relative "../support/browser"
require_relative "../support/control_repository"

# `puppetfn graph` and `puppetfn why`, and the same in Ruby.
RSpec.describe Puppetfn::Graph do
  include Browser

  apache = "/usr/share/puppet/modules"

  def puppetfn(*arguments)
    command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__)]
    out, err, status = Open3.capture3(*command, *arguments)
    [out, err, status.exitstatus]
  end

  # A command about a node of the control repository.
  def repository(command, node, *arguments)
    puppetfn(command, node, *arguments, "--environment", ControlRepository::DIRECTORY, "--environment-name", "production",
      "--facts", ControlRepository.facts_file(node), "--enc", File.join(ControlRepository::DIRECTORY, "scripts", "classifier.sh"))
  end

  def catalog(code, **options)
    Puppetfn::Runtime.new(node: "web", **options).keep_origins.compile(code, "site.pp")
  end

  it "draws all resources of a node as SVG that is XML, the same each time" do
    first, second = Array.new(2) { repository("graph", "web1.example.com", "--format", "svg") }
    expect(first).to match([start_with("<svg"), anything, 0])
    expect(second.first).to eq(first.first)
    titles = REXML::XPath.match(REXML::Document.new(first.first), "//g[starts-with(@class, 'pfg-node')]/title").map { |title| title.text.lines.first.chomp }
    declared = JSON.parse(repository("compile", "web1.example.com").first)["resources"].map { |resource| resource.values_at("type", "title") }
    expect(titles.uniq).to match_array(declared.map { |type, title| "#{type}[#{title}]" })
  end

  describe "a page" do
    # What a session sees of the graph: visible nodes, the window, and the picture in it.
    SEEN = <<~JAVASCRIPT
      (() => {
        const boxes = [...document.querySelectorAll(".pfg-node rect")].filter((rect) => !rect.closest(".pfg-gone")).map((rect) => rect.getBoundingClientRect());
        const window = document.querySelector("main").getBoundingClientRect();
        const inside = (box) => box.left >= window.left && box.right <= window.right && box.top >= window.top && box.bottom <= window.bottom;
        return {nodes: boxes.length, inside: boxes.filter(inside).length, width: Math.max(...boxes.map((box) => box.width)),
                found: document.getElementById("found").textContent, current: document.querySelector(".current title")?.textContent.split("\\n")[0]};
      })()
    JAVASCRIPT
    FRAME = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

    # Opens a page, and looks at it after each of some scripts.
    def seen(page, *scripts)
      browse do |session|
        session.open("file://#{page}")
        found = ["", *scripts].map do |script|
          session.run("{ #{script} }; #{FRAME}")
          session.run(SEEN)
        end
        expect(session.complaints).to eq([])
        return found
      end
    end

    def click(id)
      "document.getElementById('#{id}').click()"
    end

    def enter(text)
      "const input = document.getElementById('find'); input.value = '#{text}'; input.dispatchEvent(new Event('input'))"
    end

    around do |example|
      Dir.mktmpdir do |directory|
        @page = File.join(directory, "page.html")
        example.run
      end
    end

    it "fits the window, zooms, folds and finds the next node, without any other file" do
      expect(repository("graph", "web1.example.com", "--format", "html", "--out", @page)).to match(["", anything, 0])
      expect(File.read(@page).scan(/(?:src|href)=|url\(/)).to eq([])
      whole, zoomed, fitted, folded, found, following, previous, unfolded = seen(@page, click("in"), click("fit"), click("fold"), enter("nginx"),
        click("next"), "#{click("previous")}; #{click("previous")}", click("unfold"))
      expect(whole).to include("nodes" => 36, "inside" => 36, "found" => "")
      expect(zoomed["width"]).to be > whole["width"]
      expect(fitted["width"]).to be_within(1).of(whole["width"])
      expect(folded).to include("nodes" => 7, "inside" => 7)
      expect([found, following, previous].map { |seen| seen.values_at("found", "current") })
        .to match([["1 of 5", a_kind_of(String)], ["2 of 5", a_kind_of(String)], ["5 of 5", a_kind_of(String)]])
      expect([found, following, previous].map { |seen| seen["current"] }.uniq.size).to eq(3)
      expect(unfolded).to include("nodes" => 36, "inside" => 36)
    end

    it "folds and unfolds a class by its label, and by the keyboard" do
      File.write(@page, catalog("class a { notify { 'x': } notify { 'y': } } include a notify { 'z': require => Class[a] }").graph(format: :html))
      label = "[...document.querySelectorAll('.pfg-label')].find((one) => one.textContent.includes('Class[A]'))"
      whole, folded, unfolded = seen(@page, "#{label}.dispatchEvent(new MouseEvent('click', {bubbles: true}))",
        "#{label}.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}))")
      expect([whole, folded, unfolded].map { |seen| seen["nodes"] - whole["nodes"] }).to eq([0, -2, 0])
    end

    it "draws 2,500 resources, of which it shows the classes first" do
      code = "class big { Integer[1, 50].each |$i| { d { \"d${i}\": } } }\ndefine d { Integer[1, 50].each |$i| { notify { \"${name} ${i}\": } } } include big"
      File.write(@page, catalog(code).graph(format: :html))
      first, unfolded = seen(@page, click("unfold"))
      expect(first["nodes"]).to be < 10
      expect(unfolded).to include("nodes" => be > 2550, "inside" => unfolded["nodes"])
    end

    it "shows the whole graph without its script" do
      repository("graph", "web1.example.com", "--format", "html", "--out", @page)
      browse do |session|
        session.scripts(false)
        session.open("file://#{@page}")
        expect(session.run(SEEN)["nodes"]).to eq(36)
        expect(session.run("document.querySelector('.tools').checkVisibility()")).to be(false)
      end
    end
  end

  it "writes text that Graphviz draws" do
    dot, = repository("graph", "db1.example.com")
    drawn, complaints, status = Open3.capture3("dot", "-Tsvg", stdin_data: dot)
    expect([complaints, status.exitstatus]).to eq(["", 0])
    expect(drawn).to include("Class[Profile::Base]")
    Dir.mktmpdir do |directory|
      File.write(file = File.join(directory, "db1.json"), repository("compile", "db1.example.com").first)
      expect(puppetfn("graph", "--catalog", file).first).to eq(repository("compile", "db1.example.com", "--format", "dot").first)
    end
  end

  it "draws what is near to a resource, and says what it meant by a name that is not there" do
    near, = repository("graph", "web1.example.com", "--around", "service[nginx]", "--kind", "dependencies", "--most", "3")
    expect(near).to include("label=\"2 nodes that are as near are left out\"").and include("\"Service[nginx]\" [penwidth=2];")
    expect(repository("graph", "web1.example.com", "--around", "File[/etc/mtod]")[1..])
      .to match([end_with("error: --around: there is no File[/etc/mtod] among the 36 resources that could be drawn; did you mean File[/etc/motd]?\n"), 2])
    expect(repository("graph", "web1.example.com", "--around", "motd")[1..])
      .to match([end_with("error: --around: expected a resource such as File[/etc/motd], got 'motd'\n"), 2])
  end

  it "knows what types add by themselves, and goes on where that cannot be known" do
    directory, file = "File[/etc/nginx/sites-enabled]", "File[/etc/nginx/sites-enabled/10-shop.conf]"
    expect(repository("graph", "web1.example.com").first).to include(%("#{directory}" -> "#{file}";))
    expect(repository("why", "web1.example.com", directory).first).to include("  #{file}  # autorequire of #{file}\n")
    Dir.mktmpdir do |root|
      File.write(manifest = File.join(root, "site.pp"), "file { 'relative': } -> notify { 'a': }")
      expect(puppetfn("graph", "web", "--manifest", manifest))
        .to match([include(%("File[relative]" -> "Notify[a]")), /Warning: What types relate by themselves is not known: .*fully qualified/, 0])
    end
  end

  describe "dependency cycles" do
    let(:directory) { Dir.mktmpdir }
    let(:manifest) { File.join(directory, "site.pp") }

    after { FileUtils.remove_entry(directory) }

    def found(code, **options)
      Puppetfn::Graph.cycle_edges(catalog(code, **options))
    end

    it "names the origin of each edge, in a picture of the cycle alone" do
      expect(repository("graph", "web1.example.com", "--cycles")).to match(["", end_with("no cycles\n"), 0])
      File.write(manifest, "class a { notify { 'x': } } include a\nnotify { 'y': require => Class[a], before => Notify[x] } notify { 'z': }")
      out, err, code = puppetfn("graph", "web", "--manifest", manifest, "--cycles")
      expect([err, code]).to match([end_with(<<~TEXT), 1])
        Found a dependency cycle of 3 resources:
          Notify[y] requires Class[A] (#{manifest}:2)
          Notify[y] before Notify[x] (#{manifest}:2)
          Class[A] contains Notify[x] (#{manifest}:1)
      TEXT
      expect(out).to include("Notify[y]")
      expect(out).not_to include("Notify[z]")
    end

    it "names edges that types add, and edges of catalogs in JSON" do
      File.write(manifest, "file { '/a/b': }\nfile { '/a': require => File['/a/b'] }\nexec { '/bin/true': cwd => '/a/b', before => File['/a'] }")
      expect(puppetfn("graph", "web", "--manifest", manifest, "--cycles")[1]).to end_with("no cycles\n")
      File.write(manifest, "exec { '/bin/true': before => File['/a'], cwd => '/a/b' }\nfile { ['/a', '/a/b']: }")
      expect(puppetfn("graph", "web", "--manifest", manifest, "--cycles")[1].lines.last(3).map { |line| line.strip.sub("#{directory}/", "") })
        .to contain_exactly("File[/a/b] autorequires File[/a] (site.pp:2)", "Exec[/bin/true] autorequires File[/a/b] (site.pp:1)",
          "Exec[/bin/true] before File[/a] (site.pp:1)")
      File.write(manifest, "notify { 'a': }\n-> notify { 'b': }\n-> Notify['a']")
      File.write(json = File.join(directory, "web.json"), puppetfn("compile", "web", "--manifest", manifest).first)
      expect(puppetfn("graph", "--catalog", json, "--cycles")[1]).to eq(<<~TEXT)
        Found a dependency cycle of 2 resources:
          Notify[a] before Notify[b] (#{manifest}:1)
          Notify[b] before Notify[a] (#{manifest}:2)
      TEXT
    end

    it "names parameters, arrows, chains of collectors, calls of require and containers" do
      expect(found("notify { 'a':\n  notify => Notify['b'] }\nnotify { 'b': }\nNotify['b'] ~> Notify['a']"))
        .to eq([["Notify[a] notifies Notify[b] (site.pp:2)", "Notify[b] ~> Notify[a] (site.pp:4)"]])
      expect(found("notify { 'a':\n  require => Notify['b'] }\nnotify { 'b':\n  subscribe => Notify['a'] }"))
        .to eq([["Notify[b] subscribes to Notify[a] (site.pp:4)", "Notify[a] requires Notify[b] (site.pp:2)"]])
      expect(found("file { '/a': }\nexec { '/b': before => File['/a'] }\nFile<| |>\n-> Exec<| |>"))
        .to eq([["File[/a] -> Exec[/b] (site.pp:4)", "Exec[/b] before File[/a] (site.pp:2)"]])
      expect(found("class a { require b }\nclass b { notify { 'b': require => Class['a'] } }\ninclude a"))
        .to eq([["Notify[b] requires Class[A] (site.pp:2)", "Class[B] contains Notify[b] (site.pp:2)", "Class[A] requires Class[B] (site.pp:1)"]])
      expect(found("define d { notify { 'b': before => D['d'] } }\nd { 'd': }"))
        .to eq([["D[d] contains Notify[b] (site.pp:1)", "Notify[b] before D[d] (site.pp:1)"]])
      expect(found("@notify { 'a': require => Notify['b'] }\nnotify { 'b': before => Notify['b'] }"))
        .to eq([["Notify[b] before Notify[b] (site.pp:2)"]])
      expect(found("notify { 'a': } -> notify { 'b': }")).to eq([])
    end

    it "is a warning of compile, for one node and for many" do
      File.write(manifest, "notify { 'a': require => Notify['b'] } -> notify { 'b': }")
      said = "Found a dependency cycle of 2 resources:\n  Notify[a] -> Notify[b] (#{manifest}:1)\n  Notify[a] requires Notify[b] (#{manifest}:1)\n"
      expect(puppetfn("compile", "web", "--manifest", manifest)).to match([anything, end_with("Warning: #{said}"), 0])
      File.write(nodes = File.join(directory, "nodes"), "db\nweb\n")
      expect(puppetfn("compile", "--nodes", nodes, "--manifest", manifest, "--out", File.join(directory, "out")))
        .to match([end_with("\n#{said}  on 2 nodes: db, web\n"), anything, 0])
      expect(File.read(File.join(directory, "out", "messages", "web.txt"))).to eq("Warning: #{said}")
    end
  end

  it "names the parameter of each arrow, and its place" do
    drawn = catalog("notify { 'a': require => Notify['b'] }\nnotify { 'b': }").graph
    expect(drawn).to include("Notify[b] comes before Notify[a]\nrequire of Notify[a] (site.pp:1)")
  end

  it "draws what Puppet and PuppetDB write, and names the place of what is wrong" do
    Dir.mktmpdir do |directory|
      file = File.join(directory, "catalog.json")
      File.write(file, JSON.generate(data: {name: "a", resources: [{type: "File", title: "/a"}], edges: []}))
      expect(puppetfn("graph", "--catalog", file, "--format", "mermaid").first).to eq("flowchart TB\n  n0[\"File[/a]\"]\n")
      File.write(file, JSON.generate(resources: [{type: "File"}]))
      expect(puppetfn("graph", "--catalog", file)).to match(["", /\Aerror: --catalog: .*resources\[0\].*title/, 2])
      expect(puppetfn("graph", "--catalog", "#{directory}/none")).to match(["", /\Aerror: --catalog: .*No such file/, 2])
    end
  end

  it "draws a class of a real module" do
    facts = {"operatingsystem" => "Debian", "osfamily" => "Debian", "operatingsystemrelease" => "12", "lsbdistcodename" => "bookworm", "id" => "root",
             "kernel" => "Linux", "clientversion" => "8.0.0", "path" => "/bin", "fqdn" => "web.example.com", "is_pe" => false, "os" => {"family" => "Debian", "name" => "Debian"}}
    runtime = Puppetfn::Runtime.new(node: "web", modulepath: apache, facts: facts, strict: :warning)
    drawn = runtime.compile("include apache", "site.pp").graph(around: "Service[httpd]", depth: 2)
    expect(REXML::Document.new(drawn).root.name).to eq("svg")
    expect(drawn).to include("Service[httpd]").and include("Class[Apache::Service]")
  end

  it "takes hostile titles for titles, in bounded time", :misuse do
    code = <<~'PUPPET'
      notify { "<script>alert(1)</script>\n\"'&]]>\u{0}\u{1b}": }
      Integer[1, 3000].each |$i| { notify { "n${i}": require => Notify["n${$i - 1}"] } }
      notify { 'n0': } notify { $facts['long']: }
    PUPPET
    made = catalog(code, facts: {"long" => "x" * 100_000})
    expect { made.graph }.to raise_error(ArgumentError, /a graph of 3006 nodes .* is too large to be drawn.*--around/)
    expect(made.graph(format: :dot).lines.size).to be > 6000
    expect(REXML::Document.new(made.graph(around: "Notify[n0]", depth: 50)).root).not_to be_nil
    drawn = made.graph(kind: :containment, around: ["Class[main]"], most: 10, format: :html)
    expect(drawn).to include("left out")
    expect(drawn).not_to include("<script>alert")
    expect { made.graph(format: :png) }.to raise_error(ArgumentError, "format: expected dot, mermaid, svg or html, got png")
  end

  describe "puppetfn why" do
    it "says what declared a resource, through which classes, and which data" do
      out, _, code = repository("why", "web1.example.com", "File[/etc/motd]")
      expect(code).to eq(0)
      expect(out.lines.grep(/^\S/).map(&:chomp)).to eq([
        "File[/etc/motd], declared at site-modules/profile/manifests/base.pp:13",
        "in Class[Profile::Base], defined at site-modules/profile/manifests/base.pp:5",
        "in Class[Role::Webserver], defined at site-modules/role/manifests/webserver.pp:2",
        "in Node[__node_regexp__webd.], defined at manifests/nodes/web.pp:1", "in Class[main]", "after it:"
      ])
      expect(out).to include("  contained by Class[Role::Webserver] at site-modules/role/manifests/webserver.pp:3\n",
        "  owner => 'root'  # a default for the type at manifests/site.pp:3\n", %(Found key: "profile::base::packages" value: [))
      found = JSON.parse(repository("why", "web1.example.com", "File[/etc/motd]", "--format", "json").first)
      expect(found.keys).to eq(%w[node resource chain relations])
      expect(found["relations"]).to contain_exactly(include("other" => "Class[Profile::Web]", "order" => "after", "parameter" => "before"))
    end

    it "names all that ask for a class, first the one that it is there for" do
      why = catalog(<<~PUPPET).why("Class[c]")
        class a { include c } class b { require c }
        class d { include e } class e inherits c { } class c { }
        include a
        include b
        include d
        class { 'f': }
        class f { contain c }
      PUPPET
      expect(why["resource"]["inclusions"].map { |inclusion| [*inclusion.values_at("by", "way"), inclusion["place"]["line"]] })
        .to eq([["Class[A]", "include", 1], ["Class[B]", "require", 1], ["Class[E]", "inherits", 2], ["Class[F]", "contain", 7]])
      expect(why["chain"].map { |origin| origin["resource"] }).to eq(["Class[A]", "Class[main]"])
    end

    it "says what set each parameter" do
      why = catalog(<<~PUPPET).why("Notify[x]")
        Notify { loglevel => 'info' }
        define d($m = 'of d') { notify { 'x': message => $m, withpath => true } }
        d { 'd': tag => 't', noop => true }
        Notify<| title == 'x' |> { withpath => false }
        notify { 'y': }
        Notify['y'] -> Notify['x']
        create_resources('notify', {'z' => {require => Notify['x']}})
      PUPPET
      causes = why["resource"]["parameters"].to_h { |parameter| [parameter["name"], [parameter["value"], parameter["cause"], parameter.dig("place", "line")]] }
      expect(causes).to include("message" => ["of d", "declaration", 2], "withpath" => [false, "override", 4], "loglevel" => ["info", "type_default", 1],
        "noop" => [true, "container", 3])
      expect(why["chain"].first["parameters"]).to include(include("name" => "m", "cause" => "default_value", "place" => {"file" => "site.pp", "line" => 2}))
      expect(why["relations"].map { |relation| [*relation.values_at("order", "other", "parameter"), relation.dig("place", "line")] })
        .to contain_exactly(["before", "Notify[y]", "before", 6], ["after", "Notify[z]", "require", 7])
    end

    it "says which names are alike, and how to keep what it needs" do
      expect(repository("why", "web1.example.com", "File[/etc/mtod]"))
        .to match(["", end_with("Error: There is no File[/etc/mtod] in the catalog of web1.example.com; did you mean File[/etc/motd]?\n"), 1])
      expect(repository("why", "web1.example.com", "motd")).to match(["", "error: expected a resource such as File[/etc/motd], got 'motd'\n", 2])
      made = Puppetfn::Runtime.new(node: "web").compile("notify { 'a': }")
      expect { made.why("Notify[a]") }.to raise_error(Puppet::Error, /call keep_origins before code is evaluated/)
      expect { made.why("a") }.to raise_error(ArgumentError, /expected a resource such as/)
    end
  end
end
