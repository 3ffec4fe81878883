# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"

# The names that a real Puppet has loaded, each with the library that has to be required for it.
class LibraryTable
  PROBE = File.expand_path("../../spec/differential/libraries/probe.rb", __dir__)
  # Names that Puppet and Facter define for themselves; {PSON} is Puppet 7's.
  INTERNAL = /\A(?:DOT|Facts|Facter|LegacyFacter|LoggerHelper|OsDetector|Puppet|PSON|RDoc|SemanticPuppet)\z/
  # Names that Puppet defines a part of, and the libraries that have the whole.
  WHOLE = {"Hiera" => "hiera"}.freeze
  # Files of Puppet's and Facter's own, and the part of `date` that is written in C.
  OF_PROGRAMS = %r{\A(?:puppet|facter|hiera|semantic_puppet|date_core)\b}
  private_constant :PROBE, :INTERNAL, :WHOLE, :OF_PROGRAMS

  # @param load_path [String, nil] where Puppet is, if not where Ruby finds it
  def initialize(load_path)
    @options = load_path ? ["-I", load_path] : []
    @probes = {}
  end

  # @return [Hash{String=>Hash{String=>String}}] for each module, the features of the constants in it
  def constants
    puppet["constants"].to_h do |owner, names|
      [owner, names.keys.grep_v(INTERNAL).filter_map { |name| (feature = feature_of_constant(owner, name)) && [name, feature] }.sort.to_h]
    end.sort.to_h
  end

  # @return [Hash{String=>Hash{String=>String}}] for each module, or with a dot its singleton class, the features of its methods
  def methods
    found = puppet["methods"].to_h do |owner, names|
      [owner, names.filter_map { |name| (feature = feature_of_method(owner, name)) && [name, feature] }.sort.to_h]
    end
    found.reject { |_, names| names.empty? }.sort.to_h
  end

  private

  def puppet
    @puppet ||= probe("--puppet")
  end

  def libraries
    @libraries ||= features.select { |feature| fitting?(feature) }.to_h { |feature| [feature, probe(feature)] }
  end

  # Whole libraries where there are such, as `json`, and otherwise the parts that Puppet has loaded, as `net/http`.
  def features
    loaded = puppet["features"].filter_map { |file| feature(file) }.grep_v(OF_PROGRAMS)
    loaded.group_by { |name| name[/\A[^\/]+/] }.flat_map do |root, names|
      available?(root) && fitting?(root) ? [root] : names.grep(%r{\A[^/]+/[^/]+\z})
    end
  end

  # The shortest name that a loaded file can be required by.
  def feature(file)
    directory = load_path.select { |path| file.start_with?("#{path}/") }.max_by(&:size)
    file.delete_prefix("#{directory}/").sub(/\.(?:rb|so)\z/, "") if directory
  end

  def load_path
    @load_path ||= $LOAD_PATH.map(&:to_s) + Gem::Specification.flat_map(&:full_require_paths)
  end

  def available?(feature)
    !$LOAD_PATH.resolve_feature_path(feature).nil? || !Gem::Specification.find_by_path(feature).nil?
  end

  # Whether a library adds no methods that Puppet lacks.
  def fitting?(feature)
    added = probe(feature) or return false
    added["methods"].all? { |owner, names| (names - puppet["methods"].fetch(owner, [])).empty? }
  end

  def probe(argument)
    @probes[argument] ||= begin
      output, status = Open3.capture2(RbConfig.ruby, "-W0", *@options, PROBE, argument, err: File::NULL)
      JSON.parse(output) if status.success?
    end
  end

  # The library that defines most of Puppet's names within the constant, and the fewest others.
  def feature_of_constant(owner, name)
    return WHOLE[name] if WHOLE.key?(name)

    wanted = puppet["constants"][owner][name]["names"]
    libraries.select { |_, added| added["constants"].fetch(owner, {}).key?(name) }
      .min_by { |feature, added| [-(added["constants"][owner][name]["names"] & wanted).size, weight(added), feature] }&.first
  end

  def feature_of_method(owner, name)
    libraries.select { |_, added| added["methods"].fetch(owner, []).include?(name) }
      .min_by { |feature, added| [weight(added), feature] }&.first
  end

  def weight(added)
    added["features"].size
  end
end
