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
end
