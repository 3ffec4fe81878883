# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "tmpdir"

# A copy of the made control repository with facts of more nodes, and the command.
module FleetOfNodes
  REPOSITORY = File.expand_path("../control_repository", __dir__)

  # Nodes that are like those of the repository.
  NAMES = [*(1..8).map { |number| "web#{number}.example.com" }, "db1.example.com"].freeze

  # @yieldparam directory [String] where `repository` and `facts` are
  def with_fleet
    Dir.mktmpdir("puppetfn-fleet-spec-") do |directory|
      FileUtils.cp_r(REPOSITORY, "#{directory}/repository")
      FileUtils.rm_r("#{directory}/repository/facts")
      FileUtils.mkdir("#{directory}/facts")
      NAMES.each { |name| write_facts(directory, name) }
      yield directory
    end
  end

  def write_facts(directory, name)
    return FileUtils.cp("#{REPOSITORY}/facts/#{name}.yaml", "#{directory}/facts") if name.start_with?("db")

    text = File.read("#{REPOSITORY}/facts/web1.example.com.json").gsub("web1.example.com", name)
    File.write("#{directory}/facts/#{name}.json", text)
  end

  # The options about the repository.
  def options(directory)
    ["--enc", "#{directory}/repository/scripts/classifier.sh", "--environment-name", "production"]
  end

  # What the command prints and complains of, and its exit code.
  def puppetfn(*arguments, environment: {}, chdir: Dir.pwd)
    out, err, status = Open3.capture3(environment, *Puppetfn::CLI.command, *arguments, chdir: chdir)
    [out, err, status.exitstatus]
  end

  def compile(directory, out, *arguments, environment: {})
    puppetfn("compile", "--nodes", "#{directory}/facts", "--environment", "#{directory}/repository", *options(directory),
             "--out", out, *arguments, environment: environment)
  end

  # The files of a folder with what is in them, without journals, which say how long everything took.
  def contents(folder)
    Dir.glob("#{folder}/{catalogs,errors,messages}/*").to_h { |path| [path.delete_prefix(folder), File.read(path)] }
  end
end
