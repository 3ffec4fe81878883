# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "tmpdir"
require "zlib"
require_relative "../../vectors/ruby/modules"
require_relative "../support/copied_lines"
require_relative "../support/repository_contents"

RSpec.describe "the repository" do
  root = File.expand_path("../..", __dir__)
  listed, status = Open3.capture2e("git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
  files = listed.split("\0")
  clone = status.success?

  before { skip "this is no clone: Git lists no files" unless clone }

  it "has no code and no licence of others, also within archives" do
    expect(RepositoryContents.new(root, files).problems).to eq([])
  end

  it "has no file with lines of the modules that Debian packages, or of published ones" do
    installed = Vectors::PackagedModules::INSTALLED
    copied = CopiedLines.new(installed, *Vectors::Modules.published)
    skip "there are no modules in #{installed}" if copied.empty?

    paths = files.map { |file| "#{root}/#{file}" }.select { |path| File.file?(path) }
    expect(copied.in_files(paths)).to eq({})
  end

  it "has one licence" do
    expect(files.select { |file| RepositoryContents::LICENCE.match?(File.basename(file)) }).to eq(["LICENSE"])
  end

  it "has archives in two places only" do
    archives = files.select { |file| File.file?("#{root}/#{file}") && File.binread("#{root}/#{file}", 2) == "\x1F\x8B".b }

    expect(archives).to all(match(%r{\Afuzz/kept/\w+\.tar\.gz\z|\Aspec/vectors/(?:catalogs|resources)/\w+\.jsonl\.gz\z}))
    expect(archives.size).to be > 40
  end

  describe "with a planted file" do
    code = "# A class.\nclass shop { }\n"

    # The problems of a repository with one file.
    def problems(name, bytes)
      Dir.mktmpdir do |directory|
        FileUtils.mkdir_p(File.dirname(path = File.join(directory, name)))
        File.binwrite(path, bytes)
        RepositoryContents.new(directory, [name]).problems
      end
    end

    # The bytes of an archive.
    def tar(files, *options)
      Dir.mktmpdir do |directory|
        files.each do |name, text|
          FileUtils.mkdir_p(File.dirname(path = File.join(directory, name)))
          File.write(path, text)
        end
        Open3.capture2("tar", "--create", *options, "--directory", directory, *files.keys, binmode: true).first
      end
    end

    it "finds modules in an archive, whatever its name and format are" do
      modules = {"shop/manifests/init.pp" => code, "shop/lib/puppet/functions/price.rb" => "# code", "shop/LICENSE" => "Apache"}
      found = %w[shop/manifests/init.pp shop/lib/puppet/functions/price.rb shop/LICENSE]

      expect(problems("spec/modules.tar.gz", tar(modules, "--gzip"))).to eq(found.map { |name| "spec/modules.tar.gz: has #{name}" })
      expect(problems("data.bin", tar(modules, "--gzip"))).to eq(found.map { |name| "data.bin: has #{name}" })
      expect(problems("data", tar(modules))).to eq(found.map { |name| "data: has #{name}" })
      expect(problems("modules.tar.xz", tar(modules, "--xz"))).to eq(["modules.tar.xz: is an archive (xz) that this does not look into"])
      expect(problems("modules.zip", "PK\x03\x04rest".b)).to eq(["modules.zip: is an archive (zip) that this does not look into"])
    end

    it "finds a module among seeds, and a seed that is as long as a file of a module" do
      small, long = "0" * 40, "1" * 40

      expect(problems("seeds.tar.gz", tar({small => code}, "--gzip"))).to eq([])
      expect(problems("seeds.tar.gz", tar({small => code, "init.epp" => code}, "--gzip"))).to eq(["seeds.tar.gz: has init.epp"])
      expect(problems("seeds.tar.gz", tar({long => code * 200}, "--gzip"))).to eq(["seeds.tar.gz: has #{long}"])
    end

    it "finds files, long texts and licences in records" do
      records = {
        {"code" => code} => [],
        {"files" => {"a/manifests/init.pp" => code}} => ["records.gz: line 1 has files"],
        {"code" => code * 200} => ["records.gz: line 1 has a text of 5200 characters"],
        {"expected" => [{"content" => "# Copyright 2012 The Authors"}]} => ["records.gz: line 1 has a licence"]
      }
      records.each { |record, expected| expect(problems("records.gz", Zlib.gzip(JSON.generate(record)))).to eq(expected) }
      expect(problems("records.gz", Zlib.gzip(code))).to eq(["records.gz: line 1 is no JSON", "records.gz: line 2 is no JSON"])
      expect(problems("records.gz", Zlib.gzip("{}").byteslice(0, 15))).to contain_exactly(start_with("records.gz: is no whole archive"))
    end

    it "finds the code of a module under another name" do
      Dir.mktmpdir do |directory|
        lines = Array.new(6) { |number| "  $parameter#{number} = lookup('a::rather::long::key::of::hiera::number#{number}')\n" }
        FileUtils.mkdir_p("#{directory}/modules/a/manifests")
        File.write("#{directory}/modules/a/manifests/init.pp", "class a {\n#{lines.join}}\n")
        File.write(copy = "#{directory}/copy.txt", "# Other\n#{lines.map(&:lstrip).join}")
        File.write(other = "#{directory}/other.txt", "# Other\n#{lines.first(2).join}#{lines.last}")

        expect(CopiedLines.new("#{directory}/modules").in_files([copy, other])).to eq(copy => 6)
      end
    end

    it "finds licences" do
      expect(problems("spec/fixtures/LICENSE", "MIT")).to eq(["spec/fixtures/LICENSE: is a licence"])
      expect(problems("vendor/COPYING.txt", "GPL")).to eq(["vendor/COPYING.txt: is a licence"])
      expect(problems("lib/licensing.rb", "# code")).to eq([])
    end
  end
end
