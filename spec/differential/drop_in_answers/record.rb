# frozen_string_literal: true

require "fileutils"
require "json"
require "yaml"
require "zlib"

module Differential
  # A program with its files, facts and classifier. `files` are written below `env` of a directory, the main manifest under
  # the name `site.pp`; a name may begin with `../` (beside `env`), `latin1:` or `crlf:` (how its text is written). `opts` has
  # facts, trusted, enc, node, strict, strict_variables, hiera_config and settings; `rounds` has the options
  # that differ in each round, except settings. `by` is only in records of our own.
  AnswerRecord = Struct.new(:id, :cause, :opts, :files, :by, keyword_init: true) do
    # @param path [String] of JSON lines, which may be compressed, or of YAML
    # @return [Array<AnswerRecord>]
    def self.read(path)
      parsed = path.match?(/\.ya?ml\z/) ? YAML.safe_load_file(path) : lines(path).map { |line| JSON.parse(line) }
      parsed.map { |entry| new(id: entry.fetch("id"), cause: entry["cause"].to_s, opts: entry["opts"] || {}, files: entry.fetch("files"), by: entry["by"]) }
    end

    def self.lines(path)
      text = path.end_with?(".gz") ? Zlib::GzipReader.open(path, &:read) : File.read(path)
      text.force_encoding("UTF-8").lines
    end
    private_class_method :lines

    # @param part [String]
    # @return [Boolean] whether it is a part of the id or the cause
    def matches?(part)
      id.include?(part) || cause.include?(part)
    end

    # Writes the files into a directory in place of all that is there.
    #
    # @param directory [String]
    # @return [void]
    def write(directory)
      FileUtils.rm_rf(directory)
      FileUtils.mkdir_p(%w[env/manifests env/modules base].map { |name| File.join(directory, name) })
      files.each { |name, text| write_file(directory, name, text.gsub(/<DIR>|%DIR%/, directory)) }
    end

    private

    def write_file(directory, name, text)
      *forms, name = name.split(":")
      name = "manifests/site.pp" if name == "site.pp"
      text = text.gsub("\n", "\r\n") if forms.include?("crlf")
      text = text.encode("ISO-8859-1") if forms.include?("latin1")
      path = File.expand_path(name, File.join(directory, "env"))
      FileUtils.mkdir_p(File.dirname(path))
      File.binwrite(path, text)
      File.chmod(0o755, path) if path.end_with?(".sh")
    end
  end
end
