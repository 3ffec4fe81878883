# frozen_string_literal: true

require "json"
require "open3"
require "zlib"

# Looks for the work of others in files of a repository: in archives, whatever they are called, and in licences.
class RepositoryContents
  # The formats of archives and compressed files, by their first bytes.
  FORMATS = {
    gzip: "\x1F\x8B".b, xz: "\xFD7zXZ\0".b, bzip2: "BZh".b, zstd: "\x28\xB5\x2F\xFD".b, zip: "PK\x03\x04".b, seven_zip: "7z\xBC\xAF\x27\x1C".b,
    ar: "!<arch>\n".b
  }.freeze
  # The magic bytes of tar archives, and their offset.
  TAR = ["ustar".b, 257].freeze
  # The seeds that libFuzzer keeps: named by a digest, and small.
  SEED = /\A\h{40}\z/
  SEED_SIZE = 4096
  LICENCE = /\A(?:licen[cs]e|copying|copyright|notice)\b/i
  # Sentences in the head of a file that belongs to somebody.
  CLAIMS = /\bCopyright (?:\(c\)|©|[12]\d{3})|SPDX-License-Identifier|Licensed (?:under|to) the|GNU (?:Lesser |Affero )?General Public License/i
  # A program in a record is a few statements. Whole files of modules are longer.
  PROGRAM_SIZE = 4000

  # @param root [String]
  # @param files [Array<String>] paths below the root
  def initialize(root, files)
    @root, @files = root, files
  end

  # @return [Array<String>] a line for each finding of the work of others
  def problems
    @files.flat_map { |file| file == "LICENSE" ? [] : in_file(file).map { |problem| "#{file}: #{problem}" } }
  end

  private

  def in_file(file)
    path = File.join(@root, file)
    return [] unless File.file?(path) && !File.symlink?(path)
    return ["is a licence"] if LICENCE.match?(File.basename(file))

    in_bytes(File.binread(path))
  end

  def in_bytes(bytes)
    format = FORMATS.key(FORMATS.values.find { |magic| bytes.start_with?(magic) })
    return in_content(Zlib.gunzip(bytes)) if format == :gzip
    return ["is an archive (#{format}) that this does not look into"] if format
    return in_tar(bytes) if tar?(bytes)

    []
  rescue Zlib::Error => e
    ["is no whole archive: #{e.message}"]
  end

  def in_content(bytes)
    return in_tar(bytes) if tar?(bytes)
    return [] if bytes.delete("\0").empty?

    bytes.force_encoding(Encoding::UTF_8).each_line.with_index(1).flat_map { |line, number| in_record(line, number) }
  end

  def tar?(bytes)
    bytes.byteslice(TAR.last, TAR.first.bytesize) == TAR.first
  end

  def in_tar(bytes)
    entries(bytes).reject { |name, size| SEED.match?(name) && size < SEED_SIZE }.map { |name, _| "has #{name}" }
  end

  def entries(bytes)
    listed, status = Open3.capture2("tar", "--list", "--verbose", "--file", "-", stdin_data: bytes, binmode: true)
    raise "tar failed" unless status.success?

    listed.lines.map { |line| line.split(" ", 6).values_at(5, 2) }.map { |name, size| [name.chomp.delete_prefix("./"), size.to_i] }
  end

  # A line of JSON, as recorded cases have them.
  def in_record(line, number)
    record = JSON.parse(line)
    strings = strings(record)
    problems = []
    problems << "line #{number} has files" if record.is_a?(Hash) && record.key?("files")
    problems << "line #{number} has a text of #{strings.map(&:size).max} characters" if strings.any? { |text| text.size > PROGRAM_SIZE }
    problems << "line #{number} has a licence" if strings.any? { |text| CLAIMS.match?(text) }
    problems
  rescue JSON::ParserError
    ["line #{number} is no JSON"]
  end

  def strings(value)
    case value
    when String then [value]
    when Array then value.flat_map { |element| strings(element) }
    when Hash then value.flat_map { |pair| strings(pair) }
    else []
    end
  end
end
