# frozen_string_literal: true

require_relative "../../support/module_tree"

RSpec.describe "Function API: threads and memory" do
  include ModuleTree

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

  # Memory in use, in kilobytes.
  def resident
    GC.start
    File.read("/proc/self/statm").split[1].to_i * 4
  end

  it "runtimes that are gone leave nothing behind" do
    skip "there is no /proc here" unless File.exist?("/proc/self/statm")

    with_modules(files) do |root|
      use = lambda do |count|
        count.times do
          runtime = Puppetfn::Runtime.new(modulepath: root)
          runtime.bind("Integer", "start") { 1 }
          runtime.call_function("m::sum", [1])
          runtime.call_function("m::deep", 1)
          runtime.evaluate_string("function f($x) { $x } f(m::sum([1]) |$x| { $x })")
        end
      end
      use.call(300)
      before = resident
      classes = ObjectSpace.count_objects[:T_CLASS]
      runtimes = ObjectSpace.each_object(Puppetfn::Runtime).count
      use.call(1_700)

      expect(resident - before).to be < 30_000
      expect(ObjectSpace.count_objects[:T_CLASS] - classes).to be < 300
      expect(ObjectSpace.each_object(Puppetfn::Runtime).count - runtimes).to be < 50
    end
  end
end
