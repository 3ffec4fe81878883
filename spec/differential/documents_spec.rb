# frozen_string_literal: true

require "json"
require "open3"
require "puppetfn"
require "rspec"
require "tmpdir"
require "yaml"
require_relative "../support/differential"
require_relative "settings"

# What is documented in Debian's modules and in Puppet itself, in comparison with Puppet Strings.
RSpec.describe "the documentation of functions and type aliases" do
  # Each by the file, the kind and the name.
  def documents(document)
    %w[puppet_functions data_type_aliases].flat_map { |key| document.fetch(key) }.to_h { |one| [one.values_at("file", "type", "name"), one] }
  end

  # What Puppet Strings says, and the lines of its warnings. It knows one function of a name at a time.
  def strings(directories)
    files = directories.flat_map { |directory| Dir["#{directory}/**/*.{rb,pp}"] }
    Dir.mktmpdir("puppetfn-strings-") do |directory|
      out, status = Open3.capture2e("puppet", "strings", "generate", "--format", "json", "--out", "all.json", *files, chdir: directory)
      raise "puppet strings failed:\n#{out}" unless status.success?

      [documents(JSON.parse(File.read("#{directory}/all.json"))), out.lines.grep(/^\[warn\]/)]
    end
  end

  # The rules of ours for what Puppet Strings warns of, and the words of its warnings.
  rules = {"undocumented" => /Missing documentation/, "undocumented_return" => /Missing @return/, "undocumented_param" => /Missing @param/,
           "unknown_param" => /has no matching parameter/}
  deviations = YAML.load_file(File.expand_path("documents.yaml", __dir__))

  before(:context) do
    modules = Differential::MODULEPATH.flat_map { |path| Dir["#{path}/*/{lib/puppet/functions,lib/puppet/parser/functions,functions,types}"] }
    puppet = Dir["/usr/lib/ruby/vendor_ruby/puppet/{functions,parser/functions}"]
    sides = [modules, puppet].map { |directories| strings(directories) }
    @theirs = sides.map(&:first).reduce(:merge)
    @warnings = sides.flat_map(&:last)
    doc = Puppetfn::Doc.read(*modules, *puppet)
    @ours = documents(doc.to_h)
    @findings = doc.findings
  end

  def differing
    @ours.keys.select { |key| @theirs.key?(key) && @ours[key] != @theirs[key] }
  end

  it "has the same functions and type aliases" do
    expect(@ours.size).to be > 300
    expect(@ours.keys).to match_array(@theirs.keys)
  end

  it "is the same, but for what is listed" do
    shown = differing.reject { |key| deviations["documents"].values.flatten.include?(key.last) }.map do |key|
      "#{key.join(" ")}\n  strings:  #{@theirs[key].except("source")}\n  puppetfn: #{@ours[key].except("source")}"
    end
    expect(shown).to be_empty, shown.join("\n")
  end

  it "is the same for all that is not listed" do
    # Puppet 8 documents these as they are.
    needless = Differential.puppet7? ? [] : %w[hiera yaml_data]
    expect(deviations["documents"].values.flatten - differing.map(&:last) - needless).to be_empty
  end

  rules.each do |rule, words|
    it "finds what Puppet Strings warns of: #{rule}" do
      found = @findings.select { |finding| finding.rule.to_s == rule }.map(&:file).uniq
      undocumented = @findings.select { |finding| finding.rule == :undocumented }.map(&:file)
      warned = @warnings.grep(words).map { |line| line[%r{/\S+\.(rb|pp)(?=:\d)}] }.uniq
      listed = deviations["findings"].fetch(rule, {})

      expect(found - warned).to match_array(listed.fetch("ours", []))
      # Of what says nothing at all, more need not be said.
      expect(warned - found - (rule == "undocumented" ? [] : undocumented)).to match_array(listed.fetch("theirs", []))
    end
  end

  it "has reasons for all other findings" do
    others = @findings.reject { |finding| rules.key?(finding.rule.to_s) }.map { |finding| "#{finding.rule} #{finding.file}:#{finding.line}" }
    # The lines of Puppet's own functions are those of its version.
    both = [others, deviations["others"].values.flatten].map { |lists| lists.map { |line| line.sub(%r{(/vendor_ruby/.*):\d+\z}, '\1') } }
    expect(both.first).to match_array(both.last)
  end
end
