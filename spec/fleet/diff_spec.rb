# frozen_string_literal: true

require_relative "support"

RSpec.describe "puppetfn diff" do
  include FleetOfNodes

  around { |example| with_fleet { |directory| (@directory = directory) && example.run } }

  attr_reader :directory

  let(:repository) { "#{directory}/repository" }

  def git(*words)
    out, status = Open3.capture2e("git", "-C", repository, "-c", "user.name=n", "-c", "user.email=e@example.com", *words)
    raise out unless status.success?

    out
  end

  # A commit, and one with a change of a template and of data.
  before do
    git("init", "--quiet", "--initial-branch", "main", ".")
    git("add", ".")
    git("commit", "--quiet", "--message", "one")
    git("checkout", "--quiet", "-b", "change")
    File.write("#{repository}/site-modules/profile/templates/motd.epp", "Be nice.\n", mode: "a")
    FileUtils.mkdir_p("#{repository}/data/nodes")
    File.write("#{repository}/data/nodes/web7.example.com.yaml", "profile::base::packages: [vim]\n")
    git("add", ".")
    git("commit", "--quiet", "--message", "two")
  end

  def diff(old, new, *arguments)
    puppetfn("diff", old, new, "--repository", repository, "--nodes", "#{directory}/facts", *options(directory), *arguments)
  end

  def report(old, new, *arguments)
    JSON.parse(diff(old, new, "--format", "json", *arguments).first)
  end

  it "shows what a commit changes, and for nodes that it changes in the same way once" do
    printed, _, code = diff("main", "change")
    expect(code).to eq(2)
    expect(printed).to start_with(<<~TEXT)
      9 nodes: db1.example.com, web1.example.com, web2.example.com, web3.example.com, web4.example.com, web5.example.com, web6.example.com, web7.example.com, web8.example.com (1 changed)
        ~ File[/etc/motd]  (site-modules/profile/manifests/base.pp:13)
            ~ content:
    TEXT
    expect(printed).to include("+Be nice.\n").and end_with("9 of 9 nodes differ, in 2 ways\n")
    expect(git("worktree", "list").lines.size).to eq(1)
    expect(git("status", "--porcelain")).to eq("")
  end

  it "groups by change, and shows values of the first node where nodes have their own" do
    File.write("#{repository}/manifests/zzz.pp", <<~'PUPPET')
      $host = $facts['networking']['fqdn']
      file { '/etc/host': content => "${host}\n" }
      ['a', 'b'].each |$name| { file { "/etc/${name}": content => "one\n" } }
      if $host =~ /web1/ { notify { 'alone': } }
    PUPPET
    git("add", ".")
    git("commit", "--quiet", "--message", "three")
    code = File.read("#{repository}/manifests/zzz.pp")
    File.write("#{repository}/manifests/zzz.pp", code.sub('"${host}\n"', '"I am ${host}\n"').sub('"one\n"', '"two\n"').sub("'alone':", "'alone': message => $host"))
    printed, = diff("change", repository)
    expect(printed).to start_with("9 nodes: db1.example.com,").and end_with("9 of 9 nodes differ, in 2 ways\n")
    expect(printed).to include("~ File[/etc/a] and File[/etc/b]  (manifests/zzz.pp:3)\n", "~ File[/etc/host]  (manifests/zzz.pp:2; an example: values differ by node)\n",
      "content: \"db1.example.com\\n\" -> \"I am db1.example.com\\n\"", "\n1 node: web1.example.com (1 changed)\n")
    expect(report("change", repository)["groups"].first["resources"].map { |resource| resource.slice("title", "shared", "varies") }).to eq([
      {"title" => "/etc/a", "shared" => [{"reference" => "File[/etc/a]", "nodes" => []}, {"reference" => "File[/etc/b]", "nodes" => []}]},
      {"title" => "/etc/host", "varies" => true}
    ])
  end

  it "shows dependency cycles that come and go, with the origins of their edges" do
    File.write("#{repository}/manifests/zzz.pp", "notify { 'a': require => Notify['b'] }\n-> notify { 'b': }\n")
    expect(diff("change", repository).first).to include(<<-TEXT)
  + dependency cycle, so that no agent can apply the catalog:
      + Notify[a] before Notify[b] (manifests/zzz.pp:1)
      + Notify[a] requires Notify[b] (manifests/zzz.pp:1)
    TEXT
    expect(report("change", repository)["groups"].first["cycles"]).to match([include("change" => "added", "resources" => ["Notify[a]", "Notify[b]"])])
    expect(diff("change", repository, "--no-ordering").first).not_to include("cycle")
  end

  it "compares directories with commits, and finds nothing where there is nothing" do
    expect(diff("change", repository)).to match([/\A9 nodes compared, no differences\n\z/, anything, 0])
    expect(diff("main", repository).last).to eq(2)
  end

  it "leaves out what is to be ignored" do
    expect(diff("main", "change", "--ignore", "File[/etc/motd],Package[*]", "--ignore", "Class[*]").first).to end_with("9 nodes compared, no differences\n")
    groups = report("main", "change", "--ignore-attr", "content").fetch("groups")
    expect(groups.map { |group| group["nodes"] }).to eq([["web7.example.com"]])
    expect(diff("main", "change", "--ignore", "File[").slice(1, 2)).to match([/\Aerror: --ignore: .*expected/, 1])
  end

  it "leaves out where the code was, and what has a tag unless it is told not to" do
    File.write("#{repository}/manifests/zzz.pp", <<~PUPPET)
      file { '/etc/where': content => module_directory('profile') }
      file { '/etc/tagged': content => 'one', backup => false, tag => 'ignored_octocatalog_diff' }
    PUPPET
    git("add", ".")
    git("commit", "--quiet", "--message", "three")
    File.write("#{repository}/manifests/zzz.pp", File.read("#{repository}/manifests/zzz.pp").sub("'one', backup => false", "'two'"))
    expect(diff("change", repository, "--filters", "CompilationDir").first).to end_with("9 nodes compared, no differences\n")
    expect(diff("change", repository, "--no-ignore-tags").first).to include("File[/etc/tagged]").and include("- backup").and include("(1 changed)")
    printed, = diff("change", repository, "--no-ignore-tags", "--ignore-attr", "-backup")
    expect(printed).to include("~ content: 'one' -> 'two'")
    expect(printed).not_to include("- backup")
    expect(diff("change", repository, "--no-ignore-tags", "--ignore-tags", "a").last).to eq(1)
  end

  it "uses catalogs again whose code, data and facts are the same" do
    cache = ["--cache", "#{directory}/cache"]
    first = report("main", "change", *cache)
    printed, complaints, = diff("main", "change", "--format", "json", *cache)
    expect(complaints.scan(/Compiled 0 nodes .*; 9 compiled by earlier runs/).size).to eq(2)
    expect(JSON.parse(printed)).to eq(first)
    facts = File.read("#{directory}/facts/web1.example.com.json")
    File.write("#{directory}/facts/web1.example.com.json", facts.sub("{", '{"new": true,'))
    expect(diff("main", "change", *cache)[1].scan(/Compiled 1 node .*; 8 compiled by earlier runs/).size).to eq(2)
  end

  it "compares what files are made from" do
    FileUtils.mkdir_p("#{repository}/site-modules/profile/files")
    File.write("#{repository}/site-modules/profile/files/issue", "one\n")
    File.write("#{repository}/manifests/zzz.pp", "file { '/etc/issue': source => 'puppet:///modules/profile/issue' }\n")
    git("add", ".")
    git("commit", "--quiet", "--message", "three")
    File.write("#{repository}/site-modules/profile/files/issue", "two\n")
    printed, = diff("change", repository)
    expect(printed).to include("~ File[/etc/issue]").and include('~ content: "one\n" -> "two\n"')
  end

  it "says which nodes have no catalog, and on which side" do
    File.write("#{repository}/manifests/zzz.pp", "fail('no')\n")
    printed, _, code = diff("change", repository)
    expect(code).to eq(1)
    expect(printed).to include("after: Evaluation Error: Error while evaluating a Function Call, no (file: manifests/zzz.pp, line: 1, column: 1)")
    expect(report(repository, "change").dig("summary", "failed")).to eq(9)
  end

  it "compares what was compiled before, and single catalogs" do
    compile(directory, "#{directory}/before")
    git("checkout", "--quiet", "main")
    compile(directory, "#{directory}/after")
    printed, _, code = puppetfn("diff", "#{directory}/before", "#{directory}/after")
    expect([printed.lines.last, code]).to eq(["9 of 9 nodes differ, in 2 ways\n", 2])
    one = ->(side) { "#{directory}/#{side}/catalogs/web7.example.com.json" }
    expect(puppetfn("diff", one.call("before"), one.call("before"))[0]).to eq("1 node compared, no differences\n")
    expect(puppetfn("diff", one.call("before"), one.call("after"), "--format", "junit")[0]).to include('failures="1"')
  end

  it "compares catalogs that something else made, which are in a directory" do
    compile(directory, "#{directory}/own")
    FileUtils.cp_r("#{directory}/own/catalogs", "#{directory}/others")
    printed, _, code = puppetfn("diff", "#{directory}/others", "#{directory}/own")
    expect([printed, code]).to eq(["9 nodes compared, no differences\n", 0])
    FileUtils.rm("#{directory}/others/web7.example.com.json")
    printed, _, code = puppetfn("diff", "#{directory}/others", "#{directory}/own")
    expect([printed, code]).to match([/web7\.example\.com: there is no catalog of this node before/, 1])
  end

  it "says what it cannot find" do
    _, complaints, code = diff("main", "nothing")
    expect([complaints, code]).to eq(["error: NEW: nothing is not a directory, a file or a Git reference of the repository #{repository}\n", 1])
    _, complaints, code = puppetfn("diff", "main", "change", "--repository", directory)
    expect([complaints, code]).to match([/\Aerror: OLD: main is not a directory, a file or a commit: git .*: fatal: not a git repository/, 1])
    expect(puppetfn("diff", "main", "change", "--repository", repository).slice(1, 2)).to eq(["error: --nodes: expected facts of nodes, or their names\n", 1])
    expect(git("worktree", "list").lines.size).to eq(1)
  end
end
