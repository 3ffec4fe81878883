# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "rbconfig"
require "tmpdir"

# What matchers say. The texts are those of rspec-puppet 5 with Puppet 8.11, or say more.
RSpec.describe "puppetfn test" do
  before(:all) do
    @directory = Dir.mktmpdir
    write("metadata.json", '{"name": "me-mod"}')
    write("manifests/init.pp", <<~PUPPET)
      class mod(Boolean $fails = false) {
        file { '/a': ensure => file, mode => '0644', content => "hello\\n", require => Notify['n'] }
        notify { 'n': }
        if $fails { fail('boom') }
      }
    PUPPET
    write("lib/puppet/functions/mod/double.rb", <<~RUBY)
      Puppet::Functions.create_function(:"mod::double") do
        dispatch(:double) { param "Numeric", :number }
        def double(number) = number * 2
      end
    RUBY
  end

  after(:all) { FileUtils.rm_r(@directory) }

  def write(path, text)
    path = File.join(@directory, path)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
  end

  # Descriptions and messages of examples, by what is expected.
  def examples(path, described, expectations)
    lines = expectations.map { |expectation| "  it { is_expected.#{expectation} }\n" }
    write(path, "describe #{described.inspect} do\n#{lines.join}end\n")
    command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), "test", "--format", "json", path]
    results = JSON.parse(Open3.capture2(*command, chdir: @directory).first.lines.grep(/\A\{/).first).fetch("examples")
    found = results.select { |result| result["file_path"].end_with?(path) }
    expectations.zip(found).to_h do |expectation, result|
      message = result.dig("exception", "message").lines.grep_v(%r{\A\S*\.rb:\d+:}).join.chomp
      [expectation, [result["description"].delete_prefix("is expected "), message]]
    end
  end

  def expect_texts(path, described, texts)
    expect(examples(path, described, texts.keys)).to eq(texts)
  end

  it "says of functions what they return and raise" do
    failed = "ArgumentError('mod::double' parameter 'number' expects a Numeric value, got String)"
    expect_texts("spec/functions/double_spec.rb", "mod::double", {
      "to run.with_params(2).and_return(5)" =>
        ["to run mod::double(2) and return 5", "expected mod::double(2) to have returned 5 instead of 4"],
      "to run.with_params(2).and_return(/5/)" =>
        ["to run mod::double(2) and match /5/", "expected mod::double(2) to have returned /5/ instead of 4"],
      "to run.with_params('x')" =>
        ["to run mod::double(\"x\") without error", "expected mod::double(\"x\") to have run successfully instead of #{failed}"],
      "to run.with_params('x').and_return(1)" =>
        ["to run mod::double(\"x\") and return 1", "expected mod::double(\"x\") to have returned 1 instead of raising #{failed}"],
      "to run.with_params(2).and_raise_error(ArgumentError)" =>
        ["to run mod::double(2) and raise an ArgumentError", "expected mod::double(2) to have raised ArgumentError instead of returning 4"],
      "to run.with_params(2).and_raise_error(ArgumentError, /x/)" =>
        ["to run mod::double(2) and raise an ArgumentError with the message matching /x/",
         "expected mod::double(2) to have raised ArgumentError matching /x/ instead of returning 4"],
      "to run.with_params('x').and_raise_error(KeyError, 'm')" =>
        ["to run mod::double(\"x\") and raise an KeyErrorwith the message \"m\"",
         "expected mod::double(\"x\") to have raised KeyError matching \"m\" instead of #{failed}"],
      "not_to run.with_params(2).and_return(4)" =>
        ["not to run mod::double(2) and return 4", "expected mod::double(2) to not have returned 4"],
      "not_to run.with_params(2)" => ["not to run mod::double(2) without error", "expected mod::double(2) to not have run successfully"]
    })
  end

  it "says of catalogs what they contain" do
    file = "expected that the catalogue would contain File[/a]"
    expect_texts("spec/classes/mod_spec.rb", "mod", {
      "not_to compile" =>
        ["not to compile into a catalogue without dependency cycles", "expected that the catalogue would not compile but it does"],
      "to compile.and_raise_error(/x/)" =>
        ["to fail to compile and raise an error matching /x/",
         "expected that the catalogue would fail to compile and raise an error matching /x/"],
      "to contain_file('/b')" =>
        ["to contain File[/b]", "expected that the catalogue would contain File[/b], but of that type it has only /a"],
      "not_to contain_file('/a')" => ["not to contain File[/a]", "expected that the catalogue would not contain File[/a]"],
      "to contain_file('/a').with_mode('0600')" =>
        ["to contain File[/a] with mode => \"0600\"", "#{file} with mode set to \"0600\" but it is set to \"0644\""],
      "to contain_file('/a').only_with_mode('0644')" =>
        ["to contain File[/a] with exactly 1 parameters and mode => \"0644\"",
         "#{file} with exactly 1 parameters but the catalogue contains 4"],
      "to contain_file('/a').without(['mode', 'content'])" =>
        ["to contain File[/a] with mode undefined and content undefined",
         "#{file} with mode undefined but it is set to \"0644\", and parameter content undefined but it is set to \"hello\\n\""],
      "to contain_file('/a').that_requires('Notify[x]')" =>
        ["to contain File[/a] that requires Notify[x]", "#{file} that requires Notify[x]"],
      "to contain_file('/a').that_notifies('Notify[n]')" =>
        ["to contain File[/a] that notifies Notify[n]", "#{file} that notifies Notify[n]"],
      "to contain_class('other')" =>
        ["to contain Class[other]", "expected that the catalogue would contain Class[other], but of that type it has only Mod"],
      "to have_file_resource_count(3)" =>
        ["to contain exactly 3 File resources",
         "expected that the catalogue would contain exactly 3 File resources but it contains 1"],
      "to have_class_count(7)" =>
        ["to contain exactly 7 classes", "expected that the catalogue would contain exactly 7 classes but it contains 1"],
      "not_to have_resource_count(2)" =>
        ["not to contain exactly 2 resources", "expected that the catalogue would not contain exactly 2 resources but it does"]
    })
  end
end
