# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"
require_relative "../support/module_tree"

# Files and strings that are not UTF-8. All answers are Puppet 8.11's.
RSpec.describe "Text that is not UTF-8" do
  include ModuleTree

  files = {
    "own/templates/latin.erb" => "\xE9 <%= 1 %>\n".b,
    "own/templates/latin.epp" => "\xE9 <%= 1 %>\n".b,
    "own/files/latin" => "caf\xE9".b,
    "own/manifests/latin.pp" => "# caf\xE9\nclass own::latin { }\n".b,
    "own/lib/puppet/functions/own/bytes.rb" => "Puppet::Functions.create_function(:'own::bytes') { def bytes = [0x7d, 0x89].pack('C*') }\n",
    "own/lib/puppet/functions/own/shown.rb" => <<~RUBY
      Puppet::Functions.create_function(:'own::shown') { def shown(text) = "\#{text.encoding} \#{text.bytes}" }
    RUBY
  }.freeze

  define_method(:compile) do |code, &block|
    with_runtime(files, node: "web1") { |runtime| block.call(runtime.compile(code), runtime) }
  end

  def noticed(code)
    compile(code) { |_, runtime| runtime.logs.map { |_, message| message }.join("\n") }
  end

  it "is text of templates and files, which code passes on" do
    {
      "template('own/latin.erb').length, file('own/latin').size" => "4 4",
      "own::shown(template('own/latin.erb')), own::shown(file('own/latin'))" => "UTF-8 [233, 32, 49, 10] UTF-8 [99, 97, 102, 233]",
      "file('own/latin') =~ String, file('own/latin') == file('own/latin')" => "true true"
    }.each { |expressions, text| expect(noticed("notice(#{expressions})")).to eq(text) }
  end

  it "is a Binary in catalogs if it is of bytes, and otherwise refused" do
    {"own::bytes()" => "fYk=", "inline_template('<%= [0x7d, 0x89].pack(%q(C*)) %>')" => "fYk="}.each do |expression, encoded|
      compile("notify { 'n': message => #{expression} }") do |catalog|
        expect(catalog.to_data_hash["resources"].last["parameters"]["message"]).to eq("__ptype" => "Binary", "__pvalue" => encoded)
      end
    end
    compile("notify { 'n': message => file('own/latin') }") do |catalog|
      expect { catalog.to_data_hash }.to raise_error(StandardError, "source sequence is illegal/malformed utf-8")
    end
  end

  it "is no code" do
    {
      "include own::latin" => /\AEvaluation Error: Error while evaluating a Function Call, invalid byte sequence in UTF-8 \(/,
      "epp('own/latin.epp')" => /\AEvaluation Error: Error while evaluating a Function Call, invalid byte sequence in UTF-8 \(/
    }.each { |code, message| expect { noticed(code) }.to raise_error(Puppet::Error, message) }
  end

  it "is no main manifest and no data" do
    {
      {"env/manifests/site.pp" => "notice('\xE9')\n".b} => "Error: Could not parse for environment env: invalid byte sequence in UTF-8 on node web1",
      {"env/manifests/site.pp" => "notice(lookup('k'))", "env/hiera.yaml" => "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n",
       "env/data/a.yaml" => "k: \xE9\n".b} => "Error: Unable to parse (ROOT/env/data/a.yaml): incomplete UTF-8 octet sequence at line 1 column 1 on node web1"
    }.each do |environment, message|
      with_modules(environment) do |root|
        command = File.expand_path("../../exe/puppetfn", __dir__)
        _, err, status = Open3.capture3(RbConfig.ruby, command, "compile", "web1", "--environment", File.join(root, "env"), chdir: "/")
        expect([err.lines.grep(/\AError/).join.chomp, status.exitstatus]).to eq([message.sub("ROOT", root), 1])
      end
    end
  end
end
