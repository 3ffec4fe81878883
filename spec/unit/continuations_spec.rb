# frozen_string_literal: true

require "open3"

# What comes back to a call that is over gets an error. Each case has a process of its own, which must not end in a crash.
RSpec.describe Puppetfn::Runtime, "with continuations, fibers and threads", :stacks do
  def said(code)
    program = <<~RUBY
      $VERBOSE = nil
      require "continuation"
      require "puppetfn"
      runtime = Puppetfn::Runtime.new
      kept = nil
      passes = 0
      keep = -> { callcc { |continuation| kept ||= continuation } }
      begin
        p((#{code}))
      rescue => error
        puts "\#{error.class}: \#{error.message}"
      end
      p runtime.call_function("map", [1, 2]) { |value| value * 2 }, runtime.evaluate_string("[1, 2].filter |$x| { $x > 1 }")
    RUBY
    output, status = Open3.capture2e(RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), "-e", program)
    expect(status).to be_success, output
    answer, *others = output.lines(chomp: true)
    expect(others).to eq ["[2, 4]", "[2]"]
    answer
  end

  over = "Puppetfn::OperationError: a continuation has come back to a call that is over"
  {
    "a block, after the call" => <<~RUBY,
      result = runtime.call_function("map", [1, 2, 3]) { |value| keep.call; passes += 1; value }
      kept.call if passes < 9
      result
    RUBY
    "a block of an inner call" => <<~RUBY,
      runtime.call_function("map", [1, 2, 3]) do |value|
        runtime.call_function("filter", [1, 2]) { |_| keep.call; passes += 1 }
        kept.call if passes.between?(3, 9)
      end
    RUBY
    "a block that is called for the next element" => <<~RUBY,
      runtime.call_function("map", (1..40).to_a) { |_| keep.call; passes += 1; kept.call if passes == 30 }
    RUBY
    "a function in Ruby" => <<~RUBY
      $step = -> { keep.call; passes += 1 }
      Puppet::Functions.create_function(:step) { def step = $step.call }
      step = Puppet::Functions.create_function(:step) { def step = $step.call }.new(nil, nil)
      step.call(nil)
      kept.call if passes < 9
    RUBY
  }.each do |what, code|
    it "does not go back into #{what}" do
      expect(said(code)).to eq over
    end
  end

  it "lets a continuation go on within a block, and out of it" do
    expect(said(<<~RUBY)).to eq "[1, 2]"
      runtime.call_function("map", [1, 2]) { |value| kept = nil; keep.call; passes += 1; kept.call if passes < 5; value }
    RUBY
    expect(said('callcc { |out| runtime.call_function("each", [1, 2]) { |_| out.call(:out) } }')).to eq ":out"
  end

  it "resumes a fiber that waits in a block, after a reload as well" do
    expect(said(<<~RUBY)).to eq "[1, 2, 3, [2, 4, 6]]"
      fiber = Fiber.new { runtime.call_function("map", [1, 2, 3]) { |value| Fiber.yield(value); value * 2 } }
      [fiber.resume, fiber.resume].tap { runtime.reload } + [fiber.resume, fiber.resume]
    RUBY
  end

  it "refuses fibers and continuations of other threads" do
    elsewhere = "Thread.new { %s }.tap { |thread| thread.report_on_exception = false }.value"
    expect(said(<<~RUBY)).to eq "FiberError: fiber called across threads"
      fiber = Fiber.new { runtime.call_function("each", [1]) { |_| Fiber.yield } }
      fiber.resume
      #{format(elsewhere, "fiber.resume")}
    RUBY
    expect(said(<<~RUBY)).to eq "RuntimeError: continuation called across threads"
      runtime.call_function("each", [1]) { |_| keep.call; passes += 1 }
      #{format(elsewhere, "kept.call")} if passes < 9
    RUBY
  end

  it "forgets fibers that nobody resumes" do
    expect(said(<<~RUBY)).to eq ":forgotten"
      200.times { Fiber.new { runtime.call_function("each", [1]) { |_| Fiber.yield } }.resume }
      GC.start
      :forgotten
    RUBY
  end
end
