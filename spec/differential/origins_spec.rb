# frozen_string_literal: true

require_relative "../support/differential"

# `puppetfn list` loads all functions and type aliases of real modules, and says where they are from.
RSpec.describe "Functions and type aliases of real modules, listed", :differential do
  # What cannot be loaded, in Puppet as well, and why.
  unloadable = {
    "redisget" => "it requires a gem that is not installed",
    "Stdlib::Compat::Re" => "its file is empty",
    "Apache::Oidcsettings" => "it has a key twice, which is an error since Puppet 8"
  }

  places = {
    [] => %w[lib/puppet/functions lib/puppet/parser/functions functions],
    ["--types"] => %w[types lib/puppet/type]
  }

  places.each do |options, directories|
    describe "with list #{options.join(" ")}".strip do
      attr_reader :listed, :errors

      before(:context) do
        command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), "list", "--json", *options]
        output, @errors, = Open3.capture3(*command, "--modulepath", Differential::MODULEPATH.join(":"))
        @listed = JSON.parse(output).to_h { |entry| entry.values_at("name", "origin") }
      end

      let(:files) do
        directories.to_h { |directory| [directory, Differential::MODULEPATH.flat_map { |path| Dir.glob("#{path}/*/#{below(directory)}.{rb,pp}") }] }
      end

      it "load, all but those that Puppet cannot load" do
        expect(errors.lines.map { |line| line[/\Aerror: ([\w:]+): /, 1] }.uniq - unloadable.keys).to be_empty
      end

      it "are from files that exist, or are built in" do
        origins = listed.values - ["built in"]
        expect(origins - files.values.flatten).to be_empty
        expect(origins.size).to be > 100
      end

      it "are those of all files" do
        names = files.flat_map do |directory, paths|
          paths.map { |path| name_of(path, directory, options.any?) }
        end
        missing = names.uniq - listed.keys.map(&:downcase) - unloadable.keys.map(&:downcase)
        expect(missing).to be_empty
      end
    end
  end

  # Resource types have no namespace: what is in directories helps them.
  def below(directory)
    directory == "lib/puppet/type" ? "#{directory}/*" : "#{directory}/**/*"
  end

  # What a file below a directory of a module is named for. Functions in Ruby have their namespace in the path.
  def name_of(path, directory, type)
    return File.basename(path, ".*") if directory == "lib/puppet/type"

    mod, rest = path.match(%r{/([^/]+)/#{Regexp.escape(directory)}/(.*)\.\w+\z}).captures
    parts = rest.split("/")
    (type || directory == "functions" ? [mod, *parts] : parts).join("::").downcase
  end
end
