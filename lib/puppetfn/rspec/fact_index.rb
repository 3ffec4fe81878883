# frozen_string_literal: true

require "json"
require_relative "../cache_directory"

module Puppetfn
  module RSpec
    # A cache of the system of each file of facts, kept between runs, so that one file a system is read of the many in facterdb.
    #
    # An entry is stale as soon as the size, the inode or a time of its file differs.
    #
    # @api private
    class FactIndex
      # More files are not in the index.
      LIMIT = 20_000
      # The facts that name a system and the version of Facter.
      NAMES = %w[facterversion hardwaremodel operatingsystem operatingsystemmajrelease operatingsystemrelease].freeze
      # Specs may stub it.
      STAT = File::Stat.method(:new)
      private_constant :LIMIT, :NAMES, :STAT

      # @return [String, nil] nil for users without a home
      def self.path
        CacheDirectory.path&.then { |directory| File.join(directory, "facts.json") }
      end

      # @param path [String, nil] the file of the index
      # @yieldparam file [String]
      # @yieldreturn [Hash{String=>Object}] all facts in a file
      def initialize(path = FactIndex.path, &read)
        @path = path
        @read = read
        @entries = load
        @changed = false
        process = Process.pid
        at_exit { save if Process.pid == process }
      end

      # @param file [String]
      # @return [Hash{String=>Object}] the facts that name the system and the version of Facter
      def [](file)
        stamp = stamp(file)
        known, facts = @entries[file]
        return facts if known == stamp

        facts = identity(@read.call(file))
        @changed = true
        @entries[file] = [stamp, facts]
        facts
      end

      # Writes the index, if files were read that it did not have.
      #
      # @return [void]
      def save
        return unless @changed && @path

        @changed = false
        entries = @entries.select { |file, _| File.file?(file) }.to_a.last(LIMIT).to_h
        CacheDirectory.replace(@path) { |file| file.write(JSON.generate(entries)) }
      rescue SystemCallError
        # The next run reads the files again.
        nil
      end

      private

      def load
        entries = @path && File.file?(@path) ? JSON.parse(File.read(@path)) : {}
        entries.is_a?(Hash) ? entries.select { |_, entry| entry in [[*], Hash] } : {}
      rescue SystemCallError, JSON::ParserError
        {}
      end

      def stamp(file)
        stat = STAT.call(file)
        [stat.size, stat.ino, *[stat.mtime, stat.ctime].flat_map { |time| [time.to_i, time.nsec] }]
      end

      def identity(facts)
        os = facts["os"]
        os = {"name" => os["name"], "release" => os["release"], "hardware" => os["hardware"]} if os.is_a?(Hash)
        {**facts.slice(*NAMES), "os" => os}.compact
      end
    end
  end
end
