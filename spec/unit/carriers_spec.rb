# frozen_string_literal: true

require "open3"
require "tmpdir"
require "yaml"

# Packages of Python and npm that carry the program: here, with a script in its place.
RSpec.describe "the packages of other registries" do
  root = File.expand_path("../..", __dir__)
  version = Gem::Specification.load(File.join(root, "puppetfn.gemspec")).version.to_s
  platform = "#{RbConfig::CONFIG["host_cpu"]}-linux-musl"

  around do |example|
    Dir.mktmpdir do |directory|
      @directory = directory
      @program = File.join(directory, "program")
      File.write(@program, "#!/bin/sh\necho \"ran with $*\"\nexit 3\n")
      example.run
    end
  end

  def sh(*command, env: {}, status: 0, chdir: @directory)
    output, ended = Open3.capture2e({"RUBYOPT" => nil, **env}, *command, chdir: chdir)
    expect(ended.exitstatus).to eq(status), "#{command.join(" ")}\n#{output}"
    output
  end

  def rake(root, task) = sh("rake", task, env: {"PKG" => @directory}, chdir: root)

  it "are a wheel, which pip installs" do
    rake(root, "wheel[#{platform},#{@program}]")
    first = Dir["#{@directory}/*.whl"].to_h { |file| [file, File.binread(file)] }
    rake(root, "wheel[#{platform},#{@program}]")

    expect(Dir["#{@directory}/*.whl"].to_h { |file| [file, File.binread(file)] }).to eq(first)
    expect(first.size).to eq(1)
    sh("python3", "-m", "venv", "venv")
    sh("venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", *first.keys)
    expect(sh("venv/bin/pip", "list", "--format", "freeze", "--disable-pip-version-check")).to include("puppetfn==#{version}\n")
    expect(sh("venv/bin/puppetfn", "check", ".", status: 3)).to eq("ran with check .\n")
  end

  it "are packages of npm, of which one has the command", unless: ENV["WITHOUT_NPM"] == "1" do
    rake(root, "npm[#{platform},#{@program}]")
    # Packages of other platforms are not there, and optional.
    File.write(File.join(@directory, "package.json"), "{}")
    sh("npm", "install", "--offline", "--no-audit", "--no-fund", *Dir["#{@directory}/*.tgz"], env: {"HOME" => @directory})

    expect(sh("node_modules/.bin/puppetfn", "check", ".", status: 3)).to eq("ran with check .\n")
    FileUtils.rm_rf(Dir["#{@directory}/node_modules/@puppetfn"])
    expect(sh("node_modules/.bin/puppetfn", "check", ".", status: 2)).to match(%r{has no program for linux on \w+: the package @puppetfn/linux})
  end

  it "are all built by tasks that exist, with a list of the crates" do
    script = 'Rake.load_rakefile("Rakefile"); Dir["rakelib/*.rake"].each { |file| load(file) }
              puts Distribution.tasks.each { |task| Rake::Task[task[/[^\[]+/]] }'
    tasks = sh("ruby", "-rrake", "-e", script, chdir: root).lines(chomp: true)
    rake(root, "sbom")
    rake(root, "checksums")
    crates = JSON.parse(File.read("#{@directory}/puppetfn-#{version}.cdx.json"))

    expect(tasks).to include("pkg", "gem:native[x86_64-linux-gnu]", "wheel[aarch64-linux-musl]", "vsix[alpine-arm64]")
    references = crates["components"].map { |crate| crate["bom-ref"] }
    expect(references).to include(a_string_starting_with("pkg:cargo/puppetfn-types@"), a_string_starting_with("pkg:cargo/nom@"))
    expect(references.grep(/proptest|insta@/)).to be_empty
    expect(crates["dependencies"].flat_map { |crate| crate["dependsOn"] } - references).to be_empty
    expect(sh("sha256sum", "--check", "SHA256SUMS")).to include("puppetfn-#{version}.cdx.json: OK")
  end

  it "are installed by the hooks of pre-commit" do
    hooks = YAML.load_file(File.join(root, ".pre-commit-hooks.yaml"))
    project = JSON.parse(sh("python3", "-c", "import json, tomllib; print(json.dumps(tomllib.load(open('pyproject.toml', 'rb'))))", chdir: root))

    expect(hooks.map { |hook| hook["language"] }.uniq).to eq(["python"])
    expect(project["project"].values_at("version", "dependencies")).to eq([version, ["puppetfn==#{version}"]])
  end
end
