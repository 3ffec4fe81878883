# frozen_string_literal: true

require "fileutils"
require "json"
require "yaml"
require_relative "../../vectors/ruby/modules"
require_relative "findings/checker"
require_relative "planted/programs"

# Mistakes in modules that Puppet fails for (script/verify checker-mistakes), each of which is to bring a finding to its file.
# PLANTED_UPDATE=1 writes the lists of the mistakes that are not found.
RSpec.describe "puppetfn check, of mistakes that are planted in modules" do
  planted = File.join(__dir__, "planted")

  # What is found while mistakes are in the modules, by file.
  def found(modules, mistakes)
    texts = mistakes.to_h { |mistake| [path = File.join(modules, mistake["file"]), File.binread(path)] }
    mistakes.each { |mistake| plant(File.join(modules, mistake["file"]), mistake) }
    findings(modules)
  ensure
    texts&.each { |path, text| File.binwrite(path, text) }
  end

  # The names of files within the modules, each with a message about it.
  def findings(modules)
    Differential::Findings::Checker.findings(modules).map { |finding| [finding["file"].delete_prefix("#{modules}/"), finding["message"]] }
  end

  def plant(file, mistake)
    text = File.binread(file)
    text[mistake["offset"], mistake["length"]] = mistake["text"].b
    File.binwrite(file, text)
  end

  # A copy of installed modules, which are not to be changed.
  def copy(source)
    Vectors::Modules.temporary_directory.tap do |directory|
      installed = source.directory
      Dir.children(installed).each { |name| FileUtils.cp_r(File.realpath(File.join(installed, name)), File.join(directory, name)) }
    end
  end

  shared_examples "mistakes" do |name, count, kinds|
    mistakes = File.readlines(File.join(planted, "#{name}.jsonl")).map { |line| JSON.parse(line) }
    list = File.join(planted, "#{name}_missed.yaml")

    # A kind at a time, so that no mistake hides another: an override of an attribute, say, the attribute's value.
    before(:all) do
      @modules = modules
      before = findings(@modules)
      @found = mistakes.group_by { |mistake| mistake["kind"] }.sort.to_h do |kind, same|
        [kind, (found(@modules, same) - before).map(&:first).uniq]
      end
      missed = mistakes.reject { |mistake| @found[mistake["kind"]].include?(mistake["file"]) }
      @missed = missed.group_by { |mistake| mistake["kind"] }.sort.to_h do |kind, same|
        [kind, same.map { |mistake| "#{mistake["file"]}: #{mistake["text"]}" }.sort]
      end
      File.write(list, YAML.dump(@missed)) if ENV.key?("PLANTED_UPDATE")
    end

    it "finds all but those that are listed" do
      expect(@missed).to eq(YAML.load_file(list))
    end

    it "finds nine in ten" do
      expect(@missed.values.sum(&:size)).to be <= mistakes.size / 10
    end

    it "finds nothing in other files because of them, but where a changed parameter is given a value" do
      files = mistakes.map { |mistake| mistake["file"] }
      expect(@found.except("own-type").values.flatten - files).to eq([])
    end

    it "is #{count} mistakes of #{kinds} kinds, each in a file of its own" do
      expect(mistakes.map { |mistake| mistake["file"] }.uniq.size).to eq(count)
      expect(mistakes.map { |mistake| mistake["kind"] }.uniq.size).to eq(kinds)
    end
  end

  describe "of Debian's packages" do
    def modules
      source = Vectors::PackagedModules.new
      reason = source.unavailable_packages.first
      reason ? skip(reason) : copy(source)
    end

    include_examples "mistakes", "debian", 150, 29
  end

  describe "that are published" do
    def modules
      Vectors::Modules.published || skip(Vectors::External::MISSING)
    end

    include_examples "mistakes", "published", 300, 29
  end

  describe "that are small programs" do
    list = File.join(planted, "programs_missed.yaml")

    before(:all) do
      source = Vectors::PackagedModules.new
      reason = source.unavailable_packages.first
      skip(reason) if reason
      @programs = Differential::Planted::Programs.all
      directory = Vectors::Modules.temporary_directory
      Differential::Planted::Programs.write(@programs, directory)
      @errors = Differential::Planted::Programs.errors(@programs, directory, source.directory)
      @found = Differential::Planted::Programs.findings(directory, source.directory)
      @refused, @accepted = @programs.partition { |program| @errors[program.name] }
      missed = @refused.reject { |program| @found.key?(program.name) }
      @missed = missed.group_by(&:kind).sort.to_h { |kind, same| [kind, same.map(&:shown)] }
      File.write(list, YAML.dump(@missed)) if ENV.key?("PLANTED_UPDATE")
    end

    it "finds all but those that are listed" do
      expect(@missed).to eq(YAML.load_file(list))
    end

    it "finds 95 of a hundred" do
      expect(@missed.values.sum(&:size)).to be <= @refused.size * 5 / 100
    end

    it "has no error about a program that real Puppet accepts" do
      errors = @accepted.to_h { |program| [program.shown, (@found[program.name] || []).select { |one| one["severity"] == "error" }.map { |one| one["message"] }] }
      expect(errors.reject { |_, messages| messages.empty? }).to eq({})
    end

    it "is 600 mistakes of 50 kinds that real Puppet refuses" do
      expect(@refused.size).to be >= 600
      expect(@refused.map(&:kind).uniq.size).to be >= 50
    end
  end
end
