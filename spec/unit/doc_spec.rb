# frozen_string_literal: true

require_relative "../support/module_tree"

RSpec.describe Puppetfn::Doc do
  include ModuleTree

  # The documentation of one Ruby file.
  def read(text)
    with_modules("f.rb" => text) { |root| described_class.read("#{root}/f.rb") }
  end

  # The one function of a Ruby file, in the schema of Puppet Strings.
  def function(text)
    read(text).to_h["puppet_functions"].first
  end

  def signatures(text)
    function(text)["signatures"].map { |signature| signature["signature"] }
  end

  def docstring(text)
    function(text)["docstring"]
  end

  it "reads files and directories, and what the modules have by name" do
    files = {"m/functions/f.pp" => "# Eff.\nfunction m::f() { }", "m/types/t.pp" => "# Tee.\ntype M::T = Any",
             "m/lib/puppet/functions/m/g.rb" => "# Gee.\nPuppet::Functions.create_function(:'m::g') do\n  def g = 1\nend",
             "m/lib/puppet/parser/functions/h.rb" => "Puppet::Parser::Functions.newfunction(:h, doc: 'Aitch.') { |args| }"}
    names = ->(doc) { doc.to_h.values.flatten.map { |one| one["name"] } }
    with_modules(files) do |root|
      expect(names.(described_class.read(root))).to eq(%w[M::T h m::f m::g])
      expect(names.(described_class.read("#{root}/m/types/t.pp"))).to eq(%w[M::T])
      expect(names.(described_class.read("m::g", "M::T", "h", "map", modulepath: root))).to eq(%w[M::T h m::g map])
      expect(described_class.read("m::f", modulepath: root).to_s).to eq(
        "m::f\n\n  Eff.\n\n  m::f()\n\n  Puppet language, #{root}/m/functions/f.pp:2\n"
      )
      expect { described_class.read("m::x", modulepath: root) }.to raise_error(ArgumentError, /no function .* 'm::x'/)
    end
  end

  it "runs nothing" do
    expect(function("raise 'run'\n# Does.\nPuppet::Functions.create_function(:f) do\n  exit!\nend\n")["name"]).to eq("f")
  end

  it "says where a file is not Ruby" do
    expect { read("Puppet::Functions.create_function(:f) do\n  def\n") }.to raise_error(ArgumentError, %r{/f\.rb:\d: syntax error})
  end

  it "takes any text" do
    nested = "#{"x.y { " * 2000}#{"}" * 2000}"
    expect { read("Puppet::Functions.create_function(:f) do\n  def f(x) = #{nested}\nend") }.to raise_error(ArgumentError, %r{/f\.rb:.* too deep})
    odd = "param; param 1, 2; block_param 1, 2, 3; return_type; dispatch do end; dispatch(*x) {}; attr_reader(*y); alias $a $b"
    expect(signatures("Puppet::Functions.create_function(:f) do #{odd}; dispatch(:g) { #{odd} } end")).to eq(["f()", "f()", "f(Any $_)"])
    expect(signatures("Puppet::Functions.create_function(:f) { def f(#{Array.new(2000) { |i| "a#{i} = #{i}" }.join(", ")}) = 1 }").first.size).to be > 20_000
  end

  it "passes by what is not a function" do
    expect(read("create_function(:f) { }\nFoo.newfunction(:f) { }\nPuppet::Functions.create_function(name) { }").to_h["puppet_functions"]).to be_empty
  end

  describe "a function of the 4.x API" do
    it "has the signatures that it dispatches" do
      text = <<~RUBY
        Puppet::Functions.create_function(:'a::f', Puppet::Functions::InternalFunction) do
          dispatch :one do
            scope_param
            param 'Enum["a", \\'b\\']', :a
            required_param "Integer", :'b'
            optional_param('String', 'c')
            repeated_param %q{Any}, :d
            block_param
            return_type 'Undef'
          end
          dispatch(:two) { required_repeated_param 'String', :e; optional_block_param 'Callable[1, 1]', :f }
          dispatch(:three) { block_param :g; param 'Any', :h }
          argument_mismatch(:no) { param 'Any', :a }
        end
      RUBY
      expect(signatures(text)).to eq(
        ["a::f(Enum[\"a\", 'b'] $a, Integer $b, Optional[String] $c, Any *$d, Callable &$block)",
         "a::f(String *$e, Optional[Callable[1, 1]] &$f)", "a::f(Any $h, Callable &$g)"]
      )
    end

    it "is introspected where it dispatches nothing" do
      text = <<~'RUBY'
        # Adds.
        # @param a not read here
        Puppet::Functions.create_function(:'m::f') do
          def helper(x) = x

          # @param a The [first]
          # @param b [Integer] The second
          def f(a, b = nil, c = [1, "#{b},"], d = :default, *e, &g)
          end
        end
      RUBY
      expect(signatures(text)).to eq(
        ['m::f(Any $a, Optional[Integer] $b = undef, Optional[Any] $c = [1, "#{b},"], ' \
         "Optional[Any] $d = default, Any *$e, Any &$g)"]
      )
      expect(function(text)["defaults"]).to eq("b" => "undef", "c" => '[1, "#{b},"]', "d" => "default")
      expect(docstring(text)["text"]).to eq("Adds.")
      expect(docstring(text)["tags"].first).to eq("tag_name" => "param", "text" => "The [first]", "types" => ["Any"], "name" => "a")
    end

    it "has the comment right above it, or with one empty line between" do
      body = "Puppet::Functions.create_function(:f) { }"
      {
        "# frozen_string_literal: true\n# A.\n#   b\n##c\n#{body}" => "A.\n  b\nc",
        "# A.\n\n#{body}" => "A.", "# A.\n\n\n#{body}" => "", "x = 1 # A.\n#{body}" => "", "# A.\n\n# B.\n#{body}" => "B.",
        "#!/usr/bin/ruby\n# -*- coding: utf-8 -*-\n#{body}" => "", "=begin\nA.\n b\n=end\n#{body}" => "A.\n b",
        "# A.\n# rubocop:disable Naming/FileName\n#{body}" => "A.", "  # A.\n# B.\n#{body}" => "B."
      }.each { |text, comment| expect([text, docstring(text)["text"]]).to eq([text, comment]) }
    end

    it "has its text, indented as its last line is" do
      text = "module M\n  # A.\n  Puppet::Functions.create_function(:f) do\n    def f = 1.then { 2 }\n\n  end end"
      expect(function(text).values_at("source", "line")).to eq(
        ["Puppet::Functions.create_function(:f) do\n  def f = 1.then { 2 }\n\nend", 3]
      )
    end
  end

  describe "a function of the 3.x API" do
    def legacy(doc, arguments = "")
      docstring("module Puppet::Parser::Functions\n  newfunction(:f, #{arguments}:doc => #{doc}\n) do |args|\n  end\nend")
    end

    it "says in :doc what it does" do
      {
        "'It\\'s.'" => "It's.", '"A\n  b"' => "A\nb", "'A' \\\n  ' b'" => "A b", "%q{A {b}}" => "A {b}", "_('A')" => "A",
        "<<-EOS\n    A \\n \#{x}\n      b\n    c\n    EOS\n" => "A \\n \#{x}\n  b\nc", "<<~'EOS'.strip\n    A\n      b\n    c\n  EOS\n" => "A\n  b\nc",
        "'\n    A\n\n      b\n    '" => "A\n\n  b", "DOC" => ""
      }.each { |doc, text| expect([doc, legacy(doc)["text"]]).to eq([doc, text]) }
      expect(docstring("Puppet::Parser::Functions::newfunction :f, {:type => :rvalue, 'doc' => 'A'} do |args| end")["text"]).to eq("A")
    end

    it "names its parameters there" do
      text = "Puppet::Parser::Functions.newfunction(:f, doc: <<-EOS) do |args|\n  A.\n  @param a [String] What\n  @return [Integer]\nEOS\nend"
      expect(signatures(text)).to eq(["f(String $a)"])
      expect(read(text).findings).to eq([])
    end

    it "may have a comment instead" do
      expect(docstring("# A.\nPuppet::Parser::Functions.newfunction(:f) { |args| }")["text"]).to eq("A.")
      overloaded = "Puppet::Parser::Functions.newfunction(:f, :doc => '\n@overload f($a)\n  One.\n  @param a b\n@overload f()\n  Two.\n') {}"
      expect(signatures(overloaded)).to eq(["f($a)", "f()"])
      expect(function(overloaded)["signatures"].map { |signature| signature["docstring"]["text"] }).to eq(%w[One. Two.])
    end
  end
end
