# frozen_string_literal: true

require "yaml"

module Puppetfn
  module RSpec
    class Roles
      # The `spec/onceover.yaml` of a repository: classes, nodes, their combinations and additional code.
      #
      # See https://github.com/dylanratcliffe/onceover for the format.
      #
      # @api private
      class Onceover
        # Entries of the test matrix that are about catalogs.
        TESTS = %w[spec all_tests].freeze
        private_constant :TESTS

        # @param repository [Repository]
        # @return [Onceover, nil] nil if the repository has no such file
        # @raise [UsageError] if the file is wrong
        def self.of(repository)
          file = ENV["ONCEOVER_YAML"] || repository.path("spec/onceover.yaml")
          return unless File.file?(file)

          content = YAML.safe_load(RegularFile.read(file), permitted_classes: [Symbol], aliases: true)
          raise UsageError, "#{file}: expected a hash with a `test_matrix`" unless content.is_a?(Hash) && content["test_matrix"].is_a?(Array)

          new(content, file, repository)
        rescue Psych::Exception => e
          raise UsageError, "#{file}: not YAML: #{e.message}"
        end

        # @param content [Hash] of the file
        # @param file [String]
        # @param repository [Repository]
        def initialize(content, file, repository)
          @content = content
          @file = file
          @repository = repository
          @options = (content["opts"] || {}).transform_keys(&:to_sym)
          @groups = {"all_classes" => names_of_classes, "all_nodes" => list("nodes")}
          %w[node_groups class_groups].each do |kind|
            (content[kind] || {}).each { |name, members| @groups[name] = resolve(members) }
          end
        end

        # Returns the combinations of classes and nodes. As in onceover, the first entry of a combination counts; later ones add tags.
        #
        # @return [Hash{Array(String, String)=>Array<String>}] tags by the names of the class and the node
        # @raise [UsageError] if an entry has an unknown name
        def matrix
          entries = @content["test_matrix"].flat_map(&:to_a).select { |_, settings| TESTS.include?(settings["tests"]) }
          entries.each_with_object({}) do |(nodes, settings), matrix|
            resolve(nodes).product(resolve(settings["classes"])).each do |node, name|
              (matrix[[name, node]] ||= []).concat(Array(settings["tags"])).uniq!
            end
          end
        end

        # @param name [String] the name of a node
        # @return [System]
        # @raise [UsageError] if there is no factset of it
        def system(name)
          file = factsets[name] or
            raise UsageError, "#{@file}: there are no facts of #{name}: expected spec/factsets/#{name}.json, or the gem onceover, which brings some"
          System.read(file)
        end

        # @return [Hash{String=>Object}] results of the functions that are mocked
        def functions
          (@content["functions"] || {}).transform_values { |function| function.is_a?(Hash) ? function["returns"] : nil }
        end

        # @return [Array<String>] Ruby code that runs before each example
        def before = list("before")

        # @return [Array<String>] Ruby code that runs after each example
        def after = list("after")

        # @return [String, nil] the main manifest
        def manifest
          manifest = @options[:manifest] || @content["manifest"]
          manifest && @repository.path(manifest)
        end

        private

        def list(key)
          Array(@content[key]).map(&:to_s)
        end

        def names_of_classes
          list("classes").flat_map do |text|
            next [text] unless text.match?(%r{\A/.*/\z})

            pattern = Pattern.new(text)
            @repository.classes { |name| pattern.match?(name) }.map(&:name)
          end.uniq
        end

        # Resolves the name of a group, class or node, a pattern of classes, a list of these, or the difference of two groups.
        def resolve(members)
          case members
          when nil then []
          when Array then members.flat_map { |member| resolve(member) }
          when Hash then resolve(members.fetch("include") { raise unknown(members) }) - resolve(members["exclude"])
          else @groups[members] || named(members)
          end
        end

        def named(name)
          pattern = Pattern.new(name) if name.match?(%r{\A/.*/\z})
          found = @groups.values_at("all_classes", "all_nodes").flatten.select { |known| pattern ? pattern.match?(known) : known == name }
          found.empty? && pattern.nil? ? raise(unknown(name)) : found
        end

        def unknown(name)
          UsageError.new("#{@file}: there is no class, node or group #{name.is_a?(String) ? name : name.inspect}")
        end

        def factsets
          @factsets ||= factset_files.reverse.to_h { |file| [File.basename(file, ".*"), file] }
        end

        # Files in the repository take precedence over the gem's.
        def factset_files
          given = Array(@options[:facts_files]).map { |pattern| @repository.path(pattern) }
          directories = [*@options[:facts_dir], *@options[:facts_dirs], "spec/factsets"].map { |path| @repository.path(path) }
          given = [*directories, *gem_directory].map { |path| File.join(path, "*.json") } if given.empty?
          given.flat_map { |pattern| Dir.glob(pattern).sort }
        end

        def gem_directory
          File.join(Gem::Specification.find_by_name("onceover").gem_dir, "factsets")
        rescue Gem::MissingSpecError
          nil
        end
      end
    end
  end
end
