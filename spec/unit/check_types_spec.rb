# frozen_string_literal: true

require "json"
require_relative "../support/module_tree"

RSpec.describe "puppetfn check, of resource types in Ruby" do
  include ModuleTree

  # What is found in code that uses a type, whose file is this.
  def found(type, code)
    with_modules("m/lib/puppet/type/book.rb" => type, "m/manifests/init.pp" => "class m { #{code} }") do |modules|
      out = StringIO.new
      Puppetfn::CLI.run(["check", "#{modules}/m", "--modulepath", modules, "--format", "json"], out: out)
      JSON.parse(out.string).map { |finding| finding["message"] }
    end
  end

  # What is found of one value of an attribute, which is declared so.
  def refused(declaration, value)
    found("Puppet::Type.newtype(:book) do\nnewparam(:name, namevar: true)\n#{declaration}\nend", "book { 'a': x => #{value} }")
      .map { |message| message.delete_prefix("Parameter x failed on Book[a]: ") }
  end

  it "knows the attributes that a type declares, also in loops" do
    type = "Puppet::Type.newtype(:book) do\nensurable\nnewparam(:name)\n%w[pages price].each { |name| newproperty(name) }\n" \
           "declare = ->(name) { newparam(name) }\ndeclare.call(:author)\nend"
    code = "book { 'a': ensure => present, pages => 3, price => 4, author => 'b', provider => 'c', tag => 'd', wrong => 5 }"
    expect(found(type, code)).to eq(["Book has no parameter named 'wrong'"])
  end

  it "says nothing of attributes where others may be declared" do
    ["Attributes.add(self)", "newparam(computed)", "include Attributes", "newparam(:x) if computed",
     "computed.each { |name| newparam(name) }", "%w[a].each_with_index { |name, index| newparam(name) }",
     "helper { newparam(:x) }", "Helper.run { |name| newparam(name) }", "class_eval { newparam(:x) }"].each do |declaration|
      expect(found("Puppet::Type.newtype(:book) do\n#{declaration}\nend", "book { 'a': wrong => 1 }")).to eq([])
    end
  end

  it "knows values" do
    values = "newproperty(:x) do\nnewvalue(:new)\nnewvalues('used', /^\\d+$/)\naliasvalue(:old, :used)\nend"
    expect(%w[new 'old' 12 [used,'13'] undef $facts['x'] Sensitive('a')].flat_map { |value| refused(values, value) }).to eq([])
    message = "Valid values are new, used. Valid values match /^\\d+$/."
    expect(refused(values, "[new, 'nev']")).to eq(["Invalid value \"nev\". #{message} Did you mean 'new'?"])
    expect(refused(values, "1.5")).to eq(["Invalid value 1.5. #{message}"])
    expect(refused("newparam(:x) { newvalues(:a, :b) }", "[a, b]")).to eq(["Invalid value [\"a\", \"b\"]. Valid values are a, b."])
    expect(refused("newparam(:x, parent: Puppet::Parameter::Boolean)", "'nein'")).to eq(["Invalid value \"nein\". Valid values are true, false, yes, no."])
  end

  {
    "raise ArgumentError, \"no \#{value.inspect}\" unless value.is_a?(String)" => {"3" => "no 3", "'a'" => nil},
    "fail(\"not \#{value}\") if value =~ /\\s/" => {"'a b'" => "not a b", "'ab'" => nil, "3" => nil},
    "unless value.to_s.match?(/\\A\\d+\\z/)\nraise Puppet::Error, _('bad %{v}') % {v: value}\nend" => {"'x'" => "bad x", "7" => nil},
    "raise ArgumentError, 'no' unless %w[a b].include?(value) || value == 'c'" => {"'d'" => "no", "'c'" => nil, "'a'" => nil},
    "raise ArgumentError, 'no' if value.is_a?(String) && value.empty?" => {"''" => "no", "'a'" => nil, "[]" => nil},
    "raise ArgumentError, 'path' unless Puppet::Util.absolute_path?(value)" => {"'a'" => "path", "'/a'" => nil, "'C:/a'" => nil},
    "self.fail(\"a \#{value.class}\") if !(value.is_a?(Array) && odd?(value))" => {"3" => "a Integer", "[3]" => nil},
    "devfail('no list') unless value.is_a?(Array) || value == false" => {"3" => "no list", "true" => "no list", "false" => nil, "[]" => nil},
    "raise ArgumentError, 'never'" => {"3" => "never"}
  }.each do |code, values|
    it "understands `validate { #{code.tr("\n", ";")} }`" do
      values.each { |value, message| expect(refused("newparam(:x) { validate { |value| #{code} } }", value)).to eq([*message]) }
    end
  end

  [
    "newparam(:x) { validate { |value| next if odd?(value); raise ArgumentError, 'no' } }",
    "newparam(:x) { validate { |value| value = value.to_s; raise ArgumentError, 'no' unless value.is_a?(String) } }",
    "newparam(:x) { validate { |value| raise ArgumentError, 'no' if odd?(value) && value.is_a?(Integer) } }",
    "newparam(:x) { newvalues(:a); validate { |value| } }",
    "newparam(:x) do\nvalidate do |value|\nraise ArgumentError, 'no'\nrescue ArgumentError\nend\nend",
    "newparam(:x, parent: Other) { newvalues(:a) }",
    "newparam(:x) { newvalues(*computed) }",
    "newparam(:x) { newvalues(:a); computed.each { |value| newvalue(value) } }",
    "newparam(:x) { newvalues(:a); def value=(value); super('a'); end }",
    "newparam(:x) { newvalues(:a) }\ndef initialize(attributes) = (attributes.delete(:x); super)",
    "newparam(:x) { newvalues(:a) }\ndef []=(name, value); super(name, 'a'); end",
    "[:x].each { |name| newparam(name) { newvalues(:a) } } if computed"
  ].each do |declaration|
    it "says nothing of values where other code decides: #{declaration.tr("\n", ";")}" do
      expect(refused(declaration, "3")).to eq([])
    end
  end

  it "only warns of values that count if the provider has a feature" do
    type = "Puppet::Type.newtype(:book) do\nnewparam(:name)\nnewparam(:x, required_features: :shops) { newvalues(:a) }\nend"
    with_modules("m/lib/puppet/type/book.rb" => type, "m/manifests/init.pp" => "class m { book { 'a': x => 3 } }") do |modules|
      out = StringIO.new
      code = Puppetfn::CLI.run(["check", "#{modules}/m", "--modulepath", modules], out: out)
      expect([out.string[/^\w+: .*$/], code]).to match([/\Awarning: .*Invalid value 3\. Valid values are a\./, 0])
    end
  end

  it "knows what a title stands for" do
    type = "Puppet::Type.newtype(:book) { newparam(:name, namevar: true) { newvalues(/^[a-z]+$/) } }"
    expect(found(type, "book { ['a', '3']: }")).to eq(["Parameter name failed on Book[3]: Invalid value \"3\". Valid values match /^[a-z]+$/."])
    expect(found("#{type[0..-2]}; def self.title_patterns = []\n}", "book { '3': }")).to eq([])
  end

  context "when the type is one of the Resource API" do
    let(:type) do
      "Puppet::ResourceApi.register_type(name: 'book', attributes: {\n" \
        "name: {type: 'String', behaviour: :namevar}, ensure: {type: 'Enum[present, absent]', default: 'present'},\n" \
        "pages: {type: 'Optional[Integer[1]]'}, shop: {type: 'String', behaviour: :parameter},\n" \
        "sold: {type: 'Integer', behaviour: :read_only}})"
    end

    it "knows types, what is only read, and what is mandatory" do
      expect(found(type, "book { 'a': pages => 3, shop => 'b' }")).to eq([])
      expect(found(type, "book { 'a': * => $facts['book'] }")).to eq([])
      expect(found(type, "book { 'a': pages => '3', sold => 4, other => 5 }")).to contain_exactly(
        "Parameter pages failed on Book[a]: book.pages expects a value of type Undef or Integer, got String",
        "Parameter sold failed on Book[a]: Attempting to set `sold` read_only attribute value to `4`",
        "Book has no parameter named 'other'",
        "Book[a]: The following mandatory parameters were not provided: shop"
      )
    end

    it "says nothing of what a provider makes canonical" do
      expect(found(type.sub("attributes:", "features: ['canonicalize'], attributes:"), "book { 'a': pages => '3' }")).to eq([])
    end
  end
end
