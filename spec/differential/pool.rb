# frozen_string_literal: true

module Differential
  # Values of all kinds, as Ruby source that World evaluates, one a line. Left out are values that
  # the two sides treat differently on purpose: integers beyond 64 bits and strings that are not UTF-8.
  POOL = <<~'RUBY'.lines(chomp: true).freeze
    nil
    :undef
    :default
    true
    false
    0
    1
    -1
    42
    4789
    65536
    9223372036854775807
    -9223372036854775808
    0.0
    -0.0
    1.5
    -2.25
    1.0e-07
    1e300
    Float::INFINITY
    Float::NAN
    ""
    "a"
    "é"
    "a b"
    "Abc"
    "10"
    "-5"
    "1.5"
    "0x1F"
    "1-3,7"
    "10:20"
    "physnet1:100:200"
    "true"
    "False"
    "yes"
    "50%"
    "present"
    "/etc/hosts"
    "C:\\Windows\\x.txt"
    "a/b.tar.gz"
    "http://example.com/a?b=1#c"
    "https://user:pw@example.com:8443/artifactory/repo/org/mod/1.0/mod-1.0.jar"
    "10.1.2.3"
    "10.0.0.0/8"
    "::1"
    "2001:db8::/32"
    "[fe80::1%eth0]:80"
    "example.com"
    "user@example.com"
    "00:11:22:aa:bb:cc"
    "1.2.3-rc.1"
    "File[/tmp/x]"
    "%s and %{a} and %<b>d %"
    "line 1\nline 2\r\n\ttab"
    "quote\" ' ` \\ $HOME ; | & * #"
    "<a href='x'>&amp;</a>"
    "[1, {\"a\": null}]"
    "a { b = 1 }"
    "日本語 \u{1F600}"
    "x" * 300
    /a+/
    /^[\w.]+$/mi
    []
    [1]
    ["a"]
    ["a", "b", "a"]
    [1, "a", nil, 2.5, :default, true]
    [1.5, 2]
    [nil]
    [[1], [2, 3], []]
    [{"a" => 1}, {"b" => nil}]
    ["10.0.0.0/8", "::1"]
    (1..12).to_a
    {}
    {"a" => 1}
    {"a" => "b", "c" => ["d", 2]}
    {"a" => nil, "b" => ""}
    {1 => "a", 2.5 => true}
    {nil => 1, :default => 2}
    {[1] => {"x" => 1}}
    {"a" => {"b" => {"c" => [1, nil, "é"]}}}
    {"host" => "h", "user" => "", "x-y z" => 1}
    ::Puppet::Pops::Time::Timestamp.parse("2020-01-01")
    ::Puppet::Pops::Time::Timespan.parse("1-02:03:04.5")
    ::SemanticPuppet::Version.parse("1.2.3-rc.1")
    ::SemanticPuppet::VersionRange.parse(">=1.0.0 <2.0.0")
    ::Puppet::Pops::Types::PBinaryType::Binary.from_string("bytes")
    ::URI.parse("https://www.example.com/a")
    type("Integer")
    type("String[1]")
    type("Array[Variant[String, Undef]]")
    type("Type[Integer]")
    sensitive("secret")
    sensitive([1])
    proc { 1 }
    proc { |a, b| b }
    lambda { |a, b = 1| a }
    proc { |*a| a }
    Object.new
    String
    Comparable
    Time.at(0).utc
    Rational(1, 2)
    (1..3)
    ("a".."c")
    [1, 2].each
    "a".to_sym
    StandardError.new("x")
  RUBY
end
