# frozen_string_literal: true

require "fileutils"
require "json"
require "yaml"
require_relative "../settings"

module Differential
  # A main manifest, the files of modules that it uses, and what it is compiled for.
  CatalogProgram = Struct.new(:number, :code, :files, :node, :settings, :in_file, :directory, keyword_init: true)

  class CatalogProgram
    # Fixed modules, and the data of all programs.
    FIXTURES = File.expand_path("../fixtures/programs", __dir__)
    FACTS = {
      "os" => {"name" => "Debian", "family" => "Debian", "release" => {"full" => "12.5", "major" => "12"}},
      "hostname" => "web12", "role" => "web", "count" => 3, "clientversion" => "8.11.0", "virtual" => false, "interfaces" => %w[eth0 lo]
    }.freeze
    MAIN = "site.pp"
    HIDDEN = %r{0x\h{8,16}|(?<=docs/puppet/)\d+\.\d+}
    HIDDEN_AS = Hash.new { |_, found| found.start_with?("0x") ? "0x…" : "N" }
    # What texts show that is not compared.
    INCOMPARABLE =
      YAML.load_file(File.expand_path("../catalog_deviations.yaml", __dir__)).filter_map { |entry| Regexp.new(entry["text"]) if entry["text"] }.freeze
    USED = %w[stdlib concat inifile systemd].freeze

    # @param line [String] JSON
    # @return [CatalogProgram]
    def self.load(line)
      new(**JSON.parse(line).transform_keys(&:to_sym))
    end

    # What a side makes of a program: a catalog's data or an error, and what was logged.
    #
    # @return [Hash{String=>Object}]
    def self.answer(side, program)
      outcome =
        begin
          {"catalog" => described(side.compile(program))}
        rescue StandardError, ScriptError, SystemStackError => e
          {"error" => {"class" => e.class.name.delete_prefix("Puppetfn::"), "message" => e.message}}
        end
      program.hide(outcome.merge("logs" => side.logs))
    end

    def self.described(data)
      resources = data["resources"].to_h { |found| ["#{found["type"]}[#{found["title"]}]", resource(found)] }
      {
        "resources" => resources, "order" => resources.keys, "edges" => data["edges"].map { |edge| edge.values_at("source", "target").join(" => ") }.sort,
        "classes" => data["classes"], "tags" => data["tags"].sort
      }
    end
    private_class_method :described

    def self.resource(data)
      rest = data.reject { |name, _| %w[type title parameters tags].include?(name) }
      rest.merge("tags" => data["tags"].sort, "parameters" => data.fetch("parameters", {}).sort.to_h)
    end
    private_class_method :resource

    def facts = FACTS
    def trusted = {"certname" => node, "authenticated" => "remote", "extensions" => {"pp_role" => "web"}, "external" => {}}
    def hiera_config = File.join(FIXTURES, "hiera.yaml")
    def modulepath = [File.join(directory, "modules"), File.join(FIXTURES, "modules"), File.join(File.dirname(directory), "modules")]
    def file = in_file ? File.join(directory, MAIN) : nil

    # Puts those of Debian's modules that programs use in a directory; with all of them Puppet takes three times as long.
    #
    # @param parent [String]
    def self.link_modules(parent)
      FileUtils.mkdir(File.join(parent, "modules"))
      USED.each do |name|
        found = MODULEPATH.map { |directory| File.join(directory, name) }.find { |path| File.directory?(path) }
        FileUtils.ln_s(found || raise("There is no module #{name}"), File.join(parent, "modules"))
      end
    end

    # Yields the program with its files in a directory of its own.
    #
    # @param parent [String]
    def within(parent)
      place = File.join(parent, (@@places = (@@places ||= 0) + 1).to_s)
      FileUtils.mkdir_p(File.join(place, "modules"))
      files.merge(MAIN => code).each do |path, text|
        FileUtils.mkdir_p(File.dirname(File.join(place, path)))
        File.write(File.join(place, path), text)
      end
      yield dup.tap { |placed| placed.directory = place }
    ensure
      FileUtils.rm_rf(place)
    end

    # An answer without the names of directories, of objects, and of the version of documentation.
    def hide(value)
      case value
      when String then hide_in_text(value.dup.force_encoding(Encoding::UTF_8).scrub)
      when Array then value.map { |element| hide(element) }
      when Hash then value.to_h { |key, element| [hide(key), hide(element)] }
      else value
      end
    end

    def hide_in_text(text)
      text = text.gsub(directory, "<DIR>").gsub(File.dirname(directory), "<TMP>").gsub(HIDDEN, HIDDEN_AS)
      INCOMPARABLE.reduce(text) { |hidden, pattern| hidden.gsub(pattern, "#<…>") }
    end
    private :hide_in_text

    # All of the program as a text.
    def to_s
      files.map { |path, text| "# #{path}\n#{text}" }.push("# #{MAIN}, node #{node}, #{settings}\n#{code}").join("\n")
    end
  end
end
