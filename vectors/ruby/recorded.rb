# frozen_string_literal: true

require "json"

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

  # A file of cases, one a line.
  Recorded = Struct.new(:path) do
    # The files at and below the given paths.
    #
    # @param paths [Array<String>]
    # @return [Array<Recorded>]
    def self.files(paths)
      paths.flat_map do |path|
        found = File.directory?(path) ? Dir.glob("**/*.jsonl", base: path).sort.map { |name| File.join(path, name) } : [path]
        abort "script/vectors: #{path} has no cases" unless found.any? && found.all? { |name| File.file?(name) }
        found.map { |name| new(name) }
      end
    end

    def cases
      File.foreach(path, encoding: "UTF-8", chomp: true).with_index(1).map do |line, number|
        Case.parse(line, "#{path}:#{number}")
      end
    end

    def directory
      File.dirname(path)
    end
  end
end
