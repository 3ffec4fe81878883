# frozen_string_literal: true

require "fileutils"
require "open3"
require "rbconfig"
require "tmpdir"

# What specs find around them without asking for it.
RSpec.describe "puppetfn test" do
  command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), "test"]

  around { |example| Dir.mktmpdir { |directory| Dir.chdir(directory) { example.run } } }

  def write(path, text)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
  end

  it "gives specs the methods of libraries that Puppet has loaded" do
    write("spec/functions/size_spec.rb", <<~RUBY)
      describe "size" do
        it { expect({"a" => 1}.to_json).to eq('{"a":1}') }
        it { expect([nil, "x"].to_json).to eq('[null,"x"]') }
        it { expect({"a" => 1}.to_yaml).to eq("---\\na: 1\\n") }
        it { expect(File.directory?(Dir.tmpdir)).to be(true) }
        it { expect(Dir.mktmpdir("x") { |path| File.basename(path)[0] }).to eq("x") }
        it { expect(Open3.capture2("cat", stdin_data: "a").first).to eq("a") }
      end
    RUBY
    expect(Open3.capture2(*command).first).to include("6 examples, 0 failures")
  end

  it "knows groups by the types that a spec helper gives them" do
    write("spec/unit/size_spec.rb", <<~RUBY)
      RSpec.configure { |config| config.define_derived_metadata(file_path: /unit/) { |data| data[:type] = :function } }

      describe "size" do
        it { is_expected.to run.with_params("ab").and_return(2) }

        context "with a type of its own", type: :type_alias do
          it { expect(self).not_to respond_to(:allow_value) }
        end
      end
    RUBY
    expect(Open3.capture2(*command, "spec/unit/size_spec.rb").first).to include("2 examples, 0 failures")
  end

  # As `bundle exec` does: the libraries of the gems of the Gemfile come first on the load path.
  it "replaces the gems that a Gemfile names" do
    root = File.expand_path("../..", __dir__)
    write("Gemfile", "gem \"puppetfn\", path: #{root.inspect}\ngem \"rspec\"\n")
    %w[puppet rspec-puppet puppetlabs_spec_helper rspec-puppet-facts].each do |name|
      File.write("Gemfile", "gem #{name.inspect}, path: #{name.inspect}\n", mode: "a")
      write("#{name}/#{name}.gemspec", <<~RUBY)
        Gem::Specification.new do |gem|
          gem.name, gem.version, gem.summary, gem.authors = #{name.inspect}, "9", "fails if it is loaded", ["none"]
        end
      RUBY
      library = name == "puppetlabs_spec_helper" ? "#{name}/module_spec_helper" : name
      write("#{name}/lib/#{library}.rb", "raise 'the gem #{name} was loaded'\n")
    end
    write("spec/functions/size_spec.rb", <<~RUBY)
      require "puppetlabs_spec_helper/module_spec_helper"
      require "rspec-puppet"
      require "rspec-puppet-facts"
      require "puppet"

      describe "size" do
        it { is_expected.to run.with_params("ab").and_return(2) }
      end
    RUBY
    environment = {"BUNDLE_GEMFILE" => File.expand_path("Gemfile"), "RUBYOPT" => "-rbundler/setup"}
    expect(Open3.capture2(environment, *command).first).to include("1 example, 0 failures")
  end
end
