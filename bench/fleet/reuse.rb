# frozen_string_literal: true

# Changes one file after the other of a made control repository (make.rb), and checks that `puppetfn diff` finds the same whether it
# compiles only the nodes that have read something that differs, or all (`--compile-all`).
#
#     script/verify catalog-reuse DIRECTORY [TRIALS] [SEED]
#
# Makes the repository if there is no DIRECTORY. Two nodes of each role are compared. What differs is printed with the change.

require "fileutils"
require "json"
require "open3"
require "rbconfig"
require "tmpdir"
require_relative "make"

module FleetBench
  # Changes files, and compares.
  class Reuse
    # What most changes of control repositories are about.
    CHANGED = "{data,manifests,site-modules,modules/*/{manifests,functions,types,templates,files,lib,data}}/**/*.{pp,epp,erb,rb,yaml,txt}"

    def initialize(directory, random)
      @repository = File.join(directory, "repository")
      @facts = File.join(directory, "facts")
      @random = random
    end

    # @return [Integer] how many changes had another result
    def run(trials)
      Dir.mktmpdir("puppetfn-reuse-") do |directory|
        @directory = directory
        take_nodes
        checkout("old")
        checkout("new")
        compiled = []
        wrong = Array.new(trials) { trial(compiled) }.count(false)
        puts "#{trials} changes, #{wrong} with another result; of #{@nodes} nodes, #{(compiled.sum.to_f / trials).round(1)} were compiled on average"
        wrong
      end
    end

    private

    def take_nodes
      FileUtils.mkdir("#{@directory}/facts")
      nodes = Dir.children(@facts).sort.group_by { |name| name[/\A[a-z_]+/] }.values.flat_map { |names| names.sample(2, random: @random) }
      nodes.each { |name| FileUtils.cp("#{@facts}/#{name}", "#{@directory}/facts") }
      @nodes = nodes.size
    end

    def checkout(name)
      FileUtils.mkdir("#{@directory}/#{name}")
      statuses = Open3.pipeline(["git", "-C", @repository, "archive", "main"], ["tar", "--extract", "--directory", "#{@directory}/#{name}"])
      abort("git failed") unless statuses.all?(&:success?)
    end

    def trial(compiled)
      path, before, change = change_a_file
      report, complaints = diff("--cache", "#{@directory}/cache")
      all, = diff("--compile-all")
      compiled << complaints.scan(/Compiled (\d+) nodes/).flatten.last.to_i
      puts "#{report == all ? "same" : "ANOTHER"}: #{compiled.last} compiled after #{change} of #{path}"
      report == all
    ensure
      before ? File.binwrite("#{@directory}/new/#{path}", before) : FileUtils.rm("#{@directory}/new/#{path}")
    end

    # @return [Array(String, String, String)] the path, what was there, and what was done
    def change_a_file
      files = Dir.glob(CHANGED, base: "#{@directory}/new").sort
      path = files.sample(random: @random)
      full = "#{@directory}/new/#{path}"
      before = File.binread(full)
      case @random.rand(6)
      when 0 then File.delete(full) && [path, before, "removal"]
      when 1 then [add_beside(path), nil, "addition"]
      when 2 then File.binwrite(full, "#{before}\n# #{@random.hex(4)}\n") && [path, before, "comment"]
      else File.binwrite(full, changed(before)) && [path, before, "change"]
      end
    end

    def add_beside(path)
      added = path.sub(/(\w+)(\.\w+)\z/, "added_\\2")
      FileUtils.cp("#{@directory}/new/#{path}", "#{@directory}/new/#{added}")
      added
    end

    # Changes a text between quotes or after a colon; that may be no valid code, which is found on both ways.
    def changed(text)
      places = text.enum_for(:scan, /(?<=['": ])[A-Za-z0-9_\/.-]{2,}(?=['"\n])/n).map { Regexp.last_match.offset(0) }
      first, last = places.sample(random: @random)
      return "#{text}\nchanged\n" unless first

      text.byteslice(0, first) + "changed" + text.byteslice(last..)
    end

    def diff(*arguments)
      out, err, = Open3.capture3(*PUPPETFN, "diff", "old", "new", "--nodes", "facts", "--environment-name", "production", "--format", "json", *arguments,
                                 chdir: @directory)
      [JSON.parse(out), err]
    end
  end
end

if $PROGRAM_NAME == __FILE__
  directory, trials, seed = ARGV
  abort("usage: script/verify catalog-reuse DIRECTORY [TRIALS] [SEED]") unless directory
  directory = File.expand_path(directory)
  FleetBench::Maker.new(directory).make unless File.exist?(directory)
  seed = Integer(seed || Random.new_seed % 1_000_000)
  puts "seed #{seed}"
  exit(FleetBench::Reuse.new(directory, Random.new(seed)).run(Integer(trials || 50)).zero?)
end
