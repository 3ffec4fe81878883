# frozen_string_literal: true

require "fileutils"
require "open3"
require "rbconfig"
require "tmpdir"
require "yaml"

# What docs/specs.md says a module needs, tried on a copy of a module: the Gemfile with Bundler, the Rakefile, and what the jobs
# run, in order. Gems that are not installed here have local ones in their places, and nothing is fetched.
RSpec.describe "docs/specs.md" do
  root = File.expand_path("../..", __dir__)
  snippets = File.read(File.join(root, "docs", "specs.md")).scan(/^```(?:ruby|yaml)\n(.*?)^```$/m).flatten
  snippet = ->(comment) { snippets.find { |text| text.start_with?("# #{comment}") } }

  before(:all) do
    @directory = Dir.mktmpdir
    # The program that is named `bundle`, which not every package of Ruby has.
    write("bin/bundle", <<~RUBY)
      #!#{RbConfig.ruby}
      require "bundler"
      require "bundler/friendly_errors"
      require "bundler/cli"
      ARGV << "--local" if ARGV.first == "install"
      Bundler.with_friendly_errors { Bundler::CLI.start(ARGV, debug: true) }
    RUBY
    File.chmod(0o755, File.join(@directory, "bin", "bundle"))
    gem("facterdb", "facterdb", "module FacterDB; end\n")
    gem("puppet_fixtures", "puppet_fixtures/tasks", <<~RUBY)
      task("fixtures:prep") do
        mkdir_p("spec/fixtures/modules")
        ln_sf(#{File.join(__dir__, "modules", "shop").inspect}, "spec/fixtures/modules/shop")
      end
    RUBY
  end

  after(:all) { FileUtils.rm_r(@directory) }

  def write(path, text)
    path = File.join(@directory, path)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
  end

  def gem(name, library, code)
    write("#{name}/lib/#{library}.rb", code)
    write("#{name}/#{name}.gemspec", <<~RUBY)
      Gem::Specification.new { |gem| gem.name, gem.version, gem.summary, gem.authors = #{name.inspect}, "1", "for a test", ["none"] }
    RUBY
  end

  # A clean copy of a module, with what the documentation adds.
  define_method(:prepared) do
    copy = File.join(@directory, "kiosk")
    FileUtils.rm_rf(copy)
    FileUtils.cp_r(File.join(__dir__, "modules", "kiosk"), copy)
    FileUtils.rm_rf(File.join(copy, "spec", "fixtures", "modules"))
    local = {"puppetfn" => root, "facterdb" => File.join(@directory, "facterdb"), "puppet_fixtures" => File.join(@directory, "puppet_fixtures")}
    gemfile = snippet["Gemfile"].gsub(/^  gem "(\w+)"/) { local.key?($1) ? "#{$&}, path: #{local[$1].inspect}" : $& }
    File.write(File.join(copy, "Gemfile"), gemfile)
    File.write(File.join(copy, "Rakefile"), snippet["Rakefile"])
    copy
  end

  # Runs a line as a shell does on a clean machine.
  def shell(line, directory)
    environment = {
      "PATH" => "#{File.join(@directory, "bin")}:#{ENV.fetch("PATH")}", "HOME" => @directory, "XDG_CACHE_HOME" => @directory,
      "BUNDLE_GEMFILE" => nil, "RUBYOPT" => nil
    }
    output, status = Open3.capture2e(environment, "bash", "-e", "-c", line, chdir: directory)
    expect(status.exitstatus).to eq(0), "#{line}\n#{output}"
    output
  end

  it "has a workflow of GitHub's whose steps succeed" do
    workflow = YAML.safe_load(snippet[".github/workflows/specs.yml"])
    steps = workflow.fetch("jobs").fetch("specs").fetch("steps")
    expect(steps).to all(match("run" => String).or(include("uses" => match(%r{\A[\w-]+/[\w-]+@v\d+\z}))))
    expect(workflow.values_at("name", true)).to eq(["Specs", %w[push pull_request]])

    # `bundler-cache: true` of ruby/setup-ruby does this.
    expect(steps.filter_map { |step| step.dig("with", "bundler-cache") }).to eq([true])
    directory = prepared
    shell("bundle install", directory)
    outputs = steps.filter_map { |step| step["run"] }.map { |line| shell(line, directory) }
    expect(outputs.last).to include("21 examples, 0 failures")
  end

  it "has a job of GitLab's whose script succeeds" do
    job = YAML.safe_load(snippet[".gitlab-ci.yml"]).fetch("specs")
    directory = prepared
    configure, *script = job.fetch("script")
    shell(configure, directory)
    configuration = File.join(directory, ".bundle", "config")
    expect(YAML.load_file(configuration)).to eq("BUNDLE_PATH" => job.fetch("cache").fetch("paths").first)
    # Nothing can be installed there without fetching it.
    File.delete(configuration)
    outputs = script.map { |line| shell(line, directory) }
    expect(outputs.last).to include("21 examples, 0 failures")
    expect(job.dig("artifacts", "paths").map { |path| File.size(File.join(directory, path)) }).to all(be > 0)
  end
end
