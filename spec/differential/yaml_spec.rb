# frozen_string_literal: true

require "tmpdir"
require "yaml"
require_relative "../../lib/puppetfn"

RSpec.describe "YAML of data, compared with Ruby's", :differential do
  scalars = <<~'TEXTS'.lines(chomp: true)
    ~
    null
    Null
    nULL
    yes
    Yes
    YES
    no
    on
    Off
    y
    n
    true
    TRUE
    False
    ''
    ""
    0
    -1
    +1
    007
    08
    0o17
    0b101
    0b12
    0x1F
    0xG
    1_000
    1,000
    1__0
    1_
    _1
    -0x1f
    1.5
    -1.5
    +.5
    5.
    .
    -.
    1e3
    1.0e3
    1.0e+3
    1.0E-3
    1_0.5
    1,0.5
    .inf
    -.inf
    +.INF
    1:30
    -1:30
    1:30:15
    1:70
    1:30.5
    190:20:30.15
    12:30:45:10
    2001-02-03
    2001-13-03
    2001-2-3
    2001-02-03T04:05:06Z
    2001-02-03 04:05:06
    2001-02-03 04:05:06.5 +01:00
    1.2.3
    1-2
    :symbol
    :"quoted symbol"
    a:b
    "a: b"
    'it''s'
    "tab\tnew\nline \x41 \u263a"
    plain text
    plain # comment
    plain#no comment
    [a, b, [c]]
    [1, {a: b}, ]
    {a: 1, b: [x]}
    {1: a, 1.5: b, true: c, ~: d}
    {"a": 1}
    !!str 5
    !!str
    !str 5
    ! 5
    !!int "5"
    !!float 5
    !!float x
    !!binary aGVsbG8=
    !local 5
    !ruby/regexp /x/
    !ruby/object:Foo {a: 1}
    !ruby/object {a: 1}
    !ruby/object:Hash {a: 1}
    !ruby/struct:Foo {a: 1}
    !ruby/hash:Foo {a: 1}
    !ruby/array:Foo [1]
    !ruby/range 1..2
    !ruby/sym x
    !ruby/symbol x
    !ruby/class String
    !!set {a: ~}
    !!omap [{a: 1}, {b: 2}]
    !!map {a: 1}
    !!seq [1]
    &x [1, 2]
    *unknown
    {<<: {a: 1}, b: 2}
    {<<: [{a: 1}, {a: 2, c: 3}], b: 2}
    {b: 0, <<: {b: 1}}
    {<<: 5}
    {"<<": {a: 1}}
    {!!str "<<": {a: 1}}
    @x
    `x
    %x
    - x
    [a
    {a: b
    "open
    a: b: c
    é日本
    =
    <<
  TEXTS
  documents = [
    "", "# nothing", "---", "--- ~", "false", "[1]", "text", "a: 1\nb: 2", "---\na: 1\n...\n---\nb: 2", "a: 1\n---\nb: [", "a: |\n  one\n   two\n\nb: >\n  one\n  two\n\n  three\n",
    "a: >-\n  x\n  y\nb: |+\n  x\n\n", "base: &b {x: 1, y: {z: 2}}\nd:\n  <<: *b\n  x: 2\ne: *b", "? [a, b]\n: c", "? a\n? b", "a:\n- b\n-  c\n", "a:\n\t- b", "a: 1\n b: 2",
    "a: 1\na: 2", ":a: 1\n:b:\n  :c: 2", "%YAML 1.2\n---\na: 1", "%TAG ! tag:x,2000:\n---\na: !y z", "a: 'x\n  y'\nb: \"x\\\n  y\"", "\u{feff}a: 1", "a: \u0001", "a: y\rb: 2\r\nc: 3",
    "a: &x 5\nb: *x", "a: !ruby/object:X {}\nb: [", "yes: 1\n1: 2\n2.5: 3\n~: 4\n[x]: 5", "a: \"\\ud800\"", "- a\n- b: 1\n  c: 2"
  ]
  texts = scalars.map { |text| "value: #{text}" } + documents

  # What Ruby reads, as Puppet gives it to functions: symbols that are keys are strings. Other symbols are no data,
  # and neither are hashes with other keys than strings and numbers.
  def strings(value)
    case value
    when Hash
      hash = value.to_h { |key, item| [key.is_a?(Symbol) ? key.to_s : key, strings(item)] }
      throw :no_data, "no data" unless hash.keys.all? { |key| key.is_a?(String) || key.is_a?(Numeric) }
      hash
    when Array then value.map { |item| strings(item) }
    when Symbol then throw :no_data, "no data"
    else value
    end
  end

  def expected(text, file)
    data = YAML.safe_load(text, permitted_classes: [Symbol], aliases: true, filename: file) || {}
    return "#{file}: file does not contain a valid yaml hash" unless data.is_a?(Hash)

    catch(:no_data) { strings(data) }
  rescue Psych::DisallowedClass => e
    "Unable to parse (#{file}): #{e.message}"
  rescue Psych::Exception, ArgumentError, TypeError => e
    # As Psych 4 words it; Psych 5 has another error.
    "Unable to parse #{e.message.sub("An alias referenced an unknown anchor", "Unknown alias")}"
  end

  # What functions of puppetfn read, or why it is nothing.
  def read(text, dir)
    File.binwrite(File.join(dir, "data/common.yaml"), text)
    Puppetfn::Runtime.new(environment: dir).call_function("probe_data")
  rescue Puppet::DataBinding::LookupError, Puppetfn::ValueError => e
    e.message.match?(/expects Puppet::LookupValue|type Runtime\[ruby, 'Symbol'\] that is not known/) ? "no data" : e.message
  end

  around do |example|
    Dir.mktmpdir do |dir|
      FileUtils.mkdir_p([File.join(dir, "data"), File.join(dir, "lib/puppet/functions")])
      File.write(File.join(dir, "hiera.yaml"), <<~YAML)
        version: 5
        hierarchy: [{name: All, path: common.yaml, lookup_key: whole}]
      YAML
      # Gives the whole hash as the value of one key.
      File.write(File.join(dir, "lib/puppet/functions/whole.rb"), <<~RUBY)
        Puppet::Functions.create_function(:whole) do
          dispatch(:whole) { param "String", :key; param "Hash", :options; param "Puppet::LookupContext", :context }
          def whole(key, options, context)
            context.not_found unless key == "whole"
            call_function("yaml_data", options, context)
          end
        end
      RUBY
      File.write(File.join(dir, "lib/puppet/functions/probe_data.rb"), <<~RUBY)
        Puppet::Functions.create_function(:probe_data) { def probe_data = call_function("lookup", "whole") }
      RUBY
      @dir = dir
      example.run
    end
  end

  texts.each do |text|
    it "agrees on #{text.inspect}" do
      expect(read(text, @dir)).to eql(expected(text, File.join(@dir, "data/common.yaml")))
    end
  end
end
