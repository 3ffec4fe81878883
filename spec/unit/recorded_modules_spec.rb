# frozen_string_literal: true

require "fileutils"
require "open3"
require "rbconfig"
require "tmpdir"
require_relative "../../vectors/ruby/modules"

RSpec.describe "the modules of recorded cases" do
  root = File.expand_path("../..", __dir__)

  around do |example|
    Dir.mktmpdir do |directory|
      @directory = File.realpath(directory)
      example.run
    end
  end

  describe Vectors::PackagedModules do
    list = {
      "shop" => {"package" => "puppet-module-shop", "version" => "1.0-1", "requires" => ["stdlib"]},
      "stdlib" => {"package" => "puppet-module-stdlib", "version" => "8.5.0-1", "requires" => []},
      "other" => {"package" => "puppet-module-other", "version" => "2-1", "requires" => []}
    }

    # The modules where some versions are installed.
    define_method(:modules) do |versions|
      list.each_key { |name| FileUtils.mkdir_p("#{@directory}/installed/#{name}/manifests") }
      described_class.new(list, versions: Class.new { define_singleton_method(:versions) { |_| versions } }, installed: "#{@directory}/installed")
    end

    it "are compared where the packages have the versions of the recording" do
      modules = modules("puppet-module-shop" => "1.0-1", "puppet-module-stdlib" => "8.5.0-1", "puppet-module-other" => "3-1")

      expect(modules.unavailable("shop")).to be_nil
      expect(modules.unavailable(nil)).to be_nil
      expect(modules.unavailable_packages).to eq(["puppet-module-other is 3-1 here and was 2-1 in the recording"])
    end

    it "are left out where a package has another version or is missing, also one that the module requires" do
      expect(modules("puppet-module-shop" => "2.0-1").unavailable("shop")).to eq("puppet-module-shop is 2.0-1 here and was 1.0-1 in the recording")
      expect(modules("puppet-module-shop" => "1.0-1").unavailable("shop")).to eq("puppet-module-stdlib 8.5.0-1 is not installed")
    end

    it "are on a module path with the modules that they require, and no others" do
      modules = modules({})

      expect(Dir.children(modules.directory("shop"))).to contain_exactly("shop", "stdlib")
      expect(Dir.children(modules.directory)).to match_array(list.keys)
      expect(File.realpath("#{modules.directory("shop")}/shop")).to eq("#{@directory}/installed/shop")
    end

    it "have no version where there is no package of that name" do
      expect(described_class::Dpkg.versions(%w[puppet-module-that-does-not-exist])).to eq({})
    end
  end

  describe Vectors::External do
    it "is the directory that the variable names, or the one beside the checkout" do
      expect(described_class.directory({"PUPPETFN_VECTORS" => @directory})).to eq(@directory)
      expect(described_class.directory({}, default: @directory)).to eq(@directory)
      expect(described_class.directory({"PUPPETFN_VECTORS" => ""}, default: "#{@directory}/none")).to be_nil
      expect { described_class.directory({"PUPPETFN_VECTORS" => "#{@directory}/none"}) }
        .to raise_error("PUPPETFN_VECTORS: #{@directory}/none is not a directory")
    end
  end

  it "are said to be left out by script/vectors if there are no published modules" do
    output, status = Open3.capture2e({"PUPPETFN_VECTORS" => @directory}, "#{root}/script/vectors", "--external")

    expect(output).to eq("LEFT OUT: the recorded catalogs and resources of published modules: #{Vectors::External::MISSING}\n")
    expect(status).to be_success
  end

  it "are said to be left out by specs if there are no published modules" do
    output, status = Open3.capture2e({"PUPPETFN_VECTORS" => @directory}, RbConfig.ruby, "-S", "rspec", "spec/unit/strings_reference_spec.rb",
      "--example", "of published modules", chdir: root)

    expect(output).to include("2 examples, 0 failures, 2 pending").and include("# #{Vectors::External::MISSING}")
    expect(status).to be_success
  end
end
