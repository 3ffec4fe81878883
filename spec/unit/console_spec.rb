# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "rbconfig"
require "tmpdir"

# `puppetfn console` of the gem, with statements from a pipe.
RSpec.describe "puppetfn console" do
  command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), "console"]
  repository = File.expand_path("../control_repository", __dir__)

  around { |example| Dir.mktmpdir { |directory| @directory = directory; example.run } }

  # @return [Array(String, String, Integer)] results, messages and the exit code
  define_method(:console) do |input, *arguments|
    out, err, status = Open3.capture3({"RUBYOPT" => nil}, *command, *arguments, stdin_data: input)
    [out, err, status.exitstatus]
  end

  def write(path, text)
    path = File.join(@directory, path)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
  end

  it "keeps variables, functions, types and resources" do
    input = <<~PUPPET
      $x = 20
      function double(Integer $n) { $n * 2 }
      type Small = Integer[0, 9]
      file { '/a': content => "${double($x + 1)}" }
      5 =~ Small
      File['/a']['content']
      :ls
    PUPPET
    out, err, code = console(input)
    expect([err, code]).to eq(["", 0])
    expect(out).to eq(<<~TEXT)
      20
      [File['/a']]
      true
      '42'
      variables:
        $x = 20
      functions:
        double(Integer n)
      types:
        Small
      resources:
        File[/a]
    TEXT
  end

  it "ends a statement where the parser does" do
    out, err, code = console("if false {\n  1\n}\nelse {\n  'b\n'\n}\n[1,\n# a comment\n2]\n$t = @(\"END\")\n  a ${1 + 1}\n  | END\n")
    expect([out, err, code]).to eq([%("b\\n"\n[1, 2]\n"a 2\\n"\n), "", 0])
  end

  it "goes on after errors, which have their lines, and fails" do
    out, err, code = console("$x = 1\n\n$x = 2\n$y = )\nfail('no')\n:nosuch\n$x\nnotice('a')\nfunction f(")
    expect([out, code]).to eq(["1\n1\n", 1])
    expect(err).to eq(<<~TEXT)
      Error: Evaluation Error: Cannot reassign variable '$x' (file: <stdin>, line: 3, column: 4)
      Error: Syntax error at ')' (file: <stdin>, line: 4, column: 6)
      Error: Evaluation Error: Error while evaluating a Function Call, no (file: <stdin>, line: 5, column: 1)
      Error: unknown command :nosuch
      Notice: Scope(Class[main]): a
      Error: Syntax error at end of input (file: <stdin>)
    TEXT
  end

  it "forgets everything with :reload, and goes on" do
    out, err, code = console("$x = 1\n:reload\n$x = 2\n:ls\n")
    expect([out, err, code]).to eq(["1\n2\nvariables:\n  $x = 2\n", "", 0])
  end

  it "hides sensitive values" do
    out, err, = console("$s = Sensitive('hush')\n[$s, {a => $s}]\n:ls\nfile { '/a': content => $s }\n:catalog\n:why File[/a]\n:why $s\n")
    expect(err).to eq("")
    expect(out).to include("Sensitive('redacted')").and match(/^\$s = Sensitive\('redacted'\)  # assigned at <stdin>:1$/)
    expect(out).not_to include("hush")
  end

  it "calls functions of modules in Ruby" do
    write("m/lib/puppet/functions/m/f.rb", <<~RUBY)
      Puppet::Functions.create_function(:"m::f") do
        def f(text) = text.empty? ? raise(ArgumentError, "nothing to do") : call_function("upcase", text)
      end
    RUBY
    out, err, code = console("m::f('a')\nm::f('')\nm::f('b')", "--modulepath", @directory)
    expect([out, code]).to eq(["'A'\n'B'\n", 1])
    expect(err).to match(/\AError: Evaluation Error: Error while evaluating a Function Call, nothing to do \(file: <stdin>, line: 2, column: 1\)$/)
  end

  it "completes the catalog on request, and goes on" do
    input = <<~PUPPET
      define app { file { "/${title}": } }
      app { 'a': }
      File <| |> { mode => '0600' }
      File['/a']
      defined(File['/a'])
      :catalog
      defined(File['/a'])
      app { 'b': }
      :catalog #{@directory}/catalog.json
    PUPPET
    out, err, code = console(input)
    expect([err, code]).to eq(["", 0])
    expect(out).to include("false\n# <stdin>:2\napp { 'a': }\n").and include("  mode => '0600',\n}\ntrue\n")
    written = JSON.parse(File.read(File.join(@directory, "catalog.json")))
    expect(written["resources"].map { |resource| resource.values_at("type", "title") }).to include(["App", "b"], ["File", "/b"])
  end

  it "compiles the catalog of a node first" do
    arguments = ["web1.example.com", "--environment", repository, "--facts", "#{repository}/facts/web1.example.com.json"]
    expect(console("defined(Class['ntp'])\n:facts os.family\n:why $os", *arguments)).to match([/\Afalse\n'Debian'\n\$os = .*  # a fact\n\z/, "", 0])
    out, err, code = console("defined(Class['ntp'])\n:why Class[ntp]\n:lookup ntp::servers\n:why $ntp::servers\n", *arguments, "--compile", "--enc", "#{repository}/scripts/classifier.sh",
      "--environment-name", "production")
    expect([err.lines.grep(/^Error/), code]).to eq([[], 0]), err
    expect(out).to match(/\Atrue\nClass\[Ntp\]\n  named by the node classifier.*^\$ntp::servers = .*  # the node classifier$/m)
  end

  it "says which options need the catalog" do
    expect(console("", "--classes", "a")).to match(["", /--classes needs --compile/, 2])
  end

  describe "puppetfn::break()" do
    it "pauses code with its variables" do
      input = <<~PUPPET
        $top = 1
        function f($x) {
          [$x].each |$y| {
            $z = $y + 1
            puppetfn::break()
          }
        }
        class c($p = 4) {
          f($p)
        }
        include c
        $x + $z
        :ls
        :type $z
        :where
        :frame 2
        $p
        $nosuch
        :catalog
        :continue
        $c::p
      PUPPET
      out, err, code = console(input)
      expect(code).to eq(1)
      expect(out).to eq(<<~TEXT)
        1
        9
        local:
          $x = 4
          $y = 4
          $z = 5
        top:
          $top = 1
        Integer[5, 5]
        > 0 <stdin>:5 in Class[main]
          1 <stdin>:3 in Class[main]
          2 <stdin>:9 in Class[C]
          3 <stdin>:11 in Class[main]
        4
        [Class['c']]
        4
      TEXT
      expect(err).to include("Paused at <stdin>:5").and include("=>    5     puppetfn::break()")
      expect(err).to include("Unknown variable: 'nosuch'").and include(":catalog does not work where code is paused")
    end

    it "ends the evaluation and the console with :quit" do
      expect(console("$x = [1].map |$y| { puppetfn::break() }\n:quit\n'not evaluated'\n")).to match(["", /\APaused at/, 0])
    end

    it "is unknown elsewhere" do
      out, err, status = Open3.capture3(*command[0..1], "eval", "puppetfn::break()")
      expect([out, err, status.exitstatus]).to match(["", /Unknown function: 'puppetfn::break'/, 1])
    end
  end
end
