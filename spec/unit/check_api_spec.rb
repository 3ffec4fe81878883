# frozen_string_literal: true

require_relative "../support/module_tree"

RSpec.describe Puppetfn::Check do
  include ModuleTree

  it "returns findings" do
    with_modules("m/manifests/init.pp" => "class m {\n  file { '/a': ensrue => file }\n}\n") do |root|
      found = described_class.run("#{root}/m")
      expect(found.map { |finding| [finding.rule, finding.severity, finding.line, finding.column] }).to eq([["unknown-parameter", :error, 2, 16]])
      expect(found.first.to_s).to eq("#{root}/m/manifests/init.pp:2:16: error: #{found.first.message} [unknown-parameter]")
      expect(described_class.run(["#{root}/m"], ignore: %w[unknown-parameter unknown-class])).to eq([])
      expect(described_class.run("#{root}/m", data_only: true, fail_on_warnings: nil, all: false)).to eq([])
    end
  end

  it "raises an error for paths and options that do not exist" do
    expect { described_class.run("/nosuch") }.to raise_error(Puppetfn::Error, %r{\A/nosuch: No such file})
    expect { described_class.run(nosuch: true) }.to raise_error(ArgumentError, "unexpected argument '--nosuch' found")
    expect { described_class.run(select: "nosuch") }.to raise_error(ArgumentError, "there is no rule `nosuch`")
    expect { described_class.run("--help") }.to raise_error(ArgumentError, /\A--help: /)
  end
end

RSpec.describe Puppetfn::Format do
  it "lays out code" do
    expect(described_class.format("file{\"/tmp/a\":\n ensure=>file}")).to eq("file { '/tmp/a':\n  ensure => file,\n}\n")
    expect { described_class.format("class {") }.to raise_error(Puppet::ParseErrorWithIssue, /Syntax error/)
  end
end
