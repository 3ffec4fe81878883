# frozen_string_literal: true

require "open3"
require_relative "../support/module_tree"

# Each runtime has the helpers of functions for itself.
RSpec.describe Puppetfn::Sandbox do
  include ModuleTree

  # An environment in which everything is of a version: a function of each API, and what they require.
  environment = lambda do |version|
    {
      "m/lib/puppet/functions/m/new.rb" => <<~RUBY,
        require 'puppet_x/shop/helper'
        Puppet::Functions.create_function(:'m::new') do
          def new(x) = [#{version}, PuppetX::Shop::Helper.version, PuppetX::Shop::Helper.late, x]
        end
      RUBY
      "m/lib/puppet/parser/functions/m_old.rb" => <<~RUBY,
        require_relative '../../../puppet_x/shop/helper'
        module Puppet::Parser::Functions
          newfunction(:m_old, :type => :rvalue) { |args| [#{version}, PuppetX::Shop::Helper.version, args.first] }
        end
      RUBY
      "m/lib/puppet_x/shop/helper.rb" => <<~RUBY,
        module PuppetX
          module Shop
            class Helper
              def self.version = #{version}
              def self.late
                require 'puppet_x/shop/late'
                Late::VERSION
              end
            end
          end
        end
      RUBY
      "m/lib/puppet_x/shop/late.rb" => "module PuppetX\n  module Shop\n    class Late\n      VERSION = #{version}\n    end\n  end\nend\n"
    }
  end

  # Environments by their versions.
  def in_environments(files, *versions)
    with_modules(versions.flat_map { |v| files.call(v).map { |path, text| ["v#{v}/#{path}", text] } }.to_h) do |root|
      yield versions.map { |v| Puppetfn::Runtime.new(modulepath: ["#{root}/v#{v}"]) }
    end
  end

  it "gives eight threads on two environments the answers of their own, a hundred thousand times" do
    in_environments(environment, 1, 2) do |runtimes|
      wrong = Array.new(8) do |n|
        Thread.new do
          version = n % 2 + 1
          runtime = runtimes[n % 2]
          (1..6_250).flat_map do |x|
            answers = [runtime.call_function("m::new", x), runtime.call_function("m_old", x)]
            answers == [[version, version, version, x], [version, version, x]] ? [] : [answers]
          end
        end
      end

      expect(wrong.flat_map(&:value)).to be_empty
      expect(defined?(::PuppetX)).to be_nil
    end
  end

  # What a function answers whose file begins with some code, in a module with other files.
  def answer(body, before: "", **files)
    files = files.transform_keys(&:to_s).merge(
      "m/lib/puppet/functions/m/f.rb" => "#{before}\nPuppet::Functions.create_function(:'m::f') { def f = (#{body}) }"
    )
    with_runtime(files) { |runtime| runtime.call_function("m::f") }
  end

  it "gives classes the names that they have in their files" do
    helper = {"m/lib/puppet_x/h.rb": "module PuppetX; class H; class Inner < StandardError; end; end; end"}
    expect(answer("[PuppetX::H::Inner.name, PuppetX::H.new.to_s[0, 12], call_function('type', PuppetX::H.new).to_s]",
      before: "require 'puppet_x/h'", **helper)).to eq(["PuppetX::H::Inner", "#<PuppetX::H", "Runtime[ruby, 'PuppetX::H']"])
  end

  it "gives files what Puppet gives them where Ruby has no more of it" do
    expect(answer("[File.exists?(__FILE__), Dir.exists?(__FILE__), File.exists?('/nonexistent')]")).to eq([true, false, false])
  end

  it "says that a constant is nowhere to functions of the 3.x API, as Ruby does" do
    file = "module Puppet::Parser::Functions; newfunction(:m_f, type: :rvalue) { |args| NoSuchConstant }; end"
    with_runtime({"m/lib/puppet/parser/functions/m_f.rb" => file}) do |runtime|
      expect { runtime.call_function("m_f") }.to raise_error(NameError, "uninitialized constant Puppet::Parser::Functions::NoSuchConstant")
    end
  end

  it "finds constants of the top level by their full names, as long as the function runs" do
    helper = {"m/lib/puppet_x/h.rb": "module PuppetX; H = 3; end"}
    expect(answer("[::PuppetX::H, ::String]", before: "require 'puppet_x/h'", **helper)).to eq([3, String])
    expect { answer("PuppetX::Missing", before: "require 'puppet_x/h'", **helper) }.to raise_error(NameError, /uninitialized constant PuppetX::Missing/)
    expect { answer("Missing") }.to raise_error(NameError, "uninitialized constant Missing")
  end

  it "lets files add to the classes of Ruby" do
    helper = {"m/lib/puppet_x/h.rb": "class String\n  def puppetfn_shout = upcase\nend\nclass Array; def puppetfn_two = 2; end"}
    expect(answer("['a'.puppetfn_shout, [].puppetfn_two]", before: "require 'puppet_x/h'", **helper)).to eq(["A", 2])
  end

  it "lets files call methods that files define at their top level" do
    helper = {"m/lib/puppet_x/h.rb": "def m_double(x) = x * 2\nM_EIGHT = m_double(4)"}
    expect(answer("M_EIGHT + M_SIX", before: "require 'puppet_x/h'\nM_SIX = m_double(3)", **helper)).to eq(14)
    expect { answer("1", before: "m_triple(4)") }.to raise_error(NoMethodError, /m_triple/)
  end

  it "loads a file once, whatever it is named by" do
    helper = {"m/lib/puppet_x/count.rb": "module PuppetX; COUNT = [] unless defined?(COUNT); COUNT << __FILE__; end\n__END__\nnot Ruby"}
    before = <<~RUBY
      LOADED = [require('puppet_x/count'), require('puppet_x/count.rb'), require_relative('../../../puppet_x/count'),
                require(File.expand_path('../../../puppet_x/count', __dir__)), Kernel.require('puppet_x/count'),
                require(File.join(__dir__, '..', '..', '..', 'puppet_x', 'count'))]
    RUBY
    expect(answer("[LOADED, PuppetX::COUNT.size, load('puppet_x/count.rb'), PuppetX::COUNT.size]", before: before, **helper))
      .to eq([[true, false, false, false, false, false], 1, true, 2])
  end

  it "loads a file again that has failed, and says what failed" do
    helper = {"m/lib/puppet_x/h.rb": "raise 'broken'"}
    expect(answer("Array.new(2) { begin; require 'puppet_x/h'; rescue => e; e.message; end }", **helper)).to eq(%w[broken broken])
    expect(answer("begin; require 'puppet_x/none'; rescue LoadError => e; e.message; end")).to start_with("cannot load such file -- puppet_x/none")
    expect(answer("begin; require_relative 'none'; rescue LoadError => e; e.message[0, 24]; end")).to eq("cannot load such file --")
  end

  it "loads the file of a resource type again that was removed" do
    files = {"m/lib/puppet/type/m_lamp.rb" => "Puppet::Type.newtype(:m_lamp) { newparam(:name) }"}
    with_runtime(files, node: "web") do |runtime|
      types = runtime.activate do
        Array.new(2) { Puppetfn::Puppet::Type.rmtype(:m_lamp).then { Puppetfn::Puppet::Type.type(:m_lamp) } }
      end
      expect(types.map(&:name)).to eq(%i[m_lamp m_lamp])
      expect(types.uniq.size).to eq(2)
    end
  end

  it "loads what a file has Ruby load later" do
    helper = {"m/lib/puppet_x/h.rb": "module PuppetX; autoload :Later, 'puppet_x/later'; end", "m/lib/puppet_x/later.rb": "module PuppetX; Later = 5; end"}
    expect(answer("PuppetX::Later", before: "require 'puppet_x/h'", **helper)).to eq(5)
  end

  it "is known to threads that functions start" do
    helper = {"m/lib/puppet_x/h.rb": "module PuppetX; H = 3; end"}
    expect(answer("Thread.new { require 'puppet_x/h'; PuppetX::H }.value", **helper)).to eq(3)
  end

  it "leaves the load path and the features of the host alone" do
    helper = {"m/lib/puppet_x/h.rb": ""}
    before = [$LOAD_PATH.dup, $LOADED_FEATURES.grep(/puppet_x/)]
    answer("require 'puppet_x/h'", **helper)
    expect([$LOAD_PATH, $LOADED_FEATURES.grep(/puppet_x/)]).to eq(before)
  end
end
