# frozen_string_literal: true

RSpec.describe "docs/internals/dependencies.md" do
  root = File.expand_path("../..", __dir__)
  section = /^\[(?:target\.[^\]]+\.)?(?:(?:dev|build)-)?dependencies\]$/

  # The crates that the sections of a manifest name, apart from our own.
  named = lambda do |manifest|
    names, within = [], false
    File.foreach(manifest) do |line|
      within = line.match?(section) if line.start_with?("[")
      name = line[/^([\w-]+)(?:\.workspace)?\s*=/, 1] if within
      names << name if name && !name.start_with?("puppetfn")
    end
    names
  end

  manifests = Dir[File.join(root, "{.,ext/puppetfn,fuzz,bench/rust,crates/*}/Cargo.toml")]
  rows = File.readlines(File.join(root, "docs/internals/dependencies.md"), encoding: "UTF-8").map(&:chomp)
    .grep(/^\| `/).map { |row| row.split("|").map(&:strip).drop(1) }
  crates = rows.select { |row| row.size == 3 }

  it "has each crate that a Cargo.toml names, and no other" do
    expect(manifests.size).to be > 10
    listed = crates.flat_map { |row| row.first.scan(/`([^`]+)`/).flatten }
    expect(listed).to match_array(manifests.flat_map(&named).uniq)
  end

  it "says where each is used" do
    wrong = crates.reject do |names, where, _|
      used = names.scan(/`([^`]+)`/).flatten.map do |name|
        manifests.select { |manifest| named.call(manifest).include?(name) }.map { |manifest| manifest.delete_prefix("#{root}/").delete_suffix("/Cargo.toml") }
      end
      places = used.first.map do |place|
        case place
        when "./Cargo.toml", ".", "" then "tests"
        when %r{\Acrates/} then place.delete_prefix("crates/")
        when "ext/puppetfn" then where.include?("build") ? "the extension's build" : "the extension"
        else place.delete_suffix("/rust")
        end
      end
      # Tests, and the runner of recorded cases, are not what a crate is there for.
      used.uniq.one? && (where == "tests" || where.split(", ").sort == (places - %w[tests vectors]).sort)
    end
    expect(wrong).to eq([])
  end

  it "has each package of the extension for VS Code, and no other" do
    listed = rows.select { |row| row.size == 2 }.flat_map { |row| row.first.scan(/`([^`]+)`/).flatten }
    files = %w[package.json packaging/package.json].map { |name| JSON.parse(File.read(File.join(root, "editors/vscode", name))) }
    packages = files.flat_map { |manifest| manifest.values_at("dependencies", "devDependencies").compact.flat_map(&:keys) }
    ruby = %w[rspec-core rspec-expectations rspec-mocks hocon hiera-eyaml deep_merge puppet]
    expect(listed - ruby).to match_array(packages)
  end

  it "says of the gem that it depends on no other" do
    specification = Gem::Specification.load(File.join(root, "puppetfn.gemspec"))
    expect(specification.dependencies).to be_empty
  end
end
