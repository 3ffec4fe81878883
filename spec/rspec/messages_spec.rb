# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "rbconfig"
require "tmpdir"
require_relative "../support/module_tree"

# What matchers say. The texts are those of rspec-puppet 5 with Puppet 8.11; where more is said, it is on a line of its own.
RSpec.describe "puppetfn test" do
  before(:all) do
    @directory = Dir.mktmpdir
    write("metadata.json", ModuleTree.metadata("me-mod"))
    write("manifests/init.pp", <<~PUPPET)
      class mod(Boolean $fails = false) {
        file { '/a': ensure => file, mode => '0644', content => "hello\\n", require => Notify['n'] }
        notify { 'n': }
        exec { 'b': path => '/bin', environment => ['A=1', 'B=2'] }
        if $fails { fail('boom') }
      }
    PUPPET
    write("lib/puppet/functions/mod/double.rb", <<~RUBY)
      Puppet::Functions.create_function(:"mod::double") do
        dispatch(:double) { param "Numeric", :number }
        def double(number) = number * 2
      end
    RUBY
    write("manifests/exported.pp", <<~PUPPET)
      class mod::exported {
        @@file { '/a': ensure => file, mode => '0644' }
        @notify { 'virtual': }
        notify { 'local': }
      }
    PUPPET
    write("manifests/camel.pp", "class mod::camel($fooBar = 5) { file { 't': name => '/b' } }")
    write("types/port.pp", "type Mod::Port = Integer[1, 9]\n")
    write("lib/puppet/type/mod_loaf.rb", <<~RUBY)
      Puppet::Type.newtype(:mod_loaf) do
        newparam(:name, namevar: true)
        newproperty(:weight)
        provide(:hand) {}
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
  def examples(path, described, expectations, set_up = "")
    lines = expectations.map { |expectation| "  it { is_expected.#{expectation} }\n" }
    write(path, "describe #{described.inspect} do\n  #{set_up}\n#{lines.join}end\n")
    command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), "test", "--format", "json", path]
    results = JSON.parse(Open3.capture2(*command, chdir: @directory).first.lines.grep(/\A\{/).first).fetch("examples")
    found = results.select { |result| result["file_path"].end_with?(path) }
    expectations.zip(found).to_h do |expectation, result|
      message = result.dig("exception", "message").lines.grep_v(%r{\A\S*\.rb:\d+:}).join.chomp
      [expectation, [result["description"].delete_prefix("is expected "), message]]
    end
  end

  def expect_texts(path, described, texts, set_up = "")
    expect(examples(path, described, texts.keys, set_up)).to eq(texts)
  end

  it "knows parameters by the names that catalogs have" do
    nothing = "but it is set to nil"
    expect_texts("spec/classes/camel_spec.rb", "mod::camel", {
      "not_to contain_class('mod::camel').with_foobar(5)" =>
        ["not to contain Class[mod::camel] with foobar => 5", "expected that the catalogue would not contain Class[mod::camel]"],
      "to contain_class('mod::camel').with_fooBar(5)" =>
        ["to contain Class[mod::camel] with fooBar => 5",
         "expected that the catalogue would contain Class[mod::camel] with fooBar set to 5 #{nothing}"],
      "to contain_file('t').with_path('/c')" =>
        ["to contain File[t] with path => \"/c\"",
         "expected that the catalogue would contain File[t] with path set to \"/c\" but it is set to \"/b\""]
    })
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
      "to run.with_params(2).and_raise_error(Puppet::Resource::Catalog::DuplicateResourceError)" =>
        ["to run mod::double(2) and raise an Puppet::Resource::Catalog::DuplicateResourceError",
         "expected mod::double(2) to have raised Puppet::Resource::Catalog::DuplicateResourceError instead of returning 4"],
      "to run.with_params(2).and_raise_error(Facter::Core::Execution::ExecutionFailure)" =>
        ["to run mod::double(2) and raise an Facter::Core::Execution::ExecutionFailure",
         "expected mod::double(2) to have raised Facter::Core::Execution::ExecutionFailure instead of returning 4"],
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
        ["to contain File[/b]", "expected that the catalogue would contain File[/b]\nof that type it has only /a"],
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
        ["to contain File[/a] that requires Notify[x]", "#{file} with that requires Notify[x]"],
      "to contain_file('/a').that_notifies('Notify[n]')" =>
        ["to contain File[/a] that notifies Notify[n]", "#{file} with that notifies Notify[n]"],
      "to contain_class('other')" =>
        ["to contain Class[other]", "expected that the catalogue would contain Class[other]\nof that type it has only Mod"],
      "to have_file_resource_count(3)" =>
        ["to contain exactly 3 File resources",
         "expected that the catalogue would contain exactly 3 File resources but it contains 1"],
      "to have_class_count(7)" =>
        ["to contain exactly 7 classes", "expected that the catalogue would contain exactly 7 classes but it contains 1"],
      "not_to have_resource_count(3)" =>
        ["not to contain exactly 3 resources", "expected that the catalogue would not contain exactly 3 resources but it does"]
    })
  end

  it "shows how values differ" do
    file = "expected that the catalogue would contain File[/a] with"
    expect_texts("spec/classes/values_spec.rb", "mod", {
      "to contain_file('/a').with_content(\"hello\\nyou\\n\")" =>
        ["to contain File[/a] with content  supplied string",
         "#{file} content set to supplied string\nDiff:\n@@ -1,3 +1,2 @@\n hello\n-you"],
      "to contain_file('/a').with_content(/you\\n/)" =>
        ["to contain File[/a] with content =~ /you\\n/",
         "#{file} content set to /you\\n/ but it is set to \"hello\\n\"\nDiff:\n@@ -1 +1 @@\n-(?-mix:you\\n)\n+hello"],
      "to contain_exec('b').with_environment(['A=1', /C/])" =>
        ['to contain Exec[b] with environment => ["A=1", /C/]',
         "expected that the catalogue would contain Exec[b] with environment set to [\"A=1\", /C/] but it is set to " \
         "[\"A=1\", \"B=2\"]\nDiff:\n@@ -1,4 +1,4 @@\n A=1\n \n-(?-mix:C)\n+B=2"],
      "to contain_exec('b').with_environment('A=1')" =>
        ['to contain Exec[b] with environment => "A=1"',
         "expected that the catalogue would contain Exec[b] with environment set to \"A=1\" but it is set to " \
         "[\"A=1\", \"B=2\"]\nDiff:\n@@ -1,3 +1,5 @@\n A=1\n+\n+B=2"],
      "to contain_exec('b').without_environment(/A/).without_path" =>
        ["to contain Exec[b] with environment !~ /A/ and path undefined",
         "expected that the catalogue would contain Exec[b] with environment not set to /A/ but it is set to " \
         "[\"A=1\", \"B=2\"], and parameter path undefined but it is set to \"/bin\"\nDiff:\n@@ -1,3 +1,5 @@\n-(?-mix:A)\n+A=1\n+\n+B=2"]
    })
  end

  it "says in which order resources are not" do
    exec = "expected that the catalogue would contain Exec[b] with"
    expect_texts("spec/classes/order_spec.rb", "mod", {
      "to contain_exec('b').that_requires(['File[/a]', 'Notify[n]'])" =>
        ["to contain Exec[b] that requires File[/a] and Notify[n]",
         "#{exec} that requires File[/a], and parameter that requires Notify[n]"],
      "to contain_exec('b').that_subscribes_to('File[/a]').that_comes_before('File[/a]')" =>
        ["to contain Exec[b] that comes before File[/a]",
         "#{exec} that comes before File[/a], and parameter that is subscribed to File[/a]"],
      "to contain_exec('b').with_path('/').that_notifies('Notify[n]')" =>
        ["to contain Exec[b] that notifies Notify[n]",
         "#{exec} path set to \"/\" but it is set to \"/bin\", and parameter that notifies Notify[n]"]
    })
  end

  it "says why a catalog was not compiled" do
    error = "error during compilation: Evaluation Error: Error while evaluating a Function Call, boom (file: MANIFEST, line: 5, column: 15) on node NODE"
    texts = examples("spec/classes/fails_spec.rb", "mod", ["to compile", "to compile.and_raise_error(/zzz/)"], "let(:params) { {fails: true} }")
      .transform_values { |_, message| message.gsub(%r{file: \S*/manifests/init.pp}, "file: MANIFEST").sub(/on node \S+/, "on node NODE") }
    expect(texts).to eq(
      "to compile" => error, "to compile.and_raise_error(/zzz/)" => "#{error}\nexpected to fail to compile and raise an error matching /zzz/"
    )
  end

  it "names the lines of the manifest as rspec-puppet has it" do
    message = "error during compilation: Evaluation Error: Error while evaluating a Function Call, Could not find class ::mod::none for"
    {"" => 2, "let(:pre_condition) { ['$a = 1', '$b = 2'] }" => 4, "let(:pre_condition) { nil }" => 2}.each do |set_up, line|
      _, text = examples("spec/classes/none_spec.rb", "mod::none", ["to compile"], set_up).fetch("to compile")
      expect(text).to start_with(message).and include("(line: #{line}, column: 1) on node ")
    end
  end

  it "says of type aliases what they match" do
    error = lambda do |given, line = 3|
      "Evaluation Error: Error while evaluating a Function Call, assert_type(): expects a Mod::Port = Integer[1, 9] value, " \
        "got #{given} (line: #{line}, column: 1) on node mod::port"
    end
    raised = "but it raised the error"
    expect_texts("spec/type_aliases/port_spec.rb", "Mod::Port", {
      "to allow_value(80)" => ["to match value 80", "expected that the type alias would match value 80 #{raised} #{error["Integer[80, 80]"]}"],
      "to allow_values(1, 80)" =>
        ["to match values 1, 80", "expected that the type alias would match values 1, 80 #{raised} #{error["Integer[80, 80]"]}"],
      "to allow_values('x', 'x')" =>
        ["to match values \"x\", \"x\"",
         "expected that the type alias would match values \"x\", \"x\" #{raised}s #{error["String"]}, #{error["String"]}"],
      "not_to allow_value(1)" => ["not to match value 1", "expected that the type alias would not match value 1 but it does"],
      "not_to allow_values(1, 2)" => ["not to match values 1, 2", "expected that the type alias would not match values 1, 2 but it does"]
    })
    expect(examples("spec/type_aliases/after_code_spec.rb", "Mod::Port", ["to allow_value(80)"], "let(:pre_condition) { \"$a = 1\\n$b = 2\" }"))
      .to eq("to allow_value(80)" =>
        ["to match value 80", "expected that the type alias would match value 80 #{raised} #{error["Integer[80, 80]", 5]}"])
  end

  it "says of resource types what they have" do
    expect_texts("spec/types/mod_loaf_spec.rb", "mod_loaf", {
      "to be_valid_type.with_parameters(['colour', :size])" => ["to be a valid type", 'Not a valid type ["Invalid parameters: colour,size"]'],
      "to be_valid_type.with_properties(:weight).with_properties(:height)" =>
        ["to be a valid type", 'Not a valid type ["Invalid properties: height"]'],
      "to be_valid_type.with_features(:sliceable)" => ["to be a valid type", 'Not a valid type ["Invalid features: sliceable"]'],
      "to be_valid_type.with_provider(:machine)" =>
        ["to be a valid type", 'Not a valid type ["Expected provider: machine does not match: hand"]']
    }, "let(:title) { 'rye' }")
  end

  it "says of exported resources what there is, and nothing of others" do
    expect_texts("spec/classes/exported_spec.rb", "mod::exported", {
      "to contain_file('/a').with_mode('0600')" =>
        ["to contain File[/a] with mode => \"0600\"",
         "expected that the catalogue would contain File[/a] with mode set to \"0600\" but it is set to \"0644\""],
      "not_to contain_file('/a')" => ["not to contain File[/a]", "expected that the catalogue would not contain File[/a]"],
      "to contain_notify('local')" =>
        ["to contain Notify[local]", "expected that the catalogue would contain Notify[local]\nit has none of that type"],
      "to contain_notify('virtual')" =>
        ["to contain Notify[virtual]", "expected that the catalogue would contain Notify[virtual]\nit has none of that type"],
      "to have_resource_count(9)" =>
        ["to contain exactly 9 resources", "expected that the catalogue would contain exactly 9 resources but it contains 1"]
    }, "subject { exported_resources }")
  end
end
