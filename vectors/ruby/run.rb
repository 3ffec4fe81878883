# frozen_string_literal: true

# Runs recorded cases and counts the right answers; see vectors/README.md.

require "optparse"
require_relative "external"
require_relative "recorded"
require_relative "kinds"
require_relative "deviations"
require_relative "report"

shown = 0
id = nil
core = false
external = false
arguments = OptionParser.new do |options|
  options.banner = "Usage: script/vectors DIR|FILE... [--failures [N]] [--id ID] [--core] [--external]"
  options.on("--failures [N]", Integer, "Show the first N failures (20)") { |number| shown = number || 20 }
  options.on("--id ID", "Run this case only, and show it if it fails") { |name| id, shown = name, 1 }
  options.on("--core", "Leave out what runs in Ruby, which needs the extension") { core = true }
  options.on("--external", "Run the cases of published modules in $#{Vectors::External::VARIABLE} or ../shared/vectors, too") { external = true }
end.parse(ARGV)
if external
  published = %w[catalogs resources].filter_map { |name| Vectors::External.path(name) }
  puts "LEFT OUT: the recorded catalogs and resources of published modules: #{Vectors::External::MISSING}" if published.empty?
  arguments.concat(published)
  exit if arguments.empty?
end
abort "script/vectors: name a directory or a file with cases" if arguments.empty?

in_ruby = [Vectors::RubyTypes, Vectors::Cty, Vectors::Api, Vectors::Load, Vectors::Catalog, Vectors::Resources, Vectors::RubyTemplates]
kinds = Vectors::Kinds.new([Vectors::Core, *(in_ruby unless core)])
files = Vectors::Recorded.files(arguments)
report = Vectors::Report.new(Vectors::Deviations.load, shown: shown)
files.each do |file|
  cases = file.cases.select { |recorded| kinds.run?(recorded) && (id.nil? || recorded.id == id) }
  reasons = cases.map { |recorded| kinds.unavailable(file.directory, recorded) }
  report.leave_out(file.path, reasons.compact)
  cases = cases.zip(reasons).filter_map { |recorded, reason| recorded unless reason }
  report.add(file.path, cases, kinds.failures(file.directory, cases)) unless cases.empty?
end
exit report.finish
