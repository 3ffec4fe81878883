# frozen_string_literal: true

require "rbconfig"
require "timeout"

# Code that runs for long lets other threads have their turn, and ends when it is told to. Each of the
# programs here would take minutes at least.
RSpec.describe Puppetfn::Runtime, "while code runs" do
  # What is promised is a twentieth of this. The machine that runs the tests may be busy.
  patience = 1.0

  large = "$a = Array(Integer[1, 1000000])"
  many = "Integer[1, 100000]"
  programs = {
    "calls functions" => "function fib($n) { if $n < 2 { $n } else { fib($n - 1) + fib($n - 2) } } fib(60)",
    "calls blocks" => "#{many}.each |$x| { #{many}.map |$y| { $x + $y } }",
    "puts texts together" => "#{many}.each |$x| { #{many}.reduce('') |$text, $y| { \"${text}${y}\" } }",
    "adds to large arrays" => "#{large} #{many}.each |$x| { $a + $x }",
    "compares large arrays" => "#{large} $b = $a + 1 $c = $a + 2 #{many}.each |$x| { $b == $c }",
    "looks for what is in large arrays" => "#{large} $b = $a + $a #{many}.each |$x| { unique($b) }",
    "sorts large arrays" => "#{large} $b = $a.map |$x| { sha256(\"${x}\") } #{many}.each |$x| { sort($b) }",
    "sorts with a block" => "#{large} sort($a.map |$x| { $x * 7919 % 1000003 }) |$x, $y| { compare($x, $y) }",
    "replaces in long texts" => "$t = sprintf('%999999s', 'x') #{many}.each |$x| { regsubst($t, ' ', '  ', 'G') }",
    "calls Ruby" => "#{many}.each |$x| { #{many}.each |$y| { lest(undef) || { $y } } }"
  }

  def seconds
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    yield
    Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
  end

  programs.each do |what, code|
    it "ends at once where it #{what}" do
      timeout = proc do
        Timeout.timeout(0.3) { described_class.new.evaluate_string(code) }
      end
      expect(seconds { expect(&timeout).to raise_error(Timeout::Error) }).to be < 0.3 + patience

      thread = Thread.new { described_class.new.evaluate_string(code) }
      sleep 0.3
      expect(seconds { thread.kill.join }).to be < patience
      expect(thread.value).to be_nil
    end
  end

  it "ends at once when the user interrupts it" do
    program = <<~RUBY
      require "puppetfn"
      begin
        $stdout.sync = true
        puts "ready"
        Puppetfn::Runtime.new.evaluate_string(#{programs["calls functions"].dump})
      rescue Interrupt
        puts "interrupted"
      end
    RUBY
    library = File.expand_path("../../lib", __dir__)
    IO.popen([RbConfig.ruby, "-I", library, "-e", program]) do |process|
      expect(process.gets).to eq("ready\n")
      sleep 0.3
      expect(seconds do
        Process.kill(:INT, process.pid)
        expect(process.gets).to eq("interrupted\n")
      end).to be < patience
    end
  end

  it "lets other threads work" do
    thread = Thread.new { described_class.new.evaluate_string(programs["calls functions"]) }
    expect(seconds { 10.times { Thread.pass; sleep 0.001 } }).to be < 10 * patience
  ensure
    thread.kill.join
  end

  it "stays usable when it has been ended" do
    runtime = described_class.new
    code = programs["calls blocks"]
    3.times { expect { Timeout.timeout(0.05) { runtime.evaluate_string(code) } }.to raise_error(Timeout::Error) }
    expect(runtime.evaluate_string("[1, 2].map |$x| { $x + 1 }")).to eq([2, 3])
  end
end
