# frozen_string_literal: true

require "cgi"
require "open3"
require "rbconfig"
require "stringio"
require_relative "../support/browser"
require_relative "../support/module_tree"

RSpec.describe "puppetfn doc --format html" do
  include ModuleTree
  include Browser

  # What the command writes to standard output and standard error, and its exit code.
  def puppetfn(*args)
    out, err, status = Open3.capture3(RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), "doc", *args)
    [out, err, status.exitstatus]
  end

  def write(directory, *subjects)
    expect(puppetfn(*subjects, "--format", "html", "--out", directory)).to eq(["", "", 0])
  end

  def files(directory)
    Dir.glob("**/*", base: directory).select { |path| File.file?("#{directory}/#{path}") }.sort
  end

  # The tags of a page, with the values of their attributes.
  def tags(html)
    html.scan(/<([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*\/?>/).map do |name, attributes|
      [name, attributes.scan(/([a-z-]+)(?:="([^"]*)")?/).to_h { |key, value| [key, CGI.unescapeHTML(value.to_s)] }]
    end
  end

  # The links of a site that lead to no file or anchor of it.
  def broken_links(directory)
    pages = files(directory).grep(/\.html\z/).to_h { |path| [path, tags(File.read("#{directory}/#{path}", encoding: "UTF-8"))] }
    anchors = pages.transform_values { |found| found.filter_map { |_, attributes| attributes["id"] } }
    repeated = anchors.flat_map { |path, ids| ids.tally.select { |_, count| count > 1 }.keys.map { |id| "#{path}: ##{id} twice" } }
    links = pages.flat_map { |path, found| found.flat_map { |_, attributes| attributes.values_at("href", "src").compact.map { |to| [path, to] } } }
    expect(links.size).to be > pages.size
    links.uniq.reject { |_, to| to.match?(%r{\A(?:https?://|mailto:|data:,)}) }.filter_map do |path, to|
      file, anchor = to.split("#", 2)
      file = file.to_s.empty? ? path : File.expand_path("/#{File.dirname(path)}/#{file}").delete_prefix("/")
      there = anchor ? anchors[file]&.include?(CGI.unescape(anchor)) : File.file?("#{directory}/#{file}")
      "#{path}: #{to}" unless there
    end + repeated
  end

  tree = {
    "shop/metadata.json" => ModuleTree.metadata("a-shop", summary: "Sells things.", source: "https://github.com/a/shop"),
    "shop/README.md" => "# shop\n\n[Usage](#usage), [more](docs/more.md), [all](REFERENCE.md)\n\n## Usage\n\n`shop::price` of `shop`\n\n```puppet\ninclude shop\n```\n",
    "shop/manifests/init.pp" => "# @summary Sells\n# @param port Where, see {shop::price} and https://example.com/a_b.\n# @example\n#   include shop\n" \
                                "class shop (Shop::Port $port = 80) inherits shop::params {\n  shop::item { 'a': cost => shop::price(1) }\n}\n",
    "shop/manifests/params.pp" => "# @api private\nclass shop::params { }\n",
    "shop/manifests/item.pp" => "# An item.\n# @param cost what it costs\ndefine shop::item (Integer $cost) { }\n",
    "shop/types/port.pp" => "# A port.\ntype Shop::Port = Integer[1, 65535]\n",
    "shop/functions/join.pp" => "# Joins.\n# @param parts what is joined\nfunction shop::join(Array $parts) >> String { join($parts) }\n",
    "shop/lib/puppet/functions/shop/price.rb" => "# The price of a Shop::Port.\nPuppet::Functions.create_function(:'shop::price') do\n" \
                                                 "  # @param cost what it costs\n  dispatch(:one) { param 'Shop::Port', :cost; return_type 'Integer' }\n  def one(cost) = cost\nend\n",
    "shop/lib/puppet/type/till.rb" => "Puppet::Type.newtype(:till) do\n  desc 'A till.'\n  newparam(:name) { desc 'Its name.' }\n  newproperty(:open) { desc 'Whether it is.'; newvalues(:true, :false) }\nend\n",
    "shop/lib/puppet/provider/till/drawer.rb" => "Puppet::Type.type(:till).provide(:drawer) do\n  desc 'With a drawer.'\n  commands ring: 'bell'\nend\n",
    "shop/tasks/open.json" => '{"description": "Opens", "parameters": {"door": {"type": "String", "description": "Which"}}}',
    "shop/plans/sale.pp" => "# A sale.\nplan shop::sale() { run_task('shop::open', 'x') }\n"
  }

  it "has a page for each thing that a module declares, linked by their names" do
    with_modules(tree) do |root|
      write("#{root}/site", "#{root}/shop")
      expect(files("#{root}/site")).to eq(
        %w[classes/shop-params.html classes/shop.html data_types/Shop-Port.html defined_types/shop-item.html functions/shop-join.html functions/shop-price.html
           index.html plans/shop-sale.html resource_types/till.html search-index.js site.css site.js tasks/open.html]
      )
      expect(broken_links("#{root}/site")).to eq([])
      page = ->(path) { File.read("#{root}/site/#{path}", encoding: "UTF-8") }
      expect(page.call("classes/shop.html")).to include(
        '<a class="t" href="../data_types/Shop-Port.html">Shop::Port</a>', '<a class="f" href="../functions/shop-price.html">shop::price</a>(',
        '<a class="f" href="../defined_types/shop-item.html">shop::item</a> {', '<a href="../classes/shop-params.html"><code>shop::params</code></a>',
        '<a href="https://example.com/a_b">https://example.com/a_b</a>', "manifests/init.pp:5"
      )
      expect(page.call("index.html")).to include('href="#readme-usage"', 'href="https://github.com/a/shop/blob/HEAD/docs/more.md"', 'href="#reference"', "Sells things.", "Private")
      expect(page.call("classes/shop-params.html")).to match(/<span class="badge private"[^>]*>private/)
      expect(page.call("resource_types/till.html")).to include("Whether it is.", "With a drawer.", "ring: bell")
      expect(page.call("functions/shop-price.html")).to include('The price of a <a href="../data_types/Shop-Port.html">Shop::Port</a>')
    end
  end

  it "is the same wherever and whenever it is written, and what Ruby programs get" do
    with_modules(tree) do |root|
      write("#{root}/one", "#{root}/shop")
      FileUtils.cp_r("#{root}/shop", "#{root}/copy")
      write("#{root}/two", "#{root}/copy")
      contents = ->(directory) { files(directory).to_h { |path| [path, File.read("#{directory}/#{path}", encoding: "UTF-8")] } }
      expect(contents.call("#{root}/two")).to eq(contents.call("#{root}/one"))
      expect(Puppetfn::Doc.read("#{root}/shop").to_html).to eq(contents.call("#{root}/one"))
    end
  end

  it "has links that all lead somewhere, in modules that are in use" do
    modules = %w[stdlib apache firewall systemd].map { |name| "/usr/share/puppet/modules/#{name}" }
    Dir.mktmpdir do |root|
      write("#{root}/site", *modules)
      expect(files("#{root}/site").size).to be > 400
      expect(broken_links("#{root}/site")).to eq([])
    end
  end

  describe "the directory" do
    it "is necessary" do
      expect(puppetfn("map", "--format", "html")).to eq(["", "error: --format html writes many files: name a directory for them with --out\n", 2])
    end

    it "keeps the files of others, and no pages of what is gone" do
      with_modules(tree) do |root|
        FileUtils.mkdir_p("#{root}/site/classes")
        File.write("#{root}/site/classes/notes.html", "mine")
        write("#{root}/site", "#{root}/shop")
        FileUtils.rm(["#{root}/shop/manifests/params.pp", "#{root}/shop/plans/sale.pp"])
        check = ["#{root}/shop", "--format", "html", "--out", "#{root}/site", "--check"]
        told, _, code = puppetfn(*check)
        expect([told.lines.grep(/plans/), code]).to eq([["#{root}/site/plans/shop-sale.html: would be removed\n"], 1])
        write("#{root}/site", "#{root}/shop")
        expect(files("#{root}/site").grep(/notes|params|plans/)).to eq(["classes/notes.html"])
        expect(File.directory?("#{root}/site/plans")).to be(false)
        expect(puppetfn(*check)).to eq(["", "", 0])
      end
    end

    it "may not have files of others where pages belong" do
      with_modules(tree) do |root|
        FileUtils.mkdir_p("#{root}/site")
        File.write("#{root}/site/index.html", "mine")
        out, err, code = puppetfn("#{root}/shop", "--format", "html", "--out", "#{root}/site")
        expect([out, code]).to eq(["", 1])
        expect(err).to start_with("error: #{root}/site/index.html exists and was not written by puppetfn; ")
        expect(files("#{root}/site")).to eq(["index.html"])
      end
    end

    it "stays as it is if a file cannot be read" do
      out, err, code = puppetfn("map", "--format", "html", "--out", __FILE__)
      expect([out, err, code]).to eq(["", "error: #{__FILE__} is a file: name a directory for the pages with --out\n", 1])
      with_modules(tree.merge("shop/manifests/broken.pp" => "class shop::broken {")) do |root|
        out, err, code = puppetfn("#{root}/shop", "--format", "html", "--out", "#{root}/site")
        expect([out, code, File.exist?("#{root}/site")]).to eq(["", 1, false])
        expect(err).to include("broken.pp")
      end
    end
  end

  # Comments, titles, defaults and names that would run if they were taken for HTML.
  run = "document.documentElement.dataset.ran=1"
  code = "<script>#{run}</script><img src=x onerror=#{run}>\"'><svg onload=#{run}> [x](javascript:#{run}) ![x](javascript:#{run}) <a href=javascript:#{run}>"
  hostile = {
    "evil/metadata.json" => ModuleTree.metadata("a-evil", summary: code, author: code, project_page: "javascript:#{run}", version: code),
    "evil/README.md" => "# #{code}\n\n#{code}\n\n<script>\n#{run}\n</script>\n\n<a name='\"><script>#{run}</script>'></a>\n\n```#{code}\n#{code}\n```\n\n| #{code} |\n| --- |\n| `#{code}` |\n",
    "evil/manifests/init.pp" => "# @summary #{code}\n# #{code}\n# @param a #{code}\n# @option a [#{code}] b #{code}\n# @example #{code}\n#   #{code}\n# @see #{code}\n# @raise #{code}\n" \
                                "# @deprecated #{code}\nclass evil (String $a = \"#{code.gsub('"', '\"').gsub("$", '\$')}\") { notice('</script><script>#{run}</script>') }\n",
    "evil/lib/puppet/functions/evil/f.rb" => "# #{code}\nPuppet::Functions.create_function(:\"evil::<img src=x onerror=#{run}>\") do\n  # #{code}\n  def f(a = '#{code.delete("'")}') = 1 # </pre><script>#{run}</script>\nend\n",
    "evil/lib/puppet/type/evil.rb" => "Puppet::Type.newtype(:evil) do\n  desc %q{#{code}}\n  newparam(:name) { desc %q{#{code}} }\n  newproperty(:p) { newvalues('#{code.delete("'")}') }\nend\n",
    "evil/tasks/<img src=x onerror=alert(1)>.json" => JSON.generate({description: code, parameters: {code => {type: code, description: code}}, input_method: code})
  }

  def scripts_of(html)
    tags(html).select { |name, attributes| name == "script" || attributes.any? { |key, value| key.start_with?("on") || value.match?(/\A\s*javascript:/i) } }
  end

  it "runs nothing that comments, titles, defaults and names say" do
    with_modules(hostile) do |root|
      write("#{root}/site", "#{root}/evil")
      pages = files("#{root}/site").grep(/\.html\z/)
      expect(pages.size).to eq(5)
      pages.each do |path|
        html = File.read("#{root}/site/#{path}", encoding: "UTF-8")
        found = scripts_of(html).map { |_, attributes| attributes["src"] }
        expect([path, found]).to eq([path, %w[search-index.js site.js].map { |name| path.include?("/") ? "../#{name}" : name }])
        expect(html.scan(/<(?:svg|img)\b/)).to eq([])
        expect(html.scan(/<script/).size).to eq(2)
      end
      expect(broken_links("#{root}/site")).to eq([])
      pages.each do |path|
        seen = look("#{root}/site/#{path}", "q=evil")
        expect([path, seen.dom.include?("data-ran"), seen.messages]).to eq([path, false, []])
      end
    end
  end

  describe "the search, in a browser" do
    around do |example|
      with_modules(tree) do |root|
        @root = root
        write("#{root}/site", "#{root}/shop")
        example.run
      end
    end

    # The results: names, kinds, and where they lead.
    def results(seen)
      expect(seen.messages).to eq([])
      seen.dom.scan(/<a class="result"[^>]*href="([^"]*)"[^>]*>.*?<span class="name">(.*?)<\/span><span class="kind">(.*?)<\/span>/m)
    end

    it "finds names, parameters and words, from any page" do
      expect(results(look("#{@root}/site/index.html", "q=join"))).to eq([["functions/shop-join.html", "shop::join", "Function"]])
      expect(results(look("#{@root}/site/classes/shop.html", "q=shop%20price")).first).to eq(["../functions/shop-price.html", "shop::price", "Function"])
      expect(results(look("#{@root}/site/index.html", "q=door"))).to eq([["tasks/open.html", "open", "Task"]])
    end

    it "says so if it finds nothing, and is closed if nothing is asked" do
      nothing = look("#{@root}/site/index.html", "q=%3Cb%3Exyz")
      expect(results(nothing)).to eq([])
      expect(nothing.dom).to include("Nothing found for “&lt;b&gt;xyz”.", 'aria-expanded="true"')
      seen = look("#{@root}/site/index.html")
      expect(results(seen)).to eq([])
      expect(seen.dom).to match(/<div id="results"[^>]* hidden/).and include('aria-expanded="false"')
      expect(seen.dom).not_to match(/<form[^>]* hidden/)
    end

    it "is used with the keyboard" do
      script = File.read("#{@root}/site/site.js")
      press = ->(*keys) { keys.map { |key| "input.dispatchEvent(new KeyboardEvent('keydown', {key: '#{key}', bubbles: true}));" }.join }
      {
        [] => ["result-0", "true"], %w[ArrowDown] => ["result-1", "true"], %w[ArrowDown ArrowUp ArrowUp] => ["result-5", "true"],
        %w[ArrowDown Escape] => ["result-1", "false"]
      }.each do |keys, state|
        File.write("#{@root}/site/site.js", "#{script}\nvar input = document.getElementById('search');#{press.call(*keys)}")
        seen = look("#{@root}/site/index.html", "q=shop%3A%3A")
        expect(results(seen).size).to eq(6)
        box = seen.dom[/<input id="search"[^>]*>/]
        expect([keys, [box[/aria-activedescendant="([^"]*)"/, 1], box[/aria-expanded="([^"]*)"/, 1]]]).to eq([keys, state])
        expect(seen.dom).to match(/id="#{state.first}"[^>]* aria-selected="true"/)
      end
    end

    it "would be seen to fail" do
      File.write("#{@root}/site/site.js", "console.error('it fails')")
      expect(look("#{@root}/site/index.html").messages.join).to include("it fails")
    end
  end
end
