# frozen_string_literal: true

require "digest"
require "json"
require "open3"
require "rbconfig"
require_relative "../support/module_tree"
require_relative "../../vectors/ruby/modules"

RSpec.describe "the REFERENCE.md of a module" do
  include ModuleTree

  root = File.expand_path("../..", __dir__)
  vectors = File.join(root, "spec/vectors")
  # The modules for which Puppet Strings has nothing to cut off or to leave out.
  plain = %w[apache docker haproxy java logrotate nginx ntp php sudo]

  def markdown(path, **options)
    Puppetfn::Doc.read(path, **options).to_markdown
  end

  describe "of published modules" do
    before(:all) do
      @modules = Vectors::Modules.published or skip Vectors::External::MISSING
      @expected = Vectors::External.path("reference")
    end

    it "is to the byte what Puppet Strings writes, quirks included" do
      names = Dir["#{@expected}/*.md"].map { |file| File.basename(file, ".md") } - ["README"]
      differing = names.reject do |name|
        markdown("#{@modules}/#{name}", strings_quirks: true) == File.read("#{@expected}/#{name}.md", encoding: "UTF-8")
      end

      expect(names.size).to eq(17)
      expect(differing).to be_empty
    end

    it "is the same without the quirks where there are none" do
      same = plain.select { |name| markdown("#{@modules}/#{name}") == File.read("#{@expected}/#{name}.md", encoding: "UTF-8") }
      expect(same).to eq(plain)
    end
  end

  describe "of modules that Debian packages" do
    source = Vectors::PackagedModules.new

    JSON.parse(File.read("#{vectors}/reference/digests.json")).each do |name, digest|
      it "#{name}: is to the byte what Puppet Strings writes" do
        reason = source.unavailable(name)
        skip reason if reason

        expect(Digest::SHA256.hexdigest(markdown("#{source.directory}/#{name}", strings_quirks: true))).to eq(digest)
      end
    end
  end

  describe "with and without the quirks of Puppet Strings" do
    # What is written of a Ruby file, the way we read it and the way Puppet Strings does.
    def both(place, text)
      with_modules("m/metadata.json" => "{}", "m/#{place}" => text) do |modules|
        [false, true].map { |quirks| markdown("#{modules}/m", strings_quirks: quirks) }
      end
    end

    it "has all of a heredoc, or what is as long as it from where the line of its start goes on" do
      ours, theirs = both("lib/puppet/type/t.rb", <<~RUBY)
        Puppet::Type.newtype(:t) do
          newparam(:name) do
            desc(<<-EOS)
              One.
              Two of it.
            EOS
          end
        end
      RUBY
      expect(ours).to include("\nOne.\nTwo of it.\n")
      expect(theirs).to include("One.\nTwo of it.")

      ours, theirs = both("lib/puppet/parser/functions/f.rb", <<~RUBY)
        Puppet::Parser::Functions.newfunction(:f, :type => :rvalue, :doc => <<-EOS) do |arguments|
          One.
          Two of it.
        EOS
        end
      RUBY
      expect(ours).to include("Two of it.")
      expect(theirs).not_to include("Two of it.")
    end

    it "has all of a comment right below a statement, or only its last line" do
      ours, theirs = both("lib/puppet/functions/f.rb", <<~RUBY)
        require 'zlib'
        # First.
        # Last.
        Puppet::Functions.create_function(:f) do
          def f(a) = a
        end
      RUBY
      expect(ours).to include("\nFirst.\nLast.\n")
      expect(theirs).to include("\nLast.\n")
      expect(theirs).not_to include("First.")
    end

    it "marks what takes all other arguments, or does not" do
      ours, theirs = both("functions/f.pp", "# F.\n# @param rest others\nfunction m::f(Integer *$rest) { }")
      expect(ours).to include("#### `m::f(Integer *$rest)`")
      expect(theirs).to include("#### `m::f(Integer $rest)`")
    end

    it "has a selector with its brace, or without" do
      ours, theirs = both("manifests/init.pp", "# M.\nclass m($a = $b ? { 1 => 2 }) { }")
      expect(ours).to include("Default value: `$b ? { 1 => 2 }`")
      expect(theirs).to include("Default value: `$b ? { 1 => 2`")
    end

    it "has heredocs, or about as many characters after their tags" do
      ours, theirs = both("manifests/init.pp", "# M.\nclass m($a = @(X)) { }\n  text\n  | X\n")
      expect(ours).to include("```puppet\n@(X)\n  text\n  | X\n```")
      expect(theirs).to include("```puppet\n@(X)) { }\n  tex\n```")
    end

    it "ends, however deep a default nests" do
      deep = "(" * 60 + "1" + ")" * 60
      ours, theirs = both("manifests/init.pp", "# M.\nclass m($a = #{deep}) { }")
      expect(ours).to include("`#{deep}`")
      expect(theirs).to include("`#{deep.delete(")")}`")
    end
  end

  it "has data types with their attributes and functions" do
    text = <<~RUBY
      # A greeter.
      #
      # @param name who greets
      # @!method greet(whom)
      #   Greets.
      #   @param whom who is greeted
      #   @return the greeting
      Puppet::DataTypes.create_type('Greeter') do
        interface <<-PUPPET
          attributes => { name => String, times => { type => Integer, value => 1 } },
          functions => { greet => Callable[[String], String], rest => Callable[[], Boolean] }
        PUPPET
      end
    RUBY
    with_modules("m/metadata.json" => "{}", "m/lib/puppet/datatypes/greeter.rb" => text) do |modules|
      written = markdown("#{modules}/m")
      expect(written).to include("* [`Greeter`](#Greeter): A greeter.")
        .and include("#### `Greeter.greet(whom)`\n\nGreets.\n\nReturns: `String` the greeting\n")
        .and include("##### `whom`\n\nData type: `String`\n\nwho is greeted\n")
        .and include("#### `Greeter.rest`")
        .and include("Data type: `Integer`\n\n\n\nDefault value: `1`")
    end
  end

  describe "on the command line" do
    define_method(:run) do |*arguments|
      Open3.capture2e(RbConfig.ruby, "-I", "#{root}/lib", "#{root}/exe/puppetfn", "doc", *arguments)
    end

    it "is written, and checked with a diff" do
      with_modules("m/metadata.json" => "{}", "m/manifests/init.pp" => "# One.\nclass m { }") do |modules|
        file = "#{modules}/m/REFERENCE.md"
        output, status = run("#{modules}/m", "--format", "markdown", "--out", file)
        expect([output, status.exitstatus]).to eq(["", 0])
        expect(File.read(file)).to start_with("# Reference\n\n<!-- DO NOT EDIT")

        output, status = run("#{modules}/m", "--format", "markdown", "--check")
        expect([output, status.exitstatus]).to eq(["", 0])

        File.write("#{modules}/m/manifests/init.pp", "# Two.\nclass m { }")
        output, status = run("#{modules}/m", "--format", "markdown", "--check")
        expect(output).to include("-* [`m`](#m): One.\n+* [`m`](#m): Two.\n")
        expect(status.exitstatus).to eq(1)
      end
    end

    it "is not written if a file cannot be read" do
      with_modules("m/metadata.json" => "{}", "m/manifests/init.pp" => "class m {") do |modules|
        output, status = run("#{modules}/m", "--format", "markdown", "--out", "#{modules}/m/REFERENCE.md")
        expect(output).to start_with("error: ")
        expect(status.exitstatus).to eq(1)
        expect(File.exist?("#{modules}/m/REFERENCE.md")).to be(false)
      end
    end

    it "shows classes and plans by their names" do
      files = {"m/manifests/init.pp" => "# Em.\n# @param a an a\nclass m(Integer $a = 1) { }", "m/plans/init.pp" => "# Pee.\nplan m() { }",
               "m/manifests/broken.pp" => "class"}
      with_modules(files) do |modules|
        output, status = run("m", "--modulepath", modules)
        expect(output).to include("m\n\n  Em.\n\n    Integer $a\n      an a\n      Default: 1\n\n  Class, ")
        expect(status.exitstatus).to eq(0)
      end
    end
  end
end
