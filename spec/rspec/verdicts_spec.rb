# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"
require "tempfile"
require "yaml"
require_relative "../support/without_facterdb"

# The specs of the module in `modules/shop` have the verdicts that rspec-puppet gives with real Puppet. These are
# recorded in `verdicts.json`, by the ids of the examples; `deviations.yaml` says where and why others are right. Those of
# the module in `modules/bakery`, with their descriptions, are in `catalog_verdicts.json`.
RSpec.describe "puppetfn test" do
  root = File.expand_path("../..", __dir__)
  shop = File.join(__dir__, "modules", "shop")
  command = [RbConfig.ruby, File.join(root, "exe", "puppetfn"), "test"]

  kiosk = File.join(__dir__, "modules", "kiosk")

  bakery = File.join(__dir__, "modules", "bakery")

  define_method(:run) do |*arguments, chdir: shop|
    Open3.capture3({**WithoutFacterDB::ENVIRONMENT, "XDG_CACHE_HOME" => Dir.tmpdir}, *command, *arguments, chdir: chdir)
  end

  def verdicts(text)
    examples(text).to_h { |example| [example["id"], example["status"]] }
  end

  # Without that of the coverage of resources, which is in no file of the module.
  def examples(text)
    JSON.parse(text).fetch("examples").reject { |example| example["full_description"].start_with?("Code coverage") }
  end

  it "gives the verdicts of rspec-puppet" do
    recorded = JSON.parse(File.read(File.join(__dir__, "verdicts.json")))
    deviations = YAML.safe_load(File.read(File.join(__dir__, "deviations.yaml")))

    given = Tempfile.create("verdicts") do |file|
      _, _, status = run("-f", "json", "-o", file.path)
      expect(status.exitstatus).to eq(1)
      verdicts(File.read(file.path))
    end

    differing = given.reject { |id, verdict| recorded[id] == verdict }
    expect(given.keys).to match_array(recorded.keys)
    expect(differing.transform_values(&:to_s)).to eq(deviations.transform_values { |deviation| deviation["verdict"] })
  end

  it "gives the verdicts and descriptions of rspec-puppet for classes, defined types and hosts" do
    recorded = JSON.parse(File.read(File.join(__dir__, "catalog_verdicts.json")))

    given = Tempfile.create("verdicts") do |file|
      output, _, status = run("-f", "json", "-o", file.path, chdir: bakery)
      expect(status.exitstatus).to eq(1)
      expect(output).to include("Resource coverage: 72.73%\n\nUntouched resources:\n  Bakery_loaf[baker's]\n")
      examples(File.read(file.path))
        .to_h { |example| [example["id"], [example["status"], example["full_description"].gsub(/#<Proc.*>/, "#<Proc>")]] }
    end

    expect(given).to eq(recorded)
  end

  it "succeeds when all examples pass" do
    output, _, status = run("spec/functions/each_article_spec.rb", "-e", "gives the block")

    expect(output).to include("1 example, 0 failures")
    expect(status.exitstatus).to eq(0)
  end

  it "leaves out groups that need Puppet, and says so" do
    output, error, = run("spec/functions/mixed_spec.rb")

    # One is that of the coverage of resources.
    expect(output).to include("2 examples, 0 failures")
    expect(error).to include("skipped, because only Puppet can run it: 1 example (application)")
  end

  it "runs in several processes, with the output of one" do
    outputs = [[], ["--parallel", "3"]].map do |arguments|
      output, _, status = run(*arguments, "--order", "defined", "--format", "documentation")
      expect(status.exitstatus).to eq(1)
      output.sub(/^Finished in .*/, "")
    end
    expect(outputs.last).to eq(outputs.first)
  end

  it "says what no example has reached, also of several processes" do
    [[], ["--parallel=2"]].each do |arguments|
      output, _, status = run("--coverage", *arguments, chdir: kiosk)

      expect(output).to include(<<~TEXT)
        Coverage of kiosk: 4 of 5 functions, 1 of 2 signatures, 2 of 3 type aliases, 2 of 4 branches
          not reached: kiosk::greeting(Array[String[1], 1] names)
          not reached: kiosk::refund() (functions/refund.pp)
          not reached: Kiosk::Drink: Integer[1, 9]
          not reached: Kiosk::Mode: Enum['closed']
          not reached: Kiosk::Unused
      TEXT
      expect(status.exitstatus).to eq(0)
    end
  end

  it "says how it is used" do
    output, _, status = run("--help")

    expect(output).to include("Usage: puppetfn test [OPTIONS] [PATH|RSPEC OPTION]...")
    expect(status.exitstatus).to eq(0)
  end
end
