# frozen_string_literal: true

require "open3"

require_relative "../support/documented_examples"

# The examples of documents do what they say. On the console, the lines after `$` are the output.
RSpec.describe "the documents" do
  root = File.expand_path("../..", __dir__)
  documents = %w[README docs/ruby docs/command-line docs/unknown-values docs/cty docs/entity-types].to_h do |name|
    [name, File.read(File.join(root, "#{name}.md"), encoding: "UTF-8")]
  end
  blocks = ->(language) { documents.transform_values { |text| text.scan(/^```#{language}\n(.*?)^```$/m).flatten } }

  include DocumentedExamples

  after { Puppetfn.messages = :puppet }

  it "have examples" do
    expect(blocks.("ruby").transform_values(&:size)).to include("README" => 2, "docs/ruby" => 2, "docs/cty" => 6)
    expect(blocks.("console").transform_values(&:size)).to include("README" => 1, "docs/command-line" => 3)
  end

  examples = blocks.("ruby").flat_map do |name, codes|
    codes.map.with_index(1) { |code, number| ["example #{number} of #{name}", code] }
  end
  examples.each do |name, code|
    it "are right about #{name}" do
      expect_right(code)
    end
  end

  blocks.("console").values.join.split(/^\$ /).drop(1).uniq.each do |example|
    command, output = example.split("\n", 2)

    it "are right about: #{command}" do
      path = {"PATH" => [File.join(root, "exe"), ENV.fetch("PATH")].join(File::PATH_SEPARATOR)}
      said, status = Open3.capture2e(path, "sh", "-c", command)

      expect([said, status.exitstatus]).to eq([output, output.start_with?("error: ") ? 1 : 0])
    end
  end
end

RSpec.describe "docs/safety.md" do
  root = File.expand_path("../..", __dir__)

  it "states the limits that hold" do
    held = File.read(File.join(root, "crates/base/src/limits.rs"))[/const DEFAULT.*?;/m].scan(/(\w+): (\d[\d_]*)/)
    stated = File.read(File.join(root, "docs/safety.md"), encoding: "UTF-8").scan(/^\| `(\w+)`: .*? \| ([\d,]+)(?:;[^|]*)? \|/)

    expect(stated.to_h { |name, limit| [name, limit.delete(",").to_i] })
      .to eq(held.to_h { |name, limit| [name, limit.delete("_").to_i] })
  end
end

RSpec.describe "docs/compatibility.md" do
  it "names the built-in functions" do
    text = File.read(File.expand_path("../../docs/compatibility.md", __dir__), encoding: "UTF-8")
    named = text[/^- \*\*Built-in functions\*\*: (.*?)\.$/m, 1].split(/,\s+/)

    expect(named).to eq(Puppetfn::Runtime.new.list_functions.reject { |name| name.start_with?("cty::") })
  end
end

RSpec.describe "docs/documentation.md" do
  root = File.expand_path("../..", __dir__)

  it "names the rules that there are" do
    ruby = Dir["#{root}/lib/puppetfn/doc/*_lint.rb"].map { |file| File.read(file) }.join
    rules = ruby.scan(/(?:report\(\w+|overridden\("\w+"|@report\.call\([^"]*?), "(\w+)"/).flatten
    rules += File.read("#{root}/crates/doc/src/lint.rs").scan(/\.find\([^"]*"(\w+)"/).flatten
    named = File.read("#{root}/docs/documentation.md", encoding: "UTF-8").scan(/^\| `(\w+)` \|/).flatten

    expect(rules.size).to be > 20
    expect(named).to match_array(rules.uniq)
  end
end
