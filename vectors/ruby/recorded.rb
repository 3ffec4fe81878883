# frozen_string_literal: true

require "json"
require "zlib"

module Vectors
  # A recorded case: a line of a file, and what it says.
  Case = Struct.new(:line, :data) do
    def self.parse(line, place)
      data = JSON.parse(line)
      data.is_a?(Hash) ? new(line, {"id" => place}.merge(data)) : new(line, {"id" => place})
    rescue JSON::ParserError
      new(line, {"id" => place})
    end

    def id
      data["id"]
    end
  end

  # The file with the facts of recorded catalogs.
  FACTS = "facts.jsonl.gz"

  # A file of cases, one a line, which may be compressed.
  Recorded = Struct.new(:path) do
    # The files at and below the given paths.
    #
    # @param paths [Array<String>]
    # @return [Array<Recorded>]
    def self.files(paths)
      paths.flat_map do |path|
        found = File.directory?(path) ? below(path) : [path]
        abort "script/vectors: #{path} has no cases" unless found.any? && found.all? { |name| File.file?(name) }
        found.map { |name| new(name) }
      end
    end

    # The files below a directory; facts of catalogs are no cases.
    def self.below(directory)
      names = Dir.glob("**/*.jsonl{,.gz}", base: directory).reject { |name| File.basename(name) == FACTS }
      names.sort.map { |name| File.join(directory, name) }
    end
    private_class_method :below

    def cases
      lines.each_with_index.map { |line, index| Case.parse(line, "#{path}:#{index + 1}") }
    end

    def directory
      File.dirname(path)
    end

    private

    def lines
      return File.readlines(path, encoding: "UTF-8", chomp: true) unless path.end_with?(".gz")

      Zlib::GzipReader.open(path, external_encoding: Encoding::UTF_8) { |file| file.each_line(chomp: true).to_a }
    end
  end
end
