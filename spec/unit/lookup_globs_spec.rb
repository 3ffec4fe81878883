# frozen_string_literal: true

require "fileutils"
require "json"
require "pathname"
require "tmpdir"
require "yaml"

# Globs of a hiera.yaml find the files that Ruby's `Dir.glob` finds, in its order: Puppet takes the first value.
RSpec.describe "globs of hiera.yaml" do
  names = ["a", "b", "ab", "d", ".h", "a.yaml", "b.yaml", ".x.yaml"]
  segments = ["*", "**", "a", "b", ".*", "?*", "[ab]*", "[^a]*", "[!b].yaml", "*.yaml", "{a,b}", "{a,.h}", "\\a", "a\\*", "[a", "[]",
              "[.]h", "**.yaml", "a**b", "{a.yaml,b/c}", "{b.yaml,a,}", ".h", "[c-a]", "{[ab],*d}", "{a", "[[:alpha:]]"]

  def populate(directory, names, random)
    directories = [directory]
    take = -> { File.join(directories.sample(random: random), names.sample(random: random)) }
    8.times { take.().then { |path| directories << path if !File.exist?(path) && FileUtils.mkdir_p(path) } }
    14.times { take.().then { |path| File.write(path, "k: [#{path.to_json}]") unless File.exist?(path) } }
    3.times { take.().then { |path| File.symlink(directories.sample(random: random), "#{path}l") unless File.symlink?("#{path}l") } }
  end

  def values(environment, glob)
    hierarchy = [{name: "g", glob: glob}]
    File.write(File.join(environment, "hiera.yaml"), JSON.generate(version: 5, hierarchy: hierarchy))
    runtime = Puppetfn::Runtime.new(environment: environment)
    [runtime.lookup("k", merge: "unique", default: []), runtime.lookup("k", default: [])]
  end

  # Ruby before 3.1.3 does not expand braces with a slash that come after `**/`.
  def comparable?(glob)
    Gem::Version.new(RUBY_VERSION) >= Gem::Version.new("3.1.3") || !(glob.include?("**/") && glob.match?(/\{[^}]*\//))
  end

  def files(directory, glob)
    Pathname.glob(Pathname(directory) + glob).reject(&:directory?).map(&:to_s)
  end

  it "find what Dir.glob finds, for random patterns over random trees" do
    random = Random.new(45)
    Dir.mktmpdir do |top|
      25.times do |number|
        environment = File.join(top, number.to_s)
        FileUtils.mkdir_p(data = File.join(environment, "data"))
        populate(data, names, random)
        globs = Array.new(12) { Array.new(random.rand(1..3)) { segments.sample(random: random) }.join("/") }
        globs.select { |glob| comparable?(glob) }.each do |glob|
          expected = files(data, glob).map { |path| YAML.load_file(path)["k"].first }.uniq
          expect(values(environment, glob)).to eq([expected, expected.first(1)]), glob
        end
      end
    end
  end

  it "enter a directory where its name comes" do
    Dir.mktmpdir do |environment|
      data = {"c.yaml" => "c", "a/b.yaml" => "ab", "d/e/f.yaml" => "def"}
      data.each do |path, value|
        file = File.join(environment, "data", path)
        FileUtils.mkdir_p(File.dirname(file))
        File.write(file, "k: [#{value}]")
      end
      expect(values(environment, "**/*.yaml").first).to eq(["ab", "c", "def"])
      expect(values(environment, "**.yaml").first).to eq(["c"])
    end
  end

  it "match nothing where they are malformed" do
    Dir.mktmpdir do |environment|
      FileUtils.mkdir_p(File.join(environment, "data"))
      File.write(File.join(environment, "data", "a.yaml"), "k: [a]")
      ["[a.yaml", "[].yaml", "{a.yaml", "[a-"].each { |glob| expect(values(environment, glob)).to eq([[], []]), glob }
    end
  end
end
