# frozen_string_literal: true

require "open3"
require "rbconfig"

# Each template is rendered in a process of its own, as nothing may depend on earlier ones.
RSpec.describe "The libraries that templates in ERB can use" do
  def ruby(program)
    output, status = Open3.capture2e(RbConfig.ruby, "-W0", "-I", File.expand_path("../../lib", __dir__), "-e", program)
    expect(status).to be_success, output
    output
  end

  def rendered(template)
    ruby(<<~RUBY)
      require "puppetfn"
      runtime = Puppetfn::Runtime.new(facts: {"kernel" => "Plan9"}, variables: {"x" => {"a" => [1, "b"]}})
      print runtime.call_function("inline_template", #{template.dump})
    RUBY
  end

  {
    "@x.to_yaml" => "---\na:\n- 1\n- b\n",
    "@x.to_json" => '{"a":[1,"b"]}',
    '["a", 1, nil, true].map { |value| value.to_json }.join(" ")' => '"a" 1 null true',
    'JSON("[1]").size' => "1",
    'YAML.load("a: 1")["a"]' => "1",
    'URI("http://h/p").path' => "/p",
    'IPAddr.new("10.0.0.0/8").to_range.last' => "10.255.255.255",
    'Time.parse("2020-02-03 00:00 UTC").iso8601' => "2020-02-03T00:00:00Z",
    'Time.at(0).utc.to_date.to_s + Date.new(2020, 1, 1).to_s + DateTime.new(2020).year.to_s' => "1970-01-012020-01-012020",
    'Base64.strict_encode64("a")' => "YQ==",
    "SecureRandom.hex(2).size + Random.new(1).hex(2).size" => "8",
    'OpenSSL::Digest.hexdigest("SHA256", "a")[0, 4]' => "ca97",
    'Digest::MD5.hexdigest("a")[0, 4]' => "0cc1",
    "Net::HTTP.name + Resolv.name + Socket.name" => "Net::HTTPResolvSocket",
    'StringIO.new("s").read + Pathname("/a").join("b").to_s' => "s/a/b",
    "[2, 2].to_set.size + Set.new([1]).size" => "2",
    "Timeout.timeout(9) { 1 }" => "1",
    "FileUtils.respond_to?(:mkdir_p) && Dir.respond_to?(:mktmpdir) && Etc.respond_to?(:getpwuid)" => "true",
    "$PROGRAM_NAME.class" => "String",
    '_("text") + n_("one", "many", 2)' => "textmany",
    "Facter.value(:kernel) + Puppet.version" => "Plan98.11.0",
    "Puppet[:strict]" => "error",
    'Log.name + which("sh").class.name' => "Puppet::Util::LogString",
    "defined?(Runtime).inspect + defined?(Compiler).inspect" => "nilnil"
  }.each do |code, result|
    it "gives #{result.inspect} for #{code}" do
      expect(rendered("<%= #{code} %>")).to eq(result)
    end
  end

  it "loads no library for a template that uses none" do
    loaded = ruby(<<~'RUBY')
      require "puppetfn"
      Puppetfn::Runtime.new(variables: {"x" => 1}).call_function("inline_template", "<%= @x %>")
      puts $LOADED_FEATURES.grep(/json|psych|uri|ipaddr|openssl|socket|net|date|time/) - [$PROGRAM_NAME]
    RUBY
    expect(loaded.split.grep_v(/puppet/)).to be_empty
  end

  it "calls the method of a class that overrides a library's method once" do
    expect(ruby(<<~'RUBY')).to eq(%(1 "[\\"a\\"]"\n))
      require "puppetfn"
      Puppetfn::StandardLibrary.publish
      calls = 0
      list = Class.new(Array) { define_method(:to_json) { |*state| calls += 1; super(*state) } }
      json = list.new(["a"]).to_json
      puts "#{calls} #{json.inspect}"
    RUBY
  end
end
