# frozen_string_literal: true

require "json"
require "open3"

# The list of layers in docs/architecture.md has the dependencies that Cargo reports.
RSpec.describe "docs/architecture.md" do
  root = File.expand_path("../..", __dir__)
  document = File.read("#{root}/docs/architecture.md", encoding: "UTF-8")
  layers = document[/^A crate of the core depends only on those above it.*?\n\n(.*?)\n\n/m, 1].lines.map { |line| line[/\A    (\w+)/, 1] }
  # None is a layer of the core: the extension, the runner of recorded cases, the crate that re-exports, and its page for browsers.
  others = %w[ext vectors puppetfn playground]

  # Names of the workspace's crates, each with the crates that it depends on, which tests alone do not.
  dependencies = lambda do
    output, status = Open3.capture2("cargo", "metadata", "--no-deps", "--offline", "--format-version", "1", chdir: root)
    raise "cargo metadata failed" unless status.success?

    JSON.parse(output).fetch("packages").to_h do |package|
      needed = package.fetch("dependencies").reject { |one| one["kind"] == "dev" }.map { |one| one["name"].delete_prefix("puppetfn-") }
      [package["name"].delete_prefix("puppetfn-"), needed]
    end
  end

  it "lists all crates of the core, each below those that it depends on" do
    crates = dependencies.call
    expect(layers).to match_array(crates.keys - others)

    upward = layers.each_with_index.flat_map do |layer, index|
      (crates.fetch(layer) & layers.drop(index)).map { |needed| "#{layer} depends on #{needed}" }
    end
    expect(upward).to eq([])
  end

  it "names the crates that programs which embed the core do not build" do
    crates = dependencies.call
    built = ["puppetfn"]
    built.each { |name| built.concat(crates.fetch(name, []) - built) }
    named = document[/^`puppetfn` re-exports the crates.*?It depends on none of (.*?), so/m, 1].to_s.scan(/`([a-z]+)`/).flatten
    expect(named).to match_array(layers - built)
  end

  it "compiles nodes without a library for command lines" do
    output, status = Open3.capture2("cargo", "tree", "--offline", "--package", "puppetfn-compile", "--edges", "normal", "--prefix", "none", chdir: root)
    expect([status.success?, output.lines.grep(/\A(?:clap|indicatif|puppetfn-cli)\b/)]).to eq([true, []])
  end

  it "has a row for each crate, with folders and files that exist" do
    rows = document.lines.grep(/\A\| `/).map { |line| line.split("|")[1] }
    expect(layers.reject { |layer| rows.join.include?("`crates/#{layer}/src/") }).to eq([])

    paths = rows.flat_map { |row| row.scan(/`([^`]+)`/).flatten }.grep(%r{\A(?:crates|ext|lib|src|sig|spec|tests|bench|fuzz|vectors)/})
    expect(paths.reject { |path| File.exist?(File.join(root, path)) }).to eq([])
  end
end
