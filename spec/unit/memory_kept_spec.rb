# frozen_string_literal: true

require "open3"

# What calls leave behind does not grow with their number.
RSpec.describe Puppetfn::Runtime, "called very often", :memory do
  # Each call differs from all others.
  calls = {
    "functions" => <<~RUBY,
      runtime.call_function("map", [1, n]) { |value| value + 1 }
      runtime.call_function("split", "a\#{n}", "a")
      runtime.call_function("nosuch\#{n}")
    RUBY
    "functions that fail" => <<~RUBY,
      case n % 4
      when 0 then runtime.call_function("abs", "x\#{n}")
      when 1 then runtime.call_function("fail", "x\#{n}")
      when 2 then runtime.call_function("map", [n]) { |value| raise "x\#{value}" }
      else runtime.call_function("lookup", "x\#{n}")
      end
    RUBY
    "code" => <<~RUBY,
      runtime.evaluate_string("[1, \#{n}].map |$x| { $x + 1 }") if n % 4 == 0
      runtime.evaluate_string(n % 2 == 0 ? "$x = \#{n} + 'x'" : "$x = = \#{n}")
    RUBY
    "types" => <<~RUBY
      runtime.type("Integer[\#{n}, \#{n + 1}]").instance?(n)
      n % 2 == 0 ? runtime.type("Integer[\#{n}, 1") : runtime.create("Integer", "x\#{n}")
    RUBY
  }

  calls.each do |what, code|
    it "keeps no more memory for 120,000 calls of #{what} than for 30,000" do
      program = <<~RUBY
        require "puppetfn"
        require "fiddle"
        trim = Fiddle::Function.new(Fiddle.dlopen(nil)["malloc_trim"], [Fiddle::TYPE_SIZE_T], Fiddle::TYPE_INT)
        used = lambda do
          3.times { GC.start }
          GC.compact
          trim.call(0)
          File.read("/proc/self/status")[/VmRSS:\\s+(\\d+)/, 1].to_i
        end
        runtime = Puppetfn::Runtime.new
        call = lambda do |n|
          #{code}
        rescue StandardError
        end
        # The heap of Ruby needs many calls to reach its size.
        30_000.times(&call)
        before = used.call
        (30_000...120_000).each(&call)
        puts used.call - before
      RUBY
      output, status = Open3.capture2e(RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), "-e", program)
      expect(status).to be_success, output
      expect(Integer(output)).to be < 1_000
    end
  end
end
