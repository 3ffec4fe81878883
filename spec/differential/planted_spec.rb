# frozen_string_literal: true

require "json"
require "yaml"
require_relative "../../vectors/ruby/modules"
require_relative "findings/checker"

# Mistakes in published modules that Puppet fails for (script/verify checker-mistakes), each in a file in which nothing is found as it is.
# PLANTED_UPDATE=1 writes the list of those that are not found.
RSpec.describe "puppetfn check, of mistakes that are planted in modules" do
  planted = File.join(__dir__, "planted")
  mistakes = File.readlines(File.join(planted, "mistakes.jsonl")).map { |line| JSON.parse(line) }
  list = File.join(planted, "missed.yaml")

  # A kind at a time, so that no mistake hides another: an override of an attribute, say, what sets it.
  before(:all) do
    modules = Vectors::Modules.unpack(File.expand_path("../vectors/catalogs/modules.tar.gz", __dir__))
    @before = files_with_findings(modules)
    @found = mistakes.group_by { |mistake| mistake["kind"] }.sort.to_h { |kind, same| [kind, found(modules, same) - @before] }
    @missed = {}
    mistakes.each do |mistake|
      kind, file = mistake.values_at("kind", "file")
      (@missed[kind] ||= []) << "#{file}: #{mistake["text"]}" unless @found[kind].include?(file)
    end
    @missed = @missed.sort.to_h.transform_values(&:sort)
    File.write(list, YAML.dump(@missed)) if ENV.key?("PLANTED_UPDATE")
  end

  # The names of files in which something is found while mistakes are in them.
  def found(modules, mistakes)
    texts = mistakes.to_h { |mistake| [path = File.join(modules, mistake["file"]), File.binread(path)] }
    mistakes.each { |mistake| plant(File.join(modules, mistake["file"]), mistake) }
    files_with_findings(modules)
  ensure
    texts&.each { |path, text| File.binwrite(path, text) }
  end

  # The names of files in which something is found, within the modules.
  def files_with_findings(modules)
    Differential::Findings::Checker.findings(modules).map { |finding| finding["file"].delete_prefix("#{modules}/") }.uniq
  end

  def plant(file, mistake)
    text = File.binread(file)
    text[mistake["offset"], mistake["length"]] = mistake["text"].b
    File.binwrite(file, text)
  end

  it "finds all but those that are listed" do
    expect(@missed).to eq(YAML.load_file(list))
  end

  it "finds more than nine in ten" do
    expect(@missed.values.sum(&:size)).to be < mistakes.size / 10
  end

  it "finds nothing in other files because of them, but where a changed parameter is given a value" do
    files = mistakes.map { |mistake| mistake["file"] }
    expect(files & @before).to eq([])
    expect(@found.except("own-type").values.flatten - files).to eq([])
  end

  it "is about 300 mistakes of 30 kinds" do
    expect(mistakes.size).to eq(300)
    expect(mistakes.map { |mistake| mistake["file"] }.uniq.size).to eq(300)
    expect(mistakes.map { |mistake| mistake["kind"] }.uniq.size).to be >= 29
  end
end
