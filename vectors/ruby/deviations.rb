# frozen_string_literal: true

require "yaml"
require_relative "external"
require_relative "recorded"

module Vectors
  # Cases that are answered differently, each with the reason.
  module Deviations
    ROOT = File.expand_path("../..", __dir__)
    HEADING = "Recorded cases answered differently"
    # Within that section, the cases of published modules.
    EXTERNAL = "In published modules"
    private_constant :ROOT, :HEADING, :EXTERNAL

    # @return [Hash{String=>String}] the reason by the case's id
    def self.load
      own, external = documented
      own = own.merge(listed)
      check(own.keys, File.join(ROOT, "spec/vectors"))
      published = External.path("catalogs")
      check(external.keys, published) if published
      own.merge(external)
    end

    def self.check(ids, directory)
      unknown = ids.any? ? ids - Recorded.files([directory]).flat_map { |file| file.cases.map(&:id) } : []
      abort "script/vectors: listed as deviations, but no cases: #{unknown.join(", ")}" if unknown.any?
    end

    # The two tables of docs/compatibility.md.
    def self.documented
      text = File.read(File.join(ROOT, "docs/compatibility.md"), encoding: "UTF-8")
      section = text[/^## #{HEADING}$(.*?)(?=^## |\z)/m, 1] or abort "docs/compatibility.md: no section #{HEADING}"
      own, external = section.split(/^### #{EXTERNAL}$/)
      abort "docs/compatibility.md: no section #{EXTERNAL}" unless external
      [own, external].map { |part| part.scan(/^\| `([^`]+)` \| (.+) \|$/).to_h }
    end

    # The lists that are beside the cases, by reason.
    def self.listed
      Dir.glob(File.join(ROOT, "spec/vectors/*/exceptions.yml")).flat_map do |file|
        YAML.safe_load_file(file).flat_map { |reason, cases| ids(cases).map { |id| [id, reason] } }
      end.to_h
    end

    # Cases that differ with each Ruby, or only since one that is newer than that of the recordings.
    def self.ids(cases)
      return cases if cases.is_a?(Array)

      Gem::Version.new(RUBY_VERSION) >= Gem::Version.new(cases["since_ruby"]) ? cases["cases"] : []
    end
    private_class_method :check, :documented, :listed, :ids
  end
end
