# frozen_string_literal: true

require_relative "../support/module_tree"

# Puppet does without modules whose metadata.json lacks what it requires. The texts are those of Puppet 8.11.
RSpec.describe Puppetfn::Runtime, "with metadata.json" do
  include ModuleTree

  complete = JSON.parse(ModuleTree.metadata("me-m"))
  code = {"m/functions/f.pp" => "function m::f() { 'm' }", "m/types/t.pp" => "type M::T = Integer", "m/manifests/init.pp" => "class m {}"}
  malformed = "m has an invalid and unparsable metadata.json file. The parse error: " \
              "key must be a string at line 1 column 2"

  define_method(:with_metadata) do |metadata, **options, &block|
    with_runtime(code.merge("m/metadata.json" => metadata.is_a?(String) ? metadata : JSON.generate(metadata)), **options, &block)
  end

  def logged(runtime)
    runtime.logs.map { |level, message| "#{level}: #{message}" }
  end

  {
    "source" => "No source module metadata provided for m",
    "author" => "No author module metadata provided for m",
    "version" => "No version module metadata provided for m",
    "license" => "No license module metadata provided for m",
    "dependencies" => "No dependencies module metadata provided for m"
  }.each do |key, message|
    it "does without a module that does not say its #{key}, and logs so once" do
      [complete.except(key), complete.merge(key => nil)].each do |metadata|
        with_metadata(metadata) do |runtime|
          2.times { runtime.evaluate_string("1") }
          expect(logged(runtime)).to eq ["err: #{message}"]
          expect { runtime.call_function("m::f") }.to raise_error(ArgumentError, "Unknown function 'm::f'") { |error|
            expect(error.explain).to include("the module 'm' is not used: #{message}")
          }
        end
      end
    end
  end

  it "shows dependencies that are no array" do
    with_metadata(complete.merge("dependencies" => {"a" => 1})) do |runtime|
      runtime.evaluate_string("1")
      message = "The value for the key dependencies in the file metadata.json of the module m must be an array, not: '{\"a\"=>1}'"
      expect(logged(runtime)).to eq ["err: #{message}"]
    end
  end

  it "uses modules without metadata, and with all that is required" do
    [complete, {}, [], "", complete.merge("extra" => [1])].each do |metadata|
      with_metadata(metadata) do |runtime|
        expect(runtime.evaluate_string("m::f()")).to eq "m"
        expect(logged(runtime)).to eq []
      end
    end
  end

  it "is as strict with text that is not JSON as with code" do
    with_metadata("{]", strict: :error) do |runtime|
      expect { runtime.evaluate_string("m::f()") }.to raise_error(Puppet::Error, /Unknown function: 'm::f'/)
      expect(logged(runtime)).to eq ["err: #{malformed}"]
    end
    with_metadata("{]", strict: :warning) do |runtime|
      expect(runtime.evaluate_string("m::f()")).to eq "m"
      expect(logged(runtime)).to eq ["warning: #{malformed}"]
    end
    with_metadata("{]", strict: :off) do |runtime|
      runtime.logs.level = :debug
      expect(runtime.evaluate_string("m::f()")).to eq "m"
      expect(logged(runtime)).to eq ["debug: #{malformed}"]
    end
  end

  it "does not look for another module of that name" do
    metadata = {"a/m/metadata.json" => '{"name": "me-m"}', "b/m/functions/f.pp" => "function m::f() { 'b' }"}
    with_modules(metadata) do |root|
      runtime = described_class.new(modulepath: [File.join(root, "a"), File.join(root, "b")])
      expect { runtime.call_function("m::f") }.to raise_error(ArgumentError, "Unknown function 'm::f'")
    end
  end

  it "says why a class or a type is not there" do
    with_metadata(complete.except("license")) do |runtime|
      expect { runtime.evaluate_string("include m") }.to raise_error(Puppet::Error, /Could not find class ::m/)
      expect(logged(runtime)).to eq ["err: No license module metadata provided for m"]
      expect { runtime.create("M::T", 1) }.to raise_error(/the module 'm' is not used: No license module metadata provided for m/)
    end
  end

  it "sees metadata that has been mended after a reload" do
    with_metadata(complete.except("license")) do |runtime|
      expect { runtime.call_function("m::f") }.to raise_error(ArgumentError)
      File.write(File.join(runtime.environment.modulepath.first, "m/metadata.json"), JSON.generate(complete))
      runtime.reload
      expect(runtime.call_function("m::f")).to eq "m"
    end
  end
end
