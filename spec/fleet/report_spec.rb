# frozen_string_literal: true

require_relative "support"
require_relative "../support/browser"

RSpec.describe "puppetfn diff --format html" do
  include FleetOfNodes
  include Browser

  # What the script of the page shows and hides.
  VISIBLE = <<~JAVASCRIPT
    (selector) => [...document.querySelectorAll(selector)].filter((found) => found.checkVisibility()).map((found) => found.textContent.trim())
  JAVASCRIPT

  # A change of a template and of the data of a node, resources with hostile names, and two nodes that fail.
  MANIFEST = <<~'PUPPET'
    $fqdn = $facts['networking']['fqdn']
    if $fqdn =~ /web[23]/ { fail("no role for ${fqdn}") }
    if $fqdn =~ /web4/ { notify { ['</script><img src=x onerror=alert(1)>', "a\u202eb"]: } }
    file { '/etc/secret': content => Sensitive("hunter2\n") }
    File <| title == '/etc/motd' |> { require +> File['/etc/secret'] }
  PUPPET

  around do |example|
    with_fleet do |directory|
      @repository = "#{directory}/repository"
      git("init", "--quiet", "--initial-branch", "main", ".")
      git("add", ".")
      git("commit", "--quiet", "--message", "One <b>state</b>")
      write("manifests/zzz.pp", MANIFEST)
      write("data/nodes/web7.example.com.yaml", "profile::base::packages: [vim]\n")
      write("site-modules/profile/templates/motd.epp", "Be nice.\n", mode: "a")
      arguments = ["main", @repository, "--repository", @repository, "--nodes", "#{directory}/facts", *options(directory)]
      @page = "#{directory}/diff.html"
      @outcome = puppetfn("diff", *arguments, "--format", "html", "--out", @page)
      example.run
    end
  end

  attr_reader :page

  def git(*words)
    out, status = Open3.capture2e("git", "-C", @repository, "-c", "user.name=n", "-c", "user.email=e@example.com", *words)
    raise out unless status.success?

    out
  end

  def write(path, text, mode: "w")
    FileUtils.mkdir_p(File.dirname("#{@repository}/#{path}"))
    File.write("#{@repository}/#{path}", text, mode: mode)
  end

  # Opens the page in a browser, which is to have nothing to complain of.
  def with_page(fragment = "")
    browse do |session|
      session.open("file://#{page}#{fragment}")
      yield session
      expect(session.complaints).to eq([])
    end
  end

  def shown(session, selector)
    session.run("(#{VISIBLE})(#{selector.to_json})")
  end

  def search(session, text)
    session.run("{ const input = document.getElementById('search'); input.value = #{text.to_json}; input.dispatchEvent(new Event('input')) }; " \
                "new Promise((done) => setTimeout(done, 50))")
  end

  def references(session)
    shown(session, ".item .sign + .reference").uniq
  end

  it "has what was compared, failed and differs, and nothing that is hidden" do
    expect(@outcome.last).to eq(1)
    text = File.read(page)
    expected = ["<code>main</code>", git("rev-parse", "main").slice(0, 10), "One &lt;b&gt;state&lt;/b&gt;",
                "no role for web2.example.com (file: manifests/zzz.pp, line: 2, column: 25)"]
    expect(expected.reject { |part| text.include?(part) }).to eq([])
    expect(text.scan(/hunter2|<img|\u202e|(?:src|href)="(?!#|data:,")/)).to eq([])
    with_page do |session|
      expect(shown(session, "h2")).to eq(["2 nodes could not be compared", "Differences"])
      expect(shown(session, ".group h3").map { |heading| heading.squeeze(" ") }).to eq(
        ["7 nodes db1.example.com, web1.example.com, web4.example.com and 4 more", "web4.example.com", "web7.example.com"]
      )
      expect(shown(session, ".group .added .l")).to include("Be nice.")
      expect(session.run("document.querySelectorAll('.graph svg').length")).to eq(3)
    end
  end

  it "shows what is searched for, and no more" do
    with_page do |session|
      all = references(session)
      search(session, "web4 img")
      expect(references(session)).to eq(["Notify[</script><img src=x onerror=alert(1)>]"])
      expect(shown(session, "#status")).to eq(["1 of 5 differences in 1 of 3 groups"])
      expect(session.run("location.hash")).to eq("#q=web4+img")
      search(session, "no role web3")
      expect([references(session), shown(session, ".failure h3").size]).to eq([[], 1])
      search(session, "there is nothing like it")
      expect(shown(session, "#none")).to eq(["Nothing matches the search."])
      search(session, "")
      expect([references(session), session.run("location.hash")]).to eq([all, ""])
    end
  end

  it "leaves only the kinds and types that are asked for, and restores what an address says" do
    with_page do |session|
      session.run("document.querySelector('button[data-kind=added]').click()")
      session.run("{ const type = document.getElementById('type'); type.value = 'Notify'; type.dispatchEvent(new Event('change')) }")
      expect(shown(session, ".group h3")).to eq(["web4.example.com"])
      expect(references(session)).to all(start_with("Notify["))
      address = session.run("location.href")
      expect(address).to end_with("#kind=added&type=Notify")
      expected = references(session)
      session.open(address)
      expect(references(session)).to eq(expected)
      expect(session.run("document.querySelector('button[data-kind=added]').getAttribute('aria-pressed')")).to eq("true")
    end
  end

  it "folds, and links to groups" do
    with_page do |session|
      session.run("document.getElementById('fold').click()")
      expect([references(session), shown(session, ".group h3").size]).to eq([[], 3])
      expect(shown(session, ".preview")).to match([start_with("File[/etc/motd]"), start_with("Notify["), "Class[Profile::Base]"])
      session.run("document.getElementById('unfold').click()")
      expect(shown(session, ".item dt")).to include("content")
      id = session.run("document.querySelectorAll('.group')[1].id")
      session.run("document.getElementById('fold').click()")
      session.open("file://#{page}##{id}")
      expect(session.run("[document.getElementById(#{id.to_json}).open, scrollY > 0]")).to eq([true, true])
    end
  end

  it "can be read and unfolded without its script" do
    browse do |session|
      session.scripts(false)
      session.open("file://#{page}")
      expect(shown(session, ".group h3").size).to eq(3)
      expect(shown(session, ".tools")).to eq([])
      expect(references(session)).to include("File[/etc/motd]")
    end
  end
end
