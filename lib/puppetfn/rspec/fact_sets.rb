# frozen_string_literal: true

require "json"
require_relative "fact_index"
require_relative "operating_system"

module Puppetfn
  module RSpec
    # The facts of systems: in the files of `FACTERDB_SEARCH_PATHS`, in the files of the gem facterdb if it is installed, or
    # else made up.
    #
    # Files named for the requested system are read, or all if there are none; {FactIndex} has the systems of files from earlier runs.
    #
    # @api private
    module FactSets
      class << self
        # @param system [OperatingSystem]
        # @param facter [String] the wanted version of Facter, or the closest one before it; if none exists, any version
        # @return [Array<Hash{String=>Object}>] one of each matching release; none when the system is unknown
        def find(system, facter)
          paths = described(named(system), system)
          paths = described(unnamed(system), system) if paths.empty?
          return made_up? ? [system.facts] : missing(system) if paths.empty?

          closest(paths, facter).to_h { |path| [OperatingSystem.id_of(index[path]), path] }.each_value.map { |path| read(path) }
        end

        # @return [Array<String>] names of requested systems without facts
        def systems_without_facts
          @systems_without_facts ||= []
        end

        # @return [Array<Hash{String=>Object}>] all sets
        def all
          files.map { |path| read(path) } + (made_up? ? OperatingSystem.known.map(&:facts) : [])
        end

        private

        def missing(system)
          systems_without_facts << system.to_s unless systems_without_facts.include?(system.to_s)
          []
        end

        def described(paths, system)
          paths.select { |path| system.described_by?(index[path]) }
        end

        def named(system)
          files_by_name.fetch(system.id.downcase, [])
        end

        # Files that have no name of another system.
        def unnamed(system)
          files.reject { |path| system.other_file?(File.basename(path)) }
        end

        def closest(paths, facter)
          versions = paths.group_by { |path| Gem::Version.new(index[path]["facterversion"] || "0") }
          major, minor = facter.split(".").map(&:to_i)
          # Later versions than the requested one count only if they are of the same minor version.
          version = ["~> #{facter}.0", "< #{major}.#{minor + 1}"].lazy.filter_map { |text| newest(versions.keys, text) }.first
          version ? versions[version] : versions.sort_by(&:first).flat_map(&:last)
        end

        def newest(versions, text)
          requirement = Gem::Requirement.new(text)
          versions.select { |version| requirement.satisfied_by?(version) }.max
        end

        def read(path)
          (@sets ||= {})[path] ||= parse(path)
        end

        def parse(path)
          Heap.make_room
          JSON.parse(RegularFile.read(path))
        rescue JSON::ParserError => e
          raise OperationError, "#{path} is not JSON: #{e.message}"
        end

        def index
          @index ||= FactIndex.new { |path| parse(path) }
        end

        def files
          @files ||= directories.flat_map { |directory| Dir.glob(File.join(directory, "**/*.facts")).sort }
        end

        def files_by_name
          @files_by_name ||= files.group_by { |path| File.basename(path, ".facts").downcase }
        end

        def directories
          given = ENV.fetch("FACTERDB_SEARCH_PATHS", "").split(File::PATH_SEPARATOR)
          [*(gem_directory unless skip_defaults?), *given].select { |path| File.directory?(path) }
        end

        def gem_directory
          @gem_directory ||= Gem::Specification.find_by_name("facterdb").gem_dir.then { |path| File.join(path, "facts") }
        rescue Gem::MissingSpecError
          nil
        end

        def made_up?
          !skip_defaults? && gem_directory.nil?
        end

        def skip_defaults?
          !ENV["FACTERDB_SKIP_DEFAULTDB"].nil?
        end
      end
    end
  end
end
