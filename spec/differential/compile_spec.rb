# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "rbconfig"
require "tmpdir"
require "yaml"
require_relative "../support/control_repository"
require_relative "../support/differential"

# The same environments, nodes and classifiers for real Puppet's compiler and for the command.
RSpec.describe "puppetfn compile, compared with real Puppet", :differential do
  cases = YAML.load_file(File.join(Differential::DIRECTORY, "compile_cases.yaml"), aliases: true)
  nodes = ControlRepository::NODES

  before(:all) do
    @root = File.realpath(Dir.mktmpdir("puppetfn-compile"))
    asked = nodes.map { |node| control_repository(node) }
    asked += cases.each_with_index.map { |written, index| environment(written, "case#{index}") }
    File.write(File.join(@root, "nodes.json"), JSON.generate(asked))
    @puppetfn = asked.map { |data| compile(data) }
    @puppet = JSON.parse(real(@root))
  end

  after(:all) { FileUtils.remove_entry(@root) }

  def control_repository(node)
    FileUtils.mkdir_p(directory = File.join(@root, "environments", "production"))
    FileUtils.cp_r("#{ControlRepository::DIRECTORY}/.", directory)
    said, = Open3.capture2(File.join(directory, "scripts", "classifier.sh"), node)
    {"node" => node, "environment" => "production", "facts" => ControlRepository.facts(node), "enc" => YAML.safe_load(said)}
  end

  def environment(written, name)
    directory = File.join(@root, "environments", name)
    written["files"].each do |file, content|
      FileUtils.mkdir_p(File.dirname(path = File.join(directory, file)))
      File.write(path, content)
    end
    node = "node.example.com"
    {"node" => node, "environment" => name, "facts" => {"clientcert" => node, **written["facts"] || {}}, "enc" => written["enc"] || {}}
  end

  def real(root)
    output, errors, status = Open3.capture3(*Differential::RUBY, File.join(Differential::DIRECTORY, "compile_puppet.rb"), root)
    raise "Puppet: #{errors}" unless status.success?

    output
  end

  def compile(data)
    facts, enc = %w[facts enc].map { |name| File.join(@root, "#{name}.yaml").tap { |path| File.write(path, YAML.dump(data[name])) } }
    output, errors, status = Open3.capture3(
      RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), "compile", data["node"],
      "--environment", File.join(@root, "environments", data["environment"]), "--facts", facts, "--enc", enc,
      "--basemodulepath", @root
    )
    log = errors.split(/^(?=(?:Notice|Warning|Error): )/).map do |line|
      level, text = line.chomp.split(": ", 2)
      [level.downcase.sub("error", "err"), text]
    end
    return {"error" => log.pop.last, "log" => log} unless status.success?

    log.pop
    {"catalog" => JSON.parse(output), "log" => log}
  end

  # What is different each time.
  def lasting(answer)
    answer.merge("catalog" => answer["catalog"]&.except("catalog_uuid", *("version" if answer["catalog"]["version"].is_a?(Integer))))
  end

  (nodes + cases.map { |written| written["name"] }).each_with_index do |name, index|
    it "makes the same catalog, or the same error: #{name}" do
      expect(lasting(@puppetfn[index])).to eq(lasting(@puppet[index]))
    end
  end

  it "is about catalogs and errors" do
    expect(@puppet.count { |answer| answer.key?("error") }).to eq(17)
    expect(@puppet.first(nodes.size).map { |answer| answer["catalog"]["resources"].size }).to all(be > 20)
  end
end
