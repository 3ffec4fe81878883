# frozen_string_literal: true

require "json"
require "zlib"
require_relative "modules"

module Vectors
  # Writes records, for the programs that make them.
  module Recorder
    # Writes a compressed file whose bytes depend on the records only.
    #
    # @param records [Array<Hash>]
    def self.write(path, records)
      File.open(path, "wb") do |file|
        compressed = Zlib::GzipWriter.new(file, Zlib::BEST_COMPRESSION)
        compressed.mtime = 1
        records.each { |record| compressed.puts(line(record)) }
        compressed.close
      end
    end

    # Runs a block in a process of its own: Puppet keeps the resource types that it has loaded.
    def self.in_process(&block)
      Process.wait(fork(&block))
      raise "recording failed" unless $?.success?
    end

    # A record must not tell where Puppet was installed.
    def self.line(record)
      line = JSON.generate(record)
      library = $LOADED_FEATURES.find { |path| path.end_with?("/puppet.rb") }
      raise "#{record["id"]} has the place of Puppet" if library && line.include?(File.dirname(library))

      line
    end
    private_class_method :line
  end

  # The list of the packages that have the recorded modules.
  module PackageList
    # Modules that a module uses, and neither its metadata nor its package names.
    UNDECLARED = {"ssh" => ["sshkeys_core"], "mysql" => ["cron_core"], "postgresql" => ["augeas_core"], "redis" => ["augeas_core"]}.freeze
    private_constant :UNDECLARED

    class << self
      # Adds modules and their dependencies. A module has one version: all of its records are made again if that changes.
      #
      # @param names [Array<String>] of modules
      def write(names)
        list = File.file?(PackagedModules::LIST) ? JSON.parse(File.read(PackagedModules::LIST)) : {}
        closure(names).each { |name| list[name] = entry(name) }
        File.write(PackagedModules::LIST, "#{JSON.pretty_generate(list.sort.to_h)}\n")
      end

      private

      # The modules and all that they depend on.
      def closure(names)
        found = names.dup
        found.each { |name| (dependencies(name) - found).each { |used| found << used } }
      end

      def entry(name)
        package = package(name)
        {"package" => package, "version" => PackagedModules::Dpkg.versions([package]).fetch(package), "requires" => (closure([name]) - [name]).sort}
      end

      def package(name)
        packages.fetch(name)
      end

      # The packages of all installed modules.
      def packages
        @packages ||= begin
          paths = Dir.children(PackagedModules::INSTALLED).sort.to_h { |name| [File.realpath(directory(name)), name] }
          found, = Open3.capture2e("dpkg-query", "--search", *paths.keys)
          found.scan(/^(puppet-module-[^:,\s]+)[^:]*: (.+)$/).to_h { |package, path| [paths[path], package] }
        end
      end

      # The installed modules among the dependencies in `metadata.json` and in Debian's control file.
      def dependencies(name)
        metadata = File.join(directory(name), "metadata.json")
        declared = File.file?(metadata) ? JSON.parse(File.read(metadata)).fetch("dependencies", []).map { |one| one["name"][%r{[^/-]+\z}] } : []
        (declared + packaged(name) + UNDECLARED.fetch(name, [])).uniq.select { |one| File.directory?(directory(one)) } - [name]
      end

      def packaged(name)
        depends.fetch(package(name), "").scan(/puppet-module-[\w.+-]+/).filter_map { |other| packages.key(other) }
      end

      def depends
        @depends ||= begin
          shown, = Open3.capture2("dpkg-query", "--show", "--showformat", "${Package}\t${Depends}\n", *packages.values)
          shown.lines(chomp: true).to_h { |line| line.split("\t", 2) }
        end
      end

      def directory(name)
        File.join(PackagedModules::INSTALLED, name)
      end
    end
  end
end
