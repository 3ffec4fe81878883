# frozen_string_literal: true

require "json"
require "open3"
require_relative "../../support/module_tree"

RSpec.describe "Function API: threads and memory" do
  include ModuleTree

  let(:library) { File.expand_path("../../../lib", __dir__) }

  files = {
    "m/lib/puppet/functions/m/sum.rb" => <<~RUBY,
      Puppet::Functions.create_function(:"m::sum") do
        local_types { type "Numbers = Array[Integer]" }
        dispatch :sum do
          param "Numbers", :numbers
          injected_param "Integer", :start, "start"
          optional_block_param
          return_type "Integer"
        end
        def sum(numbers, start)
          Thread.pass
          numbers.reduce(start) { |sum, x| sum + (block_given? ? yield(x) : x) }
        end
      end
    RUBY
    "m/lib/puppet/functions/m/deep.rb" => <<~RUBY
      Puppet::Functions.create_function(:"m::deep") do
        def deep(n) = n.zero? ? 0 : 1 + call_function("m::deep", n - 1)
      end
    RUBY
  }

  it "are called from many Ruby threads at once" do
    with_runtime(files) do |runtime|
      runtime.bind("Integer", "start") { 0 }
      results = Array.new(8) do |thread|
        Thread.new do
          Array.new(50) do |i|
            sum = runtime.call_function("m::sum", [thread, i]) { |x| Thread.pass || x * 2 }
            error = begin
              runtime.call_function("m::sum", [thread, "a"])
            rescue ArgumentError => e
              e.explain
            end
            [sum, runtime.call_function("m::deep", 5), error.include?("m::sum(Numbers numbers, ")]
          end
        end
      end

      expect(results.map(&:value)).to eq(Array.new(8) { |thread| Array.new(50) { |i| [(thread + i) * 2, 5, true] } })
    end
  end

  it "evaluate code one after the other, when several threads do" do
    with_runtime(files) do |runtime|
      runtime.bind("Integer", "start") { 0 }
      threads = Array.new(6) do |i|
        Thread.new { Array.new(10) { runtime.evaluate_string("m::sum([1, 2, 3]) |$x| { $x + #{i} }") } }
      end

      expect(threads.map(&:value)).to eq(Array.new(6) { |i| Array.new(10, 6 + 3 * i) })
    end
  end

  # In a process of its own: here, what other examples left behind is collected in between, or grows the heap.
  it "runtimes that are gone leave nothing behind", :memory do
    skip "there is no /proc here" unless File.exist?("/proc/self/statm")

    with_modules(files) do |root|
      output, status = Open3.capture2(RbConfig.ruby, "-I", library, "-r", "puppetfn", "-r", "json", "-e", <<~'RUBY', root)
        use = lambda do |count|
          count.times do
            runtime = Puppetfn::Runtime.new(modulepath: ARGV.first)
            runtime.bind("Integer", "start") { 1 }
            runtime.call_function("m::sum", [1])
            runtime.call_function("m::deep", 1)
            runtime.evaluate_string("function f($x) { $x } f(m::sum([1]) |$x| { $x })")
          end
          GC.start
          {
            kilobytes: File.read("/proc/self/statm").split[1].to_i * 4,
            classes: ObjectSpace.count_objects[:T_CLASS],
            runtimes: ObjectSpace.each_object(Puppetfn::Runtime).count
          }
        end
        before = use.call(300)
        puts JSON.generate(use.call(1_700).merge(before) { |_name, after, first| after - first })
      RUBY

      expect(status).to be_success
      expect(JSON.parse(output)).to match(
        "kilobytes" => be < 5_000, "classes" => be < 50, "runtimes" => be < 5
      )
    end
  end
end
