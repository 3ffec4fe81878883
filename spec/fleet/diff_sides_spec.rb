# frozen_string_literal: true

require_relative "support"

# Which modules and files `puppetfn diff` compares, and how it ends.
RSpec.describe "the sides of puppetfn diff" do
  include FleetOfNodes

  around do |example|
    Dir.mktmpdir("puppetfn-diff-spec-") do |directory|
      @root = File.realpath(directory)
      example.run
    end
  end

  let(:repository) { "#{@root}/control" }

  def write(files)
    files.each do |path, text|
      FileUtils.mkdir_p(File.dirname("#{repository}/#{path}"))
      File.write("#{repository}/#{path}", text)
    end
  end

  def git(*words)
    out, status = Open3.capture2e("git", "-C", repository, "-c", "user.name=n", "-c", "user.email=e@example.com", *words)
    raise out unless status.success?
  end

  def commit(files)
    write(files)
    git("add", ".")
    git("commit", "--quiet", "--message", "a change")
  end

  before do
    FileUtils.mkdir_p(["#{@root}/facts", repository])
    File.write("#{@root}/facts/web.json", '{"kernel": "Linux"}')
    git("init", "--quiet", "--initial-branch", "main", ".")
    commit(
      ".gitignore" => "/modules/installed\n/vendor\n", "manifests/site.pp" => "include own\n",
      "environment.conf" => "modulepath = site:modules:vendor\n", "Puppetfile" => "mod 'installed'\n",
      "site/own/manifests/init.pp" => "class own { notify { 'one': } include installed }\n",
      "modules/kept/manifests/init.pp" => "class kept { }\n"
    )
    # As r10k does.
    write("modules/installed/manifests/init.pp" => "class installed { notify { 'installed': } }\n")
    commit("site/own/manifests/init.pp" => "class own { notify { 'two': } include installed }\n")
  end

  def diff(old, new, *arguments)
    puppetfn("diff", old, new, "--nodes", "#{@root}/facts", *arguments, chdir: repository)
  end

  changed = /Notify\[one\].*Notify\[two\]|Notify\[two\].*Notify\[one\]/m
  note = %r{^Notice: Both sides use the untracked modules in \S+/control/modules; --only-tracked ignores them}

  it "uses modules that the repository does not track on both sides, and says so" do
    expect(diff("HEAD~1", "HEAD")).to match([changed, note, 2])
    expect(diff("HEAD", "HEAD")).to match([/no differences/, note, 0])
    expect(diff("HEAD", ".")).to match([/no differences/, note, 0])
    expect(diff("HEAD", "HEAD", "--only-tracked")).to match([/installed/, satisfy { |said| !note.match?(said) }, 1])
  end

  it "resolves a relative modulepath on each side" do
    expect(diff("HEAD~1", "HEAD", "--modulepath", "site:modules")).to match([changed, note, 2])
    expect(diff("HEAD~1", ".", "--modulepath", "site:modules")).to match([changed, note, 2])
  end

  it "refuses tracked directories that would be the working tree's on both sides" do
    said = "error: --modulepath: #{repository}/site is tracked by the repository, but both sides would use the working tree's; " \
           "name it relative to the repository: site\n"
    expect(diff("HEAD~1", "HEAD", "--modulepath", "#{repository}/site")).to eq(["", said, 1])
    expect(diff("HEAD~1", "HEAD", "--modulepath", "site:nowhere")).to match(["", /there is no directory nowhere on either side/, 1])
  end

  it "says that installed modules may be others than those of a side" do
    commit("Puppetfile" => "mod 'installed', '2.0.0'\n")
    expect(diff("HEAD~1", "HEAD")[1]).to include("Notice: The Puppetfile differs, but both sides use the modules that are installed now")
  end

  it "compares the files of directories that are copied" do
    copied = "file { '/d': ensure => directory, recurse => true, ignore => '*.md', source => 'puppet:///modules/own/dir' }"
    commit("site/own/manifests/init.pp" => "class own { #{copied} }\n", "site/own/files/dir/sub/a" => "1", "site/own/files/dir/r.md" => "1")
    commit("site/own/files/dir/sub/a" => "2")
    expect(diff("HEAD~1", "HEAD")).to match([%r{File\[/d\].*content.*sub/a}m, anything, 2])
    commit("site/own/files/dir/r.md" => "2")
    expect(diff("HEAD~1", "HEAD").last).to eq(0)
  end

  it "says where there is nothing to compare" do
    commit("manifests/site.pp" => "node other { }\nnode default { }\n")
    expect(diff("HEAD", "HEAD")).to match([/no differences/, /^Warning: Before and after, the catalog of web has neither classes nor resources$/, 0])
  end

  it "calls the environment what `compile` calls it" do
    commit("manifests/site.pp" => "notice($environment)\nnotify { $environment: }\n")
    out, = puppetfn("diff", "HEAD~1", "HEAD", "--nodes", "#{@root}/facts", chdir: repository)
    compiled, = puppetfn("compile", "web", "--environment", ".", "--format", "text", chdir: repository)
    expect([out, compiled]).to all(include("production"))
  end

  {
    "a misspelt option" => %w[HEAD HEAD --mode-path x], "an unknown reference" => %w[HEAD nowhere], "a rule that is none" => ["HEAD", "HEAD", "--ignore", "File["],
    "a setting that is none" => %w[HEAD HEAD --setting nothing=1], "a directory that is no environment" => %w[site/own/manifests .],
    "no processes" => %w[HEAD HEAD --jobs 0]
  }.each do |what, arguments|
    it "ends with 1 for #{what}" do
      expect(diff(*arguments)).to match([anything, /^error: /, 1])
    end
  end

  it "ends with 1 where there are no nodes" do
    File.write("#{@root}/none", "")
    expect(puppetfn("diff", "HEAD", "HEAD", "--nodes", "#{@root}/none", chdir: repository).last).to eq(1)
    expect(puppetfn("diff", "HEAD", "HEAD", chdir: repository).last).to eq(1)
  end

  it "names a node that is listed twice" do
    File.write("#{@root}/twice", "web\nweb\n")
    expect(puppetfn("diff", "HEAD", "HEAD", "--nodes", "#{@root}/twice", chdir: repository))
      .to match(["", a_string_ending_with("error: #{@root}/twice: duplicate node web\n"), 1])
  end

  it "says once why both sides fail, wherever they are" do
    commit("manifests/site.pp" => "fail('in ./here')\n")
    out, _, code = diff("HEAD", ".")
    reason = "Evaluation Error: Error while evaluating a Function Call, in ./here (file: manifests/site.pp, line: 1, column: 1)"
    expect([out, code]).to match([a_string_starting_with("could not compare web: before and after: #{reason}\n"), 1])
  end
end
