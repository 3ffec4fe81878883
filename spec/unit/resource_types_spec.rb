# frozen_string_literal: true

require "open3"
require_relative "../support/module_tree"
require "rbconfig"

# Types of resources that modules define in Ruby, and Puppet's own.
RSpec.describe Puppetfn::Runtime, "#resource_type" do
  include ModuleTree

  article = <<~RUBY
    Puppet::Type.newtype(:article) do
      ensurable
      newparam(:name, namevar: true)
      newparam(:fragile, boolean: true, parent: Puppet::Parameter::Boolean)
      newproperty(:price) { newvalues(/^\\d+$/, :free) }
    end
  RUBY
  path = "shop/lib/puppet/type/article.rb"

  it "gives the type that a module defines" do
    with_runtime({path => article}) do |runtime|
      type = runtime.resource_type("article")

      expect(type).to be < Puppet::Type
      expect([type.name, type.to_s]).to eq([:article, "Puppet::Type::Article"])
      expect([type.parameters, type.properties.map(&:name)]).to eq([%i[name fragile], %i[ensure price]])
      expect(type.validattr?(:require)).to be(true)
      expect(type.validattr?(:weight)).to be(false)
      expect([type.namevar, type.key_attributes, type.isomorphic?]).to eq([:name, [:name], true])
      expect(type.attrclass(:price).value_collection.values).to eq([:free])
    end
  end

  it "gives it once, in any case and by its constant, and nil for what there is not" do
    with_runtime({path => article}) do |runtime|
      type = runtime.resource_type("Article")

      expect(runtime.resource_type(:article)).to equal(type)
      expect(runtime.activate { Puppet::Type::Article }).to equal(type)
      expect(runtime.resource_type("nothing")).to be_nil
      expect(runtime.resource_type("shop::article")).to be_nil
    end
  end

  it "describes a type as data" do
    with_runtime({path => article}) do |runtime|
      attributes, *others = runtime.resource_type("article").outline

      expect(others).to eq([["name"], true, true])
      expect(attributes.first(4)).to eq(%w[name ensure price fragile])
      expect(attributes).to include("require", "notify", "tag", "loglevel")
    end
  end

  it "has Puppet's own types" do
    runtime = described_class.new
    own = %w[component exec file filebucket group notify package resources schedule service stage tidy user whit]

    expect(own.map { |name| runtime.resource_type(name)&.name.to_s }).to eq(own)
    expect(runtime.resource_type("file").parse_title("/etc/motd/")).to eq(path: "/etc/motd")
    expect(runtime.resource_type("file").outline.drop(1)).to eq([["path"], true, false])
    expect(runtime.resource_type("exec").isomorphic?).to be(false)
    expect(runtime.resource_type("package").key_attributes).to eq(%i[name provider command])
  end

  describe "titles" do
    composite = <<~RUBY
      Puppet::Type.newtype(:rule) do
        def self.title_patterns
          [[/^(\\d+) (\\w+)$/, [[:number, ->(text) { Integer(text) }], [:name]]], [/^(\\w+)$/, [[:name]]]]
        end
        newparam(:name, namevar: true)
        newparam(:number, namevar: true)
      end
      Puppet::Type.newtype(:unsaid) do
        newparam(:name, namevar: true)
        newparam(:number, namevar: true)
      end
    RUBY

    it "give the values of several key attributes" do
      with_runtime({"wall/lib/puppet/type/rule.rb" => composite}) do |runtime|
        type = runtime.resource_type("rule")

        expect(type.parse_title("100 ssh")).to eq(number: 100, name: "ssh")
        expect(type.parse_title("ssh")).to eq(name: "ssh")
        expect { type.parse_title("a b") }.to raise_error(Puppet::Error, 'No set of title patterns matched the title "a b".')
        expect([type.namevar, type.outline.last]).to eq([nil, false])
      end
    end

    it "need patterns where there are several key attributes" do
      with_runtime({"wall/lib/puppet/type/rule.rb" => composite}) do |runtime|
        runtime.resource_type("rule")

        expect { runtime.resource_type("unsaid").title_patterns }
          .to raise_error(Puppet::DevError, "you must specify title patterns when there are two or more key attributes")
      end
    end
  end

  describe "files" do
    it "find what they require, and one another" do
      files = {
        "shop/lib/puppet_x/shop/prices.rb" => "module PuppetX\n  module Shop\n    PRICES = %i[low high]\n  end\nend",
        "shop/lib/puppet/provider/shop.rb" => "class Puppet::Provider::Shop < Puppet::Provider\n  def self.shops = [:corner]\nend",
        "shop/lib/puppet/type/article.rb" => <<~RUBY,
          require "puppet_x/shop/prices"
          require "puppet/provider/shop"
          Puppet::Type.newtype(:article) do
            newparam(:name)
            newproperty(:price) { newvalues(*PuppetX::Shop::PRICES, *Puppet::Provider::Shop.shops) }
          end
        RUBY
        "shop/lib/puppet/type/shelf.rb" => <<~RUBY
          Puppet::Type.newtype(:shelf) do
            newparam(:name)
            newproperty(:price, parent: Puppet::Type.type(:article).attrclass(:price))
            newproperty(:owner, parent: Puppet::Type::File::Owner)
          end
        RUBY
      }.merge("shop/lib/puppet/type/mode.rb" => "require 'puppet/type/file/mode'\nPuppet::Type.newtype(:mode) { newparam(:name) }")

      with_runtime(files) do |runtime|
        runtime.resource_type("file")

        expect(runtime.resource_type("article").attrclass(:price).value_collection.values).to eq(%i[low high corner])
        expect(runtime.resource_type("shelf").attrclass(:owner)).to be < runtime.resource_type("file").attrclass(:owner)
        expect(runtime.resource_type("mode").name).to eq(:mode)
      end
    end

    it "know facts by what stands for Facter, and the constants that their providers define" do
      files = {
        path => <<~RUBY,
          require "facter"
          Puppet::Type.newtype(:article) do
            newparam(:name) { validate { |value| raise ArgumentError, "not so" unless value.match?(PATTERN) } }
            newproperty(:price) { newvalues(Facter.value(:osfamily), Facter["os.name"].value, Facter.fact(:nope).inspect) }
          end
        RUBY
        "shop/lib/puppet/provider/article/corner.rb" => "Puppet::Type.type(:article).provide(:corner) { PATTERN = /a/ }"
      }
      with_runtime(files, facts: {"os" => {"name" => "Devuan", "family" => "Debian"}}) do |runtime|
        expect(runtime.resource_type("article").attrclass(:price).value_collection.values).to eq(%i[Debian Devuan nil])
        expect { runtime.compile("article { 'b': }").to_ral }
          .to raise_error(Puppet::ResourceError, "Parameter name failed on Article[b]: not so (line: 1)")
      end
    end

    it "know the system that the machine runs where there are no facts" do
      type = "Puppet::Type.newtype(:article) { newparam(:name) { newvalues(Facter.value(:os)['release']['full'], Facter.value(:kernel)) } }"
      with_runtime({path => type}) do |runtime|
        expect(runtime.resource_type("article").attrclass(:name).value_collection.values).to match([match(/\d/), Etc.uname[:sysname].to_sym])
      end
    end

    it "of the module that comes first count" do
      with_modules("one/#{path}" => article, "two/#{path}" => article.sub(":price", ":weight")) do |root|
        runtime = described_class.new(modulepath: ["#{root}/two", "#{root}/one"])

        expect(runtime.resource_type("article").validproperties).to eq(%i[ensure weight])
      end
    end

    it "that fail say so as Puppet does" do
      with_runtime({path => "Puppet::Type.newtype(:article) { oops }"}) do |runtime|
        expect { runtime.resource_type("article") }
          .to raise_error(Puppet::Error, /\ACould not autoload puppet\/type\/article: undefined local variable or method `oops'/)
        expect(runtime.logs.map(&:first)).to eq([:err])
      end
    end

    it "that define nothing are warned of" do
      with_runtime({path => "nil"}) do |runtime|
        expect(runtime.resource_type("article")).to be_nil
        expect(runtime.logs.to_a).to eq([[:warning, "Loaded puppet/type/article but no class was created"]])
      end
    end

    it "are read again when they have changed" do
      with_runtime({path => article}) do |runtime, root|
        before = runtime.resource_type("article")
        expect(runtime.resource_type("shelf")).to be_nil

        File.write(File.join(root, path), article.sub(":price", ":weight"))
        File.write(File.join(root, "shop/lib/puppet/type/shelf.rb"), "Puppet::Type.newtype(:shelf) { newparam(:name) }")
        runtime.reload

        expect(runtime.resource_type("article")).not_to equal(before)
        expect(runtime.resource_type("article").validproperties).to eq(%i[ensure weight])
        expect(runtime.resource_type("shelf").name).to eq(:shelf)
      end
    end
  end

  it "keeps the types of runtimes apart, and what their files add to Puppet's namespaces" do
    files = ->(text) do
      {"shop/lib/puppet/util/shop.rb" => "module Puppet::Util::Shop\n  def self.name = :#{text}\nend",
       path => "require 'puppet/util/shop'\nPuppet::Type.newtype(:article) { newparam(Puppet::Util::Shop.name) }"}
    end

    with_runtime(files.("left")) do |left, _|
      with_runtime(files.("right")) do |right, _|
        expect([left, right].map { |runtime| runtime.resource_type("article").parameters }).to eq([[:left], [:right]])
        expect([left, right].map { |runtime| runtime.activate { Puppet::Util::Shop.name } }).to eq(%i[left right])
        expect(Puppet::Type.const_defined?(:Article, false)).to be(false)
      end
    end
  end

  describe "providers" do
    files = {
      path => <<~RUBY,
        Puppet::Type.newtype(:article) do
          feature :sellable, "It can be sold.", methods: [:sell]
          feature :returnable, "It can be given back."
          newparam(:name)
          newproperty(:buyer, required_features: :sellable)
        end
      RUBY
      "shop/lib/puppet/provider/article/corner.rb" => <<~RUBY,
        Puppet::Type.type(:article).provide(:corner) do
          defaultfor "os.family" => :debian
          has_feature :returnable
          def sell; end
        end
      RUBY
      "shop/lib/puppet/provider/article/market.rb" => <<~RUBY
        Puppet::Type.type(:article).provide(:market, parent: :corner) { confine exists: "/nonexistent" }
      RUBY
    }

    it "are those of the module's files, with what they can do" do
      with_runtime(files, facts: {"os" => {"family" => "Debian"}}) do |runtime|
        type = runtime.resource_type("article")

        expect(type.validattr?(:provider)).to be(true)
        runtime.activate do
          expect(type.providers).to contain_exactly(:corner, :market)
          expect(type.defaultprovider.name).to eq(:corner)
          expect([type.validprovider?(:corner), type.validprovider?(:market)]).to eq([true, false])
          expect(type.provider(:corner).features).to eq(%i[returnable sellable])
          expect(type.provider(:market).features).to eq([:sellable])
          expect(type.provider(:market).supports_parameter?(:buyer)).to be(true)
        end
      end
    end

    it "need not exist" do
      with_runtime({path => article}) { |runtime| expect(runtime.resource_type("article").validattr?(:provider)).to be(false) }
    end
  end

  it "defines types of the Resource API" do
    definition = <<~RUBY
      require "puppet/resource_api"
      Puppet::ResourceApi.register_type(
        name: "article", desc: "What a shop sells.", features: ["canonicalize"],
        title_patterns: [{pattern: /^(?<name>\\w+) of (?<maker>\\w+)$/, desc: "both"}],
        attributes: {
          ensure: {type: "Enum[present, absent]", desc: "Whether it is there.", default: "present"},
          name: {type: "String[1]", desc: "What it is called.", behaviour: :namevar},
          maker: {type: "String[1]", desc: "Who makes it.", behaviour: :namevar},
          price: {type: "Optional[Float[0.0]]", desc: "What it costs."},
          sold: {type: "Integer", desc: "How many were sold.", behaviour: :read_only}
        },
        autorequire: {file: "$name"}
      )
    RUBY
    with_runtime({path => definition}) do |runtime|
      type = runtime.resource_type("article")

      expect([type.parameters, type.validproperties]).to eq([%i[name maker sold], %i[ensure price]])
      expect(type.parse_title("chair of ikea")).to eq(name: "chair", maker: "ikea")
      expect(type.validattr?(:provider)).to be(false)
    end
  end

  it "refuses definitions of the Resource API that are wrong" do
    definition = "Puppet::ResourceApi.register_type(name: 'article', desc: 'x', attributes: {name: {type: 'Nope[', desc: 'y'}})"
    with_runtime({path => definition}) do |runtime|
      expect { runtime.resource_type("article") }
        .to raise_error(Puppet::Error, /The type of the `name` attribute `Nope\[` could not be parsed/)
    end
  end

  it "costs nothing where no type is asked for" do
    program = 'Puppetfn::Runtime.new.evaluate_string("1 + 1"); print Puppetfn::Puppet.autoload?(:Type).nil?'
    output, = Open3.capture2e(RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), "-r", "puppetfn", "-e", program)

    expect(output).to eq("false")
  end
end
