# frozen_string_literal: true

require "json"
require "open3"
require "puppetfn"
require "tmpdir"

# Models and objects go to pyecore and back. script/setup installs it.
RSpec.describe "models, with pyecore" do
  root = File.expand_path("../..", __dir__)
  python = File.join(root, "target/python/bin/python")

  types = <<~'PUPPET'
    type Library::Medium { abstract attr title, String { min => 1 } }
    type Library::Book inherits Library::Medium {
      attr pages, Integer { default => 1, check => { $it > 0 } }
      attr tags, String { max => unbound, check => { if $it == '' { 'empty tag' } } }
      attr color, enum[red, blue]
      attr weight, Float
      attr lent, Boolean { default => false }
      attr version, SemVer
      attr extra, Hash[String, Integer]
      attr label, String { derived => { "${title} (${pages})" } }
      invariant "too long" { $pages < 2000 }
    }
    type Library::Comic inherits Library::Book { attr artist, String }
    type Library::Branch {
      attr city, String
      has books, Library::Book { max => unbound }
      has featured, Library::Book { containment => false }
    }
  PUPPET

  branch = {
    city: "Köln & \"Bonn\"", featured: "//@books.1",
    books: [
      {title: "Dune", pages: 412, tags: %w[desert spice], color: "red", weight: 0.5, lent: true, extra: {a: 1}},
      {"__ptype" => "Library::Comic", title: "Tintin\nin Tibet", artist: "Hergé", version: nil}
    ]
  }

  let(:runtime) { Puppetfn::Runtime.new.tap { |runtime| runtime.evaluate_string(types) } }
  let(:object) { runtime.type("Library::Branch").new(branch) }

  around { |example| Dir.mktmpdir { |directory| Dir.chdir(directory) { example.run } } }

  def round_trip(python, root, model, object)
    File.write("model.ecore", model)
    File.write("object.xmi", object)
    script = File.join(root, "spec/models/round_trip.py")
    said, status = Open3.capture2e(python, script, "model.ecore", "object.xmi", "out.ecore", "out.xmi")
    raise said unless status.success?

    [JSON.parse(said), File.read("out.ecore", encoding: "UTF-8"), File.read("out.xmi", encoding: "UTF-8")]
  end

  it "are there" do
    expect(File.executable?(python)).to be(true), "pyecore is missing: run script/setup"
  end

  [false, true].each do |logic|
    it "go there and back#{" with their code" if logic}" do
      model = runtime.export_model("Library::Branch", "Library::Comic", logic: logic)
      found, model_out, object_out = round_trip(python, root, model, object.to_xmi)

      expect(found).to include(
        "uri" => "puppet:/Library", "classes" => %w[Book Branch Comic Medium], "city" => "Köln & \"Bonn\"",
        "featured" => "Tintin\nin Tibet", "kinds" => %w[Book Comic],
        "books" => [["Dune", 412, %w[desert spice], "red"], ["Tintin\nin Tibet", 1, [], found["books"][1][3]]],
        "bounds" => include(["tags", 0, -1], ["pages", 0, 1])
      )
      expect(found["annotations"]).to eq(logic ? 6 : 2)

      changed = runtime.type("Library::Branch").from_xmi(object_out)
      expect(changed.books.map(&:title)).to eq(["Dune", "Tintin\nin Tibet", "Emma & <Co>"])
      expect(changed.books.first(2)).to eq(object.books)
      expect([changed.featured.title, changed.featured.tags]).to eq(["Emma & <Co>", ["a", "b c", "a"]])

      other = Puppetfn::Runtime.new
      names = other.import_model(model_out).map(&:to_s)
      expect(names).to eq(%w[Library::Book Library::Branch Library::Comic Library::Medium Library::Shelf])
      expect(other.type("Library::Branch").from_xmi(object_out).to_h).to eq(changed.to_h)
      expect(other.type("Library::Shelf").new(labels: %w[a b]).rows).to eq(3)
      # Nothing says how a feature is derived, so it is not.
      kept = logic ? model : model.sub(' volatile="true"', "").sub(' derived="true"', "")
      expect(other.export_model("Library::Branch", "Library::Comic", logic: logic)).to eq(kept)
    end
  end

  it "keep the checks if they have the code" do
    other = Puppetfn::Runtime.new
    other.import_model(runtime.export_model("Library::Branch", logic: true))

    expect { other.type("Library::Book").new(title: "x", pages: 5000, tags: ["a"]) }.to raise_error(/too long/)
    expect { other.type("Library::Book").new(title: "x", pages: 0, tags: [""]) }.to raise_error(
      "Library::Book cannot be created:\n" \
      "  - Library::Book[pages]: Illegal value: 0 is not an acceptable value for pages\n  - Library::Book[tags]: empty tag"
    )
    expect(other.type("Library::Book").new(title: "x").label).to eq("x (1)")
  end

  it "lose them, and nothing else, without it" do
    other = Puppetfn::Runtime.new
    other.import_model(runtime.export_model("Library::Branch"))
    book = other.type("Library::Book")

    expect(book.new(title: "x", pages: 5000, tags: [""]).pages).to eq(5000)
    expect { book.new(pages: "many", color: "green") }.to raise_error(/pages\] expects an Integer.*color\] expects a match.*title\] is required/m)
    expect(other.logs.to_a).to eq([[:notice, "Library::Book[label] is derived, but nothing says how"]])
  end
end
