# frozen_string_literal: true

require "fileutils"
require "tmpdir"
require_relative "../support/rust_modules"

# Folders and files directly under `src` of a crate are its top-level modules. They form layers: no circle of modules depends
# on each other. docs/architecture.md states the order in some crates.
RSpec.describe "The top-level modules of crates" do
  root = File.expand_path("../..", __dir__)
  crates = Dir["#{root}/crates/*/", "#{root}/ext/puppetfn/"].map { |path| path.delete_suffix("/") }
  modules = Hash.new { |known, directory| known[directory] = RustModules.new(directory) }

  # Reads a crate with these sources, by path.
  def read(sources)
    Dir.mktmpdir do |directory|
      sources.each do |path, text|
        file = File.join(directory, "src", path)
        FileUtils.mkdir_p(File.dirname(file))
        File.write(file, text)
      end
      RustModules.new(directory)
    end
  end

  crates.each do |directory|
    it "are in no circle in #{directory.delete_prefix("#{root}/")}" do
      found = modules[directory]
      circles = found.cycles.map do |group|
        group.product(group).to_h { |from, to| ["#{from} -> #{to}", found.witnesses(from, to).first(3)] }.reject { |_, places| places.empty? }
      end
      expect(circles).to eq([])
    end
  end

  it "depend on those to their left in docs/architecture.md" do
    document = File.read("#{root}/docs/architecture.md", encoding: "UTF-8")
    rows = document.scan(/^    (\w+) +(\S.*→.*)$/).select { |crate, _| Dir.exist?("#{root}/crates/#{crate}") }
    expect(rows.length).to be >= 3
    upward = rows.flat_map do |crate, order|
      layers = order.split("→").map { |group| group.split(",").map(&:strip) }
      dependencies = modules["#{root}/crates/#{crate}"].dependencies
      layers.each_with_index.flat_map do |group, index|
        group.flat_map { |name| (dependencies.fetch(name).to_a & layers.drop(index + 1).flatten).map { |to| "#{crate}: #{name} -> #{to}" } }
      end
    end
    expect(upward).to eq([])
  end

  describe "as they are read" do
    {
      "use of the root" => ["use crate::b::Item;", ["b"]],
      "use of a neighbour" => ["use super::b::{self, Item};", ["b"]],
      "a tree of uses" => ["pub use crate::{b::{deep::Item, Other as Named}, c};", %w[b c]],
      "a path in code" => ["fn f() -> super::b::Item { crate::c::make() }", %w[b c]],
      "an argument of a macro" => ["fn f() { println!(\"{}\", crate::c::make()); }", ["c"]],
      "a nested module" => ["mod inner { use super::super::b::Item; use super::Own; }", ["b"]],
      "a name that the root re-exports" => ["use crate::Shared;", ["c"]],
      "a name that the root defines" => ["use super::Rooted;", ["lib"]],
      "a name of another crate" => ["use crate::External;", []],
      "modules of tests" => ["#[cfg(test)]\nmod tests { use crate::b::Item; }\n#[cfg(test)]\nuse crate::c::{Other, Item};", []],
      "comments and texts" => ["// use crate::b;\n/* use crate::b; /* */ use crate::c; */ const T: &str = \"crate::b\"; const R: &str = r#\"\"crate::c\"#;", []],
      "lifetimes and characters" => ["fn f<'a>(t: &'a str) -> char { '\"' } use crate::b::Item; const Q: char = '\\'';", ["b"]]
    }.each do |name, (text, expected)|
      it "have the dependencies of #{name}" do
        library = "mod a;\nmod b;\nmod c;\npub use c::Shared;\npub use external::{External, Other};\npub struct Rooted;\n"
        found = read("lib.rs" => library, "a.rs" => text, "b.rs" => "", "c/mod.rs" => "")
        expect(found.dependencies.fetch("a").to_a).to match_array(expected)
      end
    end

    it "have circles through other modules and the root" do
      found = read("lib.rs" => "mod a;\nmod b;\nmod c;\nmod d;\npub fn run() { d::work() }", "a.rs" => "use super::b::B;",
                   "b.rs" => "mod deep;", "b/deep.rs" => "use super::super::c::C;", "c.rs" => "use crate::a::A;", "d.rs" => "use crate::run;")
      expect(found.cycles).to eq([%w[a b c], %w[d lib]])
      expect(found.witnesses("b", "c")).to eq(["b/deep.rs: c::C"])
    end
  end
end
