# frozen_string_literal: true

require "json"
require_relative "operating_system"

module Puppetfn
  module RSpec
    # The facts of systems: in the files of `FACTERDB_SEARCH_PATHS`, in those of the gem facterdb if it is installed, or
    # else made up.
    #
    # Only the files are read that have the name of the system which is asked for, where there are such.
    #
    # @api private
    module FactSets
      class << self
        # @param system [OperatingSystem]
        # @param facter [String] the version of Facter that the facts are to be of, or the closest one before it; if there is
        #   none, any
        # @return [Array<Hash{String=>Object}>] one of each release that is meant; none when nothing is known of the system
        def find(system, facter)
          sets = named(system).select { |set| system.described_by?(set) }
          sets = unnamed(system).select { |set| system.described_by?(set) } if sets.empty?
          sets = [system.facts] if sets.empty? && made_up?
          closest(sets, facter).to_h { |set| [OperatingSystem.id_of(set), set] }.values
        end

        # @return [Array<Hash{String=>Object}>] all sets
        def all
          files.map { |path| read(path) } + (made_up? ? OperatingSystem.known.map(&:facts) : [])
        end

        private

        def named(system)
          files_by_name.fetch(system.id.downcase, []).map { |path| read(path) }
        end

        # Sets in files that have no name of another system.
        def unnamed(system)
          files.reject { |path| system.other_file?(File.basename(path)) }.map { |path| read(path) }
        end

        def closest(sets, facter)
          versions = sets.group_by { |set| Gem::Version.new(set["facterversion"] || "0") }
          major, minor = facter.split(".").map(&:to_i)
          # Later ones than the version that is asked for count only if they are of the same minor one.
          version = ["~> #{facter}.0", "< #{major}.#{minor + 1}"].lazy.filter_map { |text| newest(versions.keys, text) }.first
          version ? versions[version] : versions.sort_by(&:first).flat_map(&:last)
        end

        def newest(versions, text)
          requirement = Gem::Requirement.new(text)
          versions.select { |version| requirement.satisfied_by?(version) }.max
        end

        def read(path)
          Heap.make_room
          (@sets ||= {})[path] ||= JSON.parse(RegularFile.read(path))
        rescue JSON::ParserError => e
          raise Error, "#{path} is not JSON: #{e.message}"
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
