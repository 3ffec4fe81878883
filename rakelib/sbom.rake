# frozen_string_literal: true

require "json"
require "open3"

# The list of the crates in the program, as CycloneDX 1.5 has it.
module Sbom
  module_function

  # @param metadata [Hash] of `cargo metadata`
  # @param root [String] the name of a crate of the workspace
  # @return [Hash] the document
  def document(metadata, root)
    packages = metadata.fetch("packages").to_h { |package| [package["id"], package] }
    edges = metadata.dig("resolve", "nodes").to_h { |node| [node["id"], linked(node)] }
    main = packages.values.find { |package| package["name"] == root && package["source"].nil? }
    reached = reachable(main["id"], edges)
    {
      "bomFormat" => "CycloneDX", "specVersion" => "1.5", "version" => 1,
      "metadata" => {"component" => component(main).merge("type" => "application")},
      "components" => (reached - [main["id"]]).map { |id| component(packages.fetch(id)) }.sort_by { |one| one["bom-ref"] },
      "dependencies" => reached.map { |id| dependencies(packages, id, edges[id]) }.sort_by { |one| one["ref"] }
    }
  end

  def dependencies(packages, id, others)
    {"ref" => reference(packages.fetch(id)), "dependsOn" => others.map { |other| reference(packages.fetch(other)) }.sort}
  end

  # Dependencies in the program itself, without the ones of tests and build scripts.
  def linked(node)
    node.fetch("deps").select { |dependency| dependency["dep_kinds"].any? { |kind| kind["kind"].nil? } }.map { |dependency| dependency["pkg"] }.uniq
  end

  def reachable(from, edges)
    reached = [from]
    reached.each { |id| reached.concat(edges.fetch(id) - reached) }
  end

  def component(package)
    {"type" => "library", "bom-ref" => reference(package), "name" => package["name"], "version" => package["version"], "purl" => reference(package),
     "licenses" => (package["license"] ? [{"expression" => package["license"].gsub("/", " OR ")}] : [])}
  end

  def reference(package) = "pkg:cargo/#{package["name"]}@#{package["version"]}"
end

desc "Write the list of the crates in the program, pkg/puppetfn-VERSION.cdx.json, as CycloneDX has it"
task :sbom do
  output, status = Open3.capture2("cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", "x86_64-unknown-linux-musl")
  abort "cargo metadata failed" unless status.success?

  pkg = File.expand_path(ENV.fetch("PKG", "pkg"))
  mkdir_p pkg, verbose: false
  version = Gem::Specification.load("puppetfn.gemspec").version
  document = Sbom.document(JSON.parse(output), "puppetfn-cli")
  File.write("#{pkg}/puppetfn-#{version}.cdx.json", "#{JSON.pretty_generate(document)}\n")
  puts "#{pkg}/puppetfn-#{version}.cdx.json: #{document["components"].size} components"
end
