# frozen_string_literal: true

require "digest"
require "open3"
require "shellwords"
require "tmpdir"
require "yaml"

# The action for GitHub and the component for GitLab, with the command of the checkout as the program of a release.
RSpec.describe "continuous integration" do
  root = File.expand_path("../..", __dir__)
  version = Gem::Specification.load(File.join(root, "puppetfn.gemspec")).version.to_s
  action = YAML.load_file(File.join(root, "action.yml"))

  around do |example|
    Dir.mktmpdir do |directory|
      @directory = File.realpath(directory)
      example.run
    end
  end

  def write(path, text, mode: 0o644)
    file = File.join(@directory, path)
    FileUtils.mkdir_p(File.dirname(file))
    File.write(file, text)
    File.chmod(mode, file)
    file
  end

  # A release whose program is the command of the checkout.
  define_method(:release) do
    command = [RbConfig.ruby, "-I", "#{root}/lib", "#{root}/exe/puppetfn"].shelljoin
    write("release/puppetfn", "#!/bin/sh\nexec #{command} \"$@\"\n", mode: 0o755)
    archive = "puppetfn-#{version}-#{RbConfig::CONFIG["host_cpu"]}-linux-musl.tar.gz"
    Dir.chdir("#{@directory}/release") { system("tar", "-czf", write("releases/v#{version}/#{archive}", ""), "puppetfn", exception: true) }
    @sums = write("releases/v#{version}/SHA256SUMS", "#{Digest::SHA256.file("#{@directory}/releases/v#{version}/#{archive}")}  #{archive}\n")
  end

  def sh(script, env = {}, chdir: @directory)
    Open3.capture2e({"PUPPETFN_RELEASES" => "file://#{@directory}/releases", "HOME" => @directory, **env}, "bash", "-euo", "pipefail", "-c", script, chdir: chdir)
  end

  # Replaces the expressions of a workflow that the action uses.
  def expanded(text, inputs)
    values = {"runner.temp" => @directory, "github.event.number" => "7", "github.token" => "t", **inputs.transform_keys { |name| "inputs.#{name}" }}
    text.to_s.gsub(/\$\{\{ ([\w.-]+) \}\}/) { values.fetch(Regexp.last_match(1)) }
  end

  # Runs the steps of the action as a runner does, without caches, and returns their output, status, and the summary of the job.
  define_method(:run_action) do |given, repository|
    inputs = action["inputs"].to_h { |name, input| [name, given.fetch(name, expanded(input["default"], {}))] }
    runner = {"GITHUB_ACTION_PATH" => root, "GITHUB_PATH" => "#{@directory}/path", "GITHUB_STEP_SUMMARY" => "#{@directory}/summary",
              "RUNNER_TEMP" => @directory, "GITHUB_REPOSITORY" => "a/b"}
    output, status = +"", nil
    action["runs"]["steps"].select { |step| step.key?("run") }.each do |step|
      condition = step["if"].to_s
      next if condition.include?("inputs.command") && !condition.include?("'#{inputs["command"]}'")

      path = [*(File.readlines(runner["GITHUB_PATH"], chomp: true) if File.exist?(runner["GITHUB_PATH"])), "#{@directory}/bin", ENV.fetch("PATH")].join(":")
      env = step["env"].transform_values { |value| expanded(value, inputs) }
      said, status = sh(step["run"], {**runner, **env, "PATH" => path}, chdir: step["working-directory"] ? repository : @directory)
      output << said
      break unless status.success?
    end
    [output, status.exitstatus, File.exist?(runner["GITHUB_STEP_SUMMARY"]) ? File.read(runner["GITHUB_STEP_SUMMARY"]) : ""]
  end

  it "checks a module with annotations, a summary and SARIF" do
    release
    write("module/manifests/init.pp", "class module { notify { 'a': mesage => 'b' } }\n")
    output, status, summary = run_action({"arguments" => "'manifests' --fail-on-warnings", "sarif" => "findings.sarif"}, "#{@directory}/module")

    expect(output).to include("puppetfn #{version} (answers as Puppet 8.11.0) is in #{@directory}").and match(%r{^::error file=manifests/init.pp,line=1})
    expect(status).to eq(1)
    expect(summary).to match(/\A### puppetfn check\n\n```text\n.*unknown-parameter/m)
    expect(JSON.parse(File.read("#{@directory}/module/findings.sarif"))["runs"][0]["results"].size).to eq(1)

    write("module/manifests/init.pp", "class module { }\n")
    expect(run_action({}, "#{@directory}/module")[1]).to eq(0)
    output, status, = run_action({"arguments" => "--no-such-option"}, "#{@directory}/module")
    expect([output, status]).to match([/--no-such-option/, 2])
  end

  it "compares catalogs, and replaces its comment" do
    release
    write("bin/gh", "#!/bin/sh\necho \"gh $*\" >>#{@directory}/gh\ncase \"$*\" in *--paginate*) cat #{@directory}/earlier 2>/dev/null;; esac; true\n", mode: 0o755)
    write("control/environment.conf", "")
    write("control/facts/web1.yaml", "os: {family: Debian}\n")
    write("control/manifests/site.pp", "notify { 'a': }\n")
    sh("git init -q -b main . && git config user.name a && git config user.email a@b && git add . && git commit -qm a", chdir: "#{@directory}/control")
    write("control/manifests/site.pp", "notify { 'b': }\n")
    sh("git commit -qam b", chdir: "#{@directory}/control")
    inputs = {"command" => "diff", "base" => "HEAD~1", "arguments" => "--nodes facts", "comment" => "true"}
    output, status, summary = run_action(inputs, "#{@directory}/control")

    expect(status).to eq(0), output
    expect(summary).to include("Notify[b]")
    expect(File.read("#{@directory}/gh")).to include("--method POST repos/a/b/issues/7/comments --field body=@")
    expect(Dir["#{@directory}/*.comment"].map { |file| File.read(file) }).to contain_exactly(a_string_starting_with("<!-- puppetfn diff -->\n"))
    write("earlier", "42\n")
    run_action(inputs, "#{@directory}/control")
    expect(File.read("#{@directory}/gh")).to include("--method PATCH repos/a/b/issues/comments/42")
  end

  it "installs the program of a release" do
    release
    output, status = sh("sh #{root}/packaging/install.sh")
    expect([output, status]).to match([%r{ is in #{@directory}/.local/bin\nhelp: add #{@directory}/.local/bin to PATH: export PATH=}, be_success])
    expect(sh("#{@directory}/.local/bin/puppetfn --version").first).to include(version)
    expect(sh("sh #{root}/packaging/install.sh 0.0.0")).to match([%r{/v0\.0\.0/.* is missing}, satisfy { |ended| !ended.success? }])
  end

  it "installs the gem of a release" do
    platform = RbConfig::CONFIG["host_os"].include?("musl") ? "musl" : "gnu"
    write("gem/puppetfn.gemspec", <<~RUBY)
      Gem::Specification.new("puppetfn", "#{version}") do |spec|
        spec.platform = Gem::Platform.new(["#{RbConfig::CONFIG["host_cpu"]}", "linux"])
        spec.summary, spec.authors, spec.files = "a gem", ["a"], ["lib/a.rb"]
      end
    RUBY
    write("gem/lib/a.rb", "")
    file = write("releases/v#{version}/puppetfn-#{version}-#{RbConfig::CONFIG["host_cpu"]}-linux-#{platform}.gem", "")
    sh("gem build --silent --force --output #{file} puppetfn.gemspec", {"RUBYOPT" => nil}, chdir: "#{@directory}/gem")
    write("releases/v#{version}/SHA256SUMS", "#{Digest::SHA256.file(file)}  #{File.basename(file)}\n")
    home = {"GEM_HOME" => "#{@directory}/gems", "GEM_PATH" => "#{@directory}/gems", "RUBYOPT" => nil}
    output, status = sh("sh #{root}/packaging/install.sh --gem", home)
    expect([output, status]).to match([/^Successfully installed puppetfn-#{version}/, be_success])
    expect(Dir.children("#{@directory}/gems/gems")).to contain_exactly(a_string_starting_with("puppetfn-#{version}-"))
    File.write(file, "another")
    expect(sh("sh #{root}/packaging/install.sh --gem", home).first).to include("the checksum of puppetfn-#{version}-")
  end

  it "installs no program whose checksum is wrong" do
    release
    File.write(@sums, File.read(@sums).sub(/\A\h/) { |digit| (digit == "0") ? "1" : "0" })
    output, status = sh("#{root}/packaging/install.sh #{version}")

    expect(output).to include("the checksum of puppetfn-#{version}-")
    expect(status).not_to be_success
    expect(File.exist?("#{@directory}/.local/bin/puppetfn")).to be(false)
  end

  it "reports to GitLab" do
    header, job = YAML.load_stream(File.read("#{root}/packaging/gitlab/check.yml").gsub(/\$\[\[ inputs\.(\w+) \]\]/, '${\1}'))
    values = header["spec"]["inputs"].transform_values { |input| input["default"] }
    write("module/manifests/init.pp", "class module { notify { 'a': mesage => 'b' } }\n")
    write("bin/pip", "#!/bin/sh\necho \"pip $*\"\n", mode: 0o755)
    write("bin/puppetfn", "#!/bin/sh\nexec #{[RbConfig.ruby, "-I", "#{root}/lib", "#{root}/exe/puppetfn"].shelljoin} \"$@\"\n", mode: 0o755)
    script = job.values.first["script"].join("\n").gsub(/\$\{(\w+)\}/) { values.fetch(Regexp.last_match(1)) }
    output, status = sh(script, {"PATH" => "#{@directory}/bin:#{ENV.fetch("PATH")}"}, chdir: "#{@directory}/module")

    expect([output, status.exitstatus]).to match([/puppetfn==#{version}.*unknown-parameter/m, 1])
    reports = job.values.first["artifacts"]["reports"].transform_values { |file| File.read("#{@directory}/module/#{file}") }
    expect(JSON.parse(reports["codequality"]).size).to eq(1)
    expect(reports["junit"]).to include("<testsuite")
  end

  it "has the inputs and hooks that the files of puppetfn init name" do
    %w[spec/a_spec.rb facts/web1.json environment.conf Puppetfile].each { |path| write("control/#{path}", "") }
    write("module/spec/a_spec.rb", "")
    write("module/metadata.json", "{}")
    files = %w[module control].to_h do |directory|
      %w[github gitlab].each { |service| sh("#{[RbConfig.ruby, "#{root}/exe/puppetfn", "init", "--ci", service].shelljoin} #{directory}") }
      [directory, ->(path) { YAML.load_file("#{@directory}/#{directory}/#{path}") }]
    end
    files.each_value do |read|
      steps = read[".github/workflows/puppetfn.yml"]["jobs"].values.flat_map { |job| job["steps"] }
      own = steps.select { |step| step["uses"] == "puppetfn/puppetfn@v#{version}" }
      expect(own).not_to be_empty
      expect(own.flat_map { |step| step["with"].keys } - action["inputs"].keys).to eq([])
      included = read[".gitlab-ci.yml"]["include"].first
      path = included["remote"].delete_prefix("https://raw.githubusercontent.com/puppetfn/puppetfn/v#{version}/")
      component = YAML.load_stream(File.read(File.join(root, path))).first
      expect(included["inputs"].keys - component["spec"]["inputs"].keys).to eq([])
      hooks = YAML.load_file(File.join(root, ".pre-commit-hooks.yaml")).map { |hook| hook["id"] }
      expect(read[".pre-commit-config.yaml"]["repos"].first["hooks"].map { |hook| hook["id"] } - hooks).to eq([])
    end
    expect(files["module"][".github/workflows/puppetfn.yml"]["jobs"].keys).to eq(%w[check specs])
    expect(files["control"][".github/workflows/puppetfn.yml"]["jobs"].keys).to eq(%w[check diff])
    expect(files["module"][".gitlab-ci.yml"].keys).to eq(%w[include specs])
  end

  it "installs this version by default" do
    versions = [action["inputs"]["version"]["default"], File.read("#{root}/packaging/install.sh")[/version=\$\{1:-(.*)\}/, 1],
                File.read("#{root}/packaging/gitlab/check.yml")[/puppetfn\n      default: "(.*)"/, 1]]
    expect(versions).to all(eq(version))
  end
end
