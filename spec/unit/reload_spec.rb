# frozen_string_literal: true

require_relative "../support/module_tree"

# Runtimes notice that files have changed when they are told to look.
RSpec.describe Puppetfn::Runtime, "#reload" do
  include ModuleTree

  in_ruby = ->(name, body) { "Puppet::Functions.create_function(:'#{name}') { def #{name.split("::").last}(*) = (#{body}) }" }
  legacy = ->(name, body) { "Puppet::Parser::Functions.newfunction(:#{name}, :type => :rvalue) { |_| #{body} }" }

  # Puts a file of a module in its place at once, with a time that differs from all before.
  def write(root, path, content)
    @time = (@time || Time.now) + 1
    file = File.join(root, path)
    FileUtils.mkdir_p(File.dirname(file))
    File.write("#{file}.new", content)
    File.utime(@time, @time, "#{file}.new")
    File.rename("#{file}.new", file)
  end

  def names(root, paths)
    paths.map { |path| path.delete_prefix("#{root}/") }
  end

  files = {
    "m/lib/puppet/functions/m/a.rb" => in_ruby.call("m::a", "[1, object_id]"),
    "m/lib/puppet/functions/m/b.rb" => in_ruby.call("m::b", "[1, object_id]"),
    "m/functions/c.pp" => "function m::c() { 1 }",
    "m/lib/puppet/parser/functions/m_d.rb" => legacy.call("m_d", 1),
    "m/types/t.pp" => "type M::T = Integer[1, 1]"
  }

  it "loads what has changed anew, whatever it is written in, and leaves the rest" do
    with_runtime(files) do |runtime, root|
      call = -> { [runtime.call_function("m::a"), runtime.call_function("m::b"), runtime.call_function("m::c"), runtime.call_function("m_d")] }
      code = -> { runtime.evaluate_string("[m::c(), m_d(), m::a()[0]]") }
      before = call.call
      expect(code.call).to eq([1, 1, 1])
      expect(runtime.reload).to eq([])
      expect(call.call).to eq(before)

      write(root, "m/lib/puppet/functions/m/a.rb", in_ruby.call("m::a", "[2, object_id]"))
      write(root, "m/functions/c.pp", "function m::c() { 2 }")
      write(root, "m/lib/puppet/parser/functions/m_d.rb", legacy.call("m_d", 2))
      expect(call.call).to eq(before)
      expect(names(root, runtime.reload)).to eq(%w[m/functions/c.pp m/lib/puppet/functions/m/a.rb m/lib/puppet/parser/functions/m_d.rb])
      expect(call.call).to match([[2, Integer], before[1], 2, 2])
      expect(code.call).to eq([2, 2, 2])
      expect(runtime.logs).to be_empty
    end
  end

  it "goes by what is in a file, not by its time alone" do
    with_runtime(files) do |runtime, root|
      before = runtime.call_function("m::a")
      write(root, "m/lib/puppet/functions/m/a.rb", files["m/lib/puppet/functions/m/a.rb"])

      expect(runtime.reload).to eq([])
      expect(runtime.call_function("m::a")).to eq(before)
    end
  end

  it "finds files that are new, misses those that are gone, and prefers what comes first now" do
    with_runtime(files) do |runtime, root|
      runtime.call_function("m::c")
      expect { runtime.call_function("m::e") }.to raise_error(ArgumentError)
      write(root, "m/functions/e.pp", "function m::e() { 5 }")
      write(root, "m/lib/puppet/functions/m/c.rb", in_ruby.call("m::c", "'Ruby'"))
      expect(runtime.reload).to eq([])
      expect([runtime.call_function("m::e"), runtime.call_function("m::c"), runtime.evaluate_string("m::c()")]).to eq([5, "Ruby", "Ruby"])

      FileUtils.rm_r("#{root}/m/lib")
      File.delete("#{root}/m/functions/e.pp")
      runtime.reload
      expect(runtime.call_function("m::c")).to eq(1)
      expect { runtime.call_function("m::e") }.to raise_error(ArgumentError, "Unknown function 'm::e'")
      expect { runtime.evaluate_string("m_d()") }.to raise_error(Puppet::PreformattedError, /Unknown function: 'm_d'/)
    end
  end

  it "lets types stand for what they are now, also in signatures" do
    takes = {
      "m/functions/f.pp" => "function m::f(M::T $x) { $x }",
      "m/lib/puppet/functions/m/g.rb" => "Puppet::Functions.create_function(:'m::g') { dispatch(:g) { param 'M::T', :x }; def g(x) = x }"
    }
    with_runtime(files.merge(takes)) do |runtime, root|
      results = ->(x) { %w[m::f m::g].map { |name| runtime.call_function(name, x) } << runtime.type("M::T").instance?(x) }
      expect(results[1]).to eq([1, 1, true])
      write(root, "m/types/t.pp", "type M::T = Integer[2, 2]")
      expect(names(root, runtime.reload)).to eq(%w[m/types/t.pp])
      expect(results[2]).to eq([2, 2, true])
      expect { results[1] }.to raise_error(ArgumentError)
    end
  end

  it "loads helpers anew" do
    helper = {
      "m/lib/puppet_x/h.rb" => "module PuppetX; class H; def self.v = 1; end; end",
      "m/lib/puppet/functions/m/h.rb" => "require 'puppet_x/h'\n#{in_ruby.call("m::h", "PuppetX::H.v")}"
    }
    with_runtime(helper) do |runtime, root|
      expect(runtime.call_function("m::h")).to eq(1)
      write(root, "m/lib/puppet_x/h.rb", "module PuppetX; class H; def self.v = 2; end; end")
      expect(names(root, runtime.reload)).to eq(%w[m/lib/puppet_x/h.rb])
      expect(runtime.call_function("m::h")).to eq(2)
    end
  end

  it "says what is wrong with a file when its function is called, and is over that when the file is" do
    with_runtime(files) do |runtime, root|
      runtime.call_function("m::a")
      write(root, "m/lib/puppet/functions/m/a.rb", "Puppet::Functions.create_function(:'m::a') { def a = ")
      runtime.reload
      expect { runtime.call_function("m::a") }.to raise_error(SyntaxError)
      write(root, "m/lib/puppet/functions/m/a.rb", in_ruby.call("m::a", 3))
      runtime.reload
      expect(runtime.call_function("m::a")).to eq(3)
    end
  end

  it "can be used while other threads call" do
    versions = ->(n) { [["m/lib/puppet/functions/m/a.rb", in_ruby.call("m::a", n)], ["m/functions/c.pp", "function m::c() { #{n} }"], ["m/lib/puppet/parser/functions/m_d.rb", legacy.call("m_d", n)]] }
    with_runtime(files.merge(versions.call(0).to_h)) do |runtime, root|
      done = false
      callers = Array.new(2) do
        Thread.new do
          seen = []
          seen << [runtime.call_function("m::a"), runtime.call_function("m::c"), runtime.call_function("m_d"), *runtime.evaluate_string("[m::c(), m_d()]")] until done
          seen
        end
      end
      (1..8).each do |n|
        versions.call(n).each { |path, content| write(root, path, content) }
        runtime.reload
        sleep(0.001)
      end
      done = true
      seen = callers.flat_map(&:value)

      # Each caller sees versions that exist, and then the last one.
      expect(seen.flatten.uniq - (0..8).to_a).to be_empty
      expect([runtime.call_function("m::a"), runtime.call_function("m::c"), runtime.call_function("m_d")]).to eq([8, 8, 8])
    end
  end
end
