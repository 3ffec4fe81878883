# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "tmpdir"
require_relative "external"

module Vectors
  # Modules that recorded cases are about: in an archive with the cases, or in Debian's packages.
  module Modules
    ARCHIVE = "modules.tar.gz"
    private_constant :ARCHIVE

    class << self
      # @param directory [String] a directory with cases
      # @return [ArchivedModules, PackagedModules]
      def of(directory)
        archive = [directory, File.join(directory, "..", "catalogs")].map { |path| File.join(path, ARCHIVE) }.find { |path| File.file?(path) }
        (@sources ||= {})[archive && File.realpath(archive)] ||= archive ? ArchivedModules.new(archive) : PackagedModules.new
      end

      # @return [String, nil] the directory of the published modules, nil if they are not on this machine
      def published
        archive = External.path("catalogs", ARCHIVE)
        archive && of(File.dirname(archive)).directory
      end

      # @return [String] a directory that is removed when this process ends
      def temporary_directory
        directory = File.realpath(Dir.mktmpdir("puppetfn-vectors-"))
        owner = Process.pid
        at_exit { FileUtils.remove_entry(directory) if Process.pid == owner }
        directory
      end
    end
  end

  # Modules in an archive, unpacked.
  class ArchivedModules
    def initialize(archive)
      @directory = Modules.temporary_directory
      system("tar", "--extract", "--file", archive, "--directory", @directory, exception: true)
    end

    # @return [String] a module path
    def directory(_name = nil)
      @directory
    end

    # @return [Boolean] whether records have the texts of templates, and not only their digests
    def texts_recorded?
      true
    end

    # @return [nil] the archive has every module of the cases
    def unavailable(_name)
      nil
    end
  end

  # Modules of Debian's packages `puppet-module-*`. An answer is compared only with the version of the package that it was recorded with.
  class PackagedModules
    # A changed copy of the modules can be tried with the records of the originals.
    INSTALLED = ENV.fetch("PUPPETFN_INSTALLED_MODULES", "/usr/share/puppet/modules")
    LIST = File.expand_path("../../spec/vectors/packages.json", __dir__)

    # The versions of installed packages.
    module Dpkg
      # @param packages [Array<String>]
      # @return [Hash{String=>String}] the versions of installed packages, by package
      def self.versions(packages)
        lines, = Open3.capture3("dpkg-query", "--show", "--showformat", "${db:Status-Status} ${Package} ${Version}\n", *packages)
        lines.scan(/^installed (\S+) (\S+)$/).to_h
      rescue Errno::ENOENT
        {}
      end
    end

    # @param list [Hash{String=>Hash}] `package`, `version` and `requires`, names of other modules, by the name of the module
    # @param versions [#versions]
    def initialize(list = JSON.parse(File.read(LIST)), versions: Dpkg, installed: INSTALLED)
      @list, @installed = list, installed
      @versions = versions.versions(list.values.map { |entry| entry["package"] })
    end

    # @param name [String, nil] a module; nil for all
    # @return [String] a module path with the module and the modules that it requires, and no others
    def directory(name = nil)
      (@directories ||= {})[name] ||= Modules.temporary_directory.tap do |directory|
        (name ? [name, *@list.fetch(name)["requires"]] : @list.keys).each do |used|
          path = File.join(@installed, used)
          File.symlink(File.realpath(path), File.join(directory, used)) if File.directory?(path)
        end
      end
    end

    # (see ArchivedModules#texts_recorded?)
    def texts_recorded?
      false
    end

    # @param name [String, nil] the module of a case, nil if it uses none
    # @return [String, nil] why the module cannot be compared, nil if it can
    def unavailable(name)
      return if name.nil?

      mismatches([name, *@list.fetch(name)["requires"]]).first
    end

    # @return [Array<String>] why modules cannot be compared; empty if all can
    def unavailable_packages
      mismatches(@list.keys)
    end

    private

    def mismatches(names)
      names.filter_map do |name|
        package, recorded = @list.fetch(name).values_at("package", "version")
        installed = @versions[package]
        next if installed == recorded

        installed ? "#{package} is #{installed} here and was #{recorded} in the recording" : "#{package} #{recorded} is not installed"
      end
    end
  end
end
