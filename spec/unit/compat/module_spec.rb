# frozen_string_literal: true

require_relative "../../support/module_tree"

RSpec.describe Puppetfn::Puppet::Module do
  include ModuleTree

  it "says what metadata.json says" do
    metadata = ModuleTree.metadata("ada-m", version: "1.2.3", summary: "s")
    with_runtime({"m/metadata.json" => metadata, "bare/manifests/init.pp" => "", "broken/metadata.json" => "{"}) do |runtime, root|
      known, bare, broken = %w[m bare broken].map { |name| runtime.environment.module(name) }
      expect([known.version, known.forge_name, known.author, known.summary, known.dependencies]).to eq(["1.2.3", "ada/m", "ada", "s", []])
      expect(known.metadata_file).to eq(File.join(root, "m/metadata.json"))
      expect([known, bare, broken].map(&:has_metadata?)).to eq([true, false, false])
      expect([bare.version, bare.forge_name, bare.dependencies]).to eq([nil, nil, []])
    end
  end

  it "finds files of each kind" do
    files = {"m/files/a/b" => "", "m/lib/facter/f.rb" => "", "m/manifests/init.pp" => "", "m/manifests/x/y.pp" => ""}
    with_runtime(files) do |runtime, root|
      found = runtime.environment.module("m")
      directory = File.join(root, "m")
      expect([found.file("a/b"), found.file, found.file("c"), found.template("t")]).to eq(["#{directory}/files/a/b", "#{directory}/files", nil, nil])
      expect([found.files?, found.templates?, found.plugins?, found.pluginfacts?]).to eq([true, false, true, false])
      expect([found.plugins, found.plugin_directory, found.pluginfacts]).to eq(["#{directory}/lib", "#{directory}/lib", "#{directory}/facts.d"])
      expect(found.all_manifests).to contain_exactly("#{directory}/manifests/init.pp", "#{directory}/manifests/x/y.pp")
    end
  end
end
