# frozen_string_literal: true

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
    ruby = Dir["#{root}/crates/ruby/src/lint/*.rs"].map { |file| File.read(file) }.join
    rules = ruby.scan(/(?:report|add)\([^";]*"(\w+)"|overridden\("\w+", "(\w+)"/).flatten.compact
    rules += File.read("#{root}/crates/doc/src/lint.rs").scan(/\.find\([^"]*"(\w+)"/).flatten
    named = File.read("#{root}/docs/documentation.md", encoding: "UTF-8").scan(/^\| `(\w+)` \|/).flatten

    expect(rules.size).to be > 20
    expect(named).to match_array(rules.uniq)
  end
end

RSpec.describe "the documents" do
  root = File.expand_path("../..", __dir__)
  documents = Dir.glob(%w[README.md CONTRIBUTING.md docs/**/*.md], base: root)
  read = ->(path) { File.read(File.join(root, path), encoding: "UTF-8").gsub(/^```.*?^```$/m, "") }
  # The names that GitHub gives headings.
  anchors = lambda do |path|
    read.call(path).scan(/^#+ (.*)$/).map { |(heading)| heading.gsub(/\[([^\]]*)\]\([^)]*\)/, '\1').downcase.gsub(/[^\p{Word}\- ]/, "").tr(" ", "-") }
  end

  # Files outside of docs/ have addresses, as the site has none of them.
  own = "https://github.com/puppetfn/puppetfn/blob/main/"

  it "are pages of the site, each once" do
    pages = read.call("docs/SUMMARY.md").scan(/\]\(([^)]+)\)/).flatten

    expect(pages).to match_array(Dir.glob("**/*.md", base: "#{root}/docs") - ["SUMMARY.md"])
  end

  it "link to files and headings that exist" do
    broken = documents.flat_map do |document|
      read.call(document).scan(/\]\(((?!https?:)[^()\s`]+|#{own}[^()\s]+)\)/).flatten.reject do |target|
        path, heading = target.delete_prefix(own).split("#", 2)
        file = File.join(File.dirname(document), path).delete_prefix("./")
        file = document if path.empty?
        file = path if target.start_with?(own)
        File.exist?(File.join(root, file)) && (heading.nil? || anchors.call(file).include?(heading))
      end.map { |target| "#{document}: #{target}" }
    end

    expect(documents.size).to be > 30
    expect(broken).to eq([])
  end
end
