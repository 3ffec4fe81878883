# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "rbconfig"
require "yaml"
require_relative "../findings/checker"

module Differential
  module Planted
    # Small modules with a mistake each: a class with one line of code, or another file that the class uses.
    class Programs
      PLACES = %w[classes adjusting files].freeze
      VERIFIER = File.join(__dir__, "verifier.rb")
      # Files that modules with another file than a manifest have.
      AROUND = {
        "manifests/init.pp" => <<~'PUPPET',
          # @summary A class.
          class MODULE (
            String $s = 'd',
            Integer[0] $i = 1,
            Array[String] $a = [],
            Hash[String, String] $h = {},
            Boolean $b = true,
            Pattern[/\A\//] $p = '/a',
            Enum['running', 'stopped'] $e = 'running',
            Hash[String, Hash] $u = {},
          ) {
            notice($s, $i, $a, $h, $b, $p, $e, $u)
          }
        PUPPET
        "hiera.yaml" => "---\nversion: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n",
        "data/common.yaml" => "---\nMODULE::s: fine\n",
        "tasks/run.sh" => "#!/bin/sh\n"
      }.freeze
      METADATA = JSON.generate("name" => "me-MODULE", "version" => "1.0.0", "author" => "me", "license" => "Apache-2.0", "summary" => "x",
        "source" => "https://x", "dependencies" => [])
      # Code that uses a file, by `use`.
      USES = {"epp" => "notice(epp('MODULE/t.epp'))", "erb" => "notice(template('MODULE/t.erb'))", "fn" => "notice(MODULE::fn('x'))",
              "fn3" => "notice(MODULE_fn('x'))", "type" => "MODULE_ty { 'x': }"}.freeze

      # `shown` is the mistake, as lists have it, and `use` how real Puppet meets it.
      Program = Struct.new(:kind, :name, :shown, :files, :code, :use) do
        # Where its module is written to. Broken files may break the environment, and resources that are changed from afar have no
        # certain attributes, so that these modules are apart from the others.
        def place
          directory = use == "class" ? "classes" : "files"
          directory = "adjusting" if use == "class" && code_of_class.match?(/<\||\] \{|(?:\A|[;}] )[A-Z]\S* \{/)
          "#{directory}/#{name}"
        end

        def code_of_class
          files.fetch("manifests/init.pp").lines[2].strip
        end
      end

      # @return [Array<Program>]
      def self.all
        manifests + other_files
      end

      # Bodies of classes.
      def self.manifests
        kind = nil
        lines = File.readlines(File.join(__dir__, "manifests.txt"), chomp: true).drop(1).filter_map do |line|
          line.start_with?("# ") ? (kind = line.delete_prefix("# ")) && nil : [kind, line]
        end
        lines.each_with_index.map do |(of, code), number|
          name = format("p%04d", number)
          Program.new(of, name, code, {"manifests/init.pp" => "# @summary A class.\nclass #{name} {\n  #{code}\n}\n",
                                       "metadata.json" => METADATA.gsub("MODULE", name)}, "include #{name}", "class")
        end
      end

      def self.other_files
        groups = YAML.load_file(File.join(__dir__, "files.yaml"))
        groups.flat_map { |group| group["texts"].map { |text| [group, text] } }.each_with_index.map do |(group, text), number|
          name = format("q%04d", number)
          files = AROUND.merge("metadata.json" => METADATA, group["path"] => text)
          files = files.to_h { |path, content| [path.gsub("MODULE", name), content.gsub("MODULE", name)] }
          code = USES.fetch(group["use"], "").gsub("MODULE", name)
          code = code.sub(".epp'", ".epp', {a => 'x'}") if text.match?(/\|\s*(String )?\$a\b/)
          Program.new(group["kind"], name, text.chomp, files, "include #{name}\n#{code}", group["use"])
        end
      end
      private_class_method :manifests, :other_files

      # Writes the modules.
      # @param directory [String]
      def self.write(programs, directory)
        programs.each do |program|
          program.files.each do |path, text|
            path = File.join(directory, program.place, path)
            FileUtils.mkdir_p(File.dirname(path))
            File.write(path, text)
          end
        end
      end

      # @return [Hash{String=>Array<Hash>}] what the checker finds, by the names of the modules
      def self.findings(directory, modulepath)
        found = PLACES.flat_map do |place|
          place = File.join(directory, place)
          Findings::Checker.findings(place, "#{place}:#{modulepath}")
        end
        found.group_by { |finding| finding["file"].delete_prefix("#{directory}/").split("/")[1] }
      end

      # @return [Hash{String=>String, nil}] the errors of real Puppet, by the names of the modules
      def self.errors(programs, directory, modulepath)
        input = JSON.generate(programs.map { |program| [program.name, File.join(directory, program.place), program.code, program.use] })
        output, messages, = Open3.capture3(RbConfig.ruby, VERIFIER, "#{directory}/classes:#{directory}/adjusting:#{modulepath}", stdin_data: input)
        raise messages if output.empty?

        JSON.parse(output)
      end
    end
  end
end
