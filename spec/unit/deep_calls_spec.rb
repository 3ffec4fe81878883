# frozen_string_literal: true

require "tmpdir"

# Calls that nest without end are an error, on any stack. The process would end here if they were not.
RSpec.describe Puppetfn::Runtime, "with calls that nest deep", :stacks do
  ruby = lambda do |name, body|
    "Puppet::Functions.create_function(:'#{name}') do\n  dispatch(:run) { param 'Integer', :n }\n  def run(n) = #{body}\nend\n"
  end
  let(:modulepath) { Dir.mktmpdir }
  let(:runtime) { described_class.new(modulepath: [modulepath]) }

  files = {
    "p/functions/puppet.pp" => "function p::puppet($n) { if $n == 0 { 0 } else { 1 + p::puppet($n - 1) } }",
    "p/functions/blocks.pp" => "function p::blocks($n) { [$n].map |$x| { if $x == 0 { 0 } else { p::blocks($x - 1)[0] + 1 } } }",
    "p/functions/mixed.pp" => "function p::mixed($n) { if $n == 0 { 0 } else { 1 + r::mixed($n - 1) } }",
    "r/lib/puppet/functions/r/mixed.rb" => ruby.call("r::mixed", "call_function('p::mixed', n)"),
    "r/lib/puppet/functions/r/ruby.rb" => ruby.call("r::ruby", "n.zero? ? 0 : 1 + call_function('r::ruby', n - 1)"),
    "r/lib/puppet/functions/r/evaluate.rb" =>
      ruby.call("r::evaluate", "n.zero? ? 0 : 1 + Puppetfn::Runtime.current.evaluate_string(\"r::evaluate(\#{n - 1})\")")
  }
  before do
    files.each do |path, content|
      FileUtils.mkdir_p(File.dirname(File.join(modulepath, path)))
      File.write(File.join(modulepath, path), content)
    end
  end

  after { FileUtils.rm_r(modulepath) }

  stacks = {
    "the main thread" => ->(&run) { run.call },
    "a thread" => ->(&run) { Thread.new(&run).value },
    "a fiber" => ->(&run) { Fiber.new(&run).resume },
    "a fiber of a thread" => ->(&run) { Thread.new { Fiber.new(&run).resume }.value },
    "an enumerator" => ->(&run) { Enumerator.new { |found| found << run.call }.next }
  }

  # What code gives, or the class of the error that says that it nests too deep.
  def outcome(code)
    runtime.evaluate_string(code)
  rescue Puppetfn::LimitError => e
    expect(e.message).to match(/\(limit '(calls|stack|syntax)'; raise it with |\(RUBY_THREAD_VM_STACK_SIZE and /)
    e.class
  end

  stacks.each do |stack, run|
    it "ends in an error on the stack of #{stack}" do
      %w[p::puppet p::mixed r::ruby r::evaluate].each do |function|
        expect(run.call { outcome("#{function}(20)") }).to eq(20), function
        expect(run.call { outcome("#{function}(100000)") }).to eq(Puppetfn::LimitError)
        expect(run.call { outcome("#{function}(20)") }).to eq(20), function
      end
      expect(run.call { outcome("p::blocks(20)[0]") }).to eq(20)
      expect(run.call { outcome("p::blocks(100000)") }).to eq(Puppetfn::LimitError)
    end

    it "evaluates or refuses code that nests deep on the stack of #{stack}" do
      [10, 50, 100, 150, 200, 250, 300, 10_000].each do |depth|
        code = "#{depth.times.map { |level| "#{level.zero? ? 1 : "$x"}.with |$x| { " }.join}$x#{" }" * depth}"
        expect([1, Puppetfn::LimitError]).to include(run.call { outcome(code) })
        expect(run.call { outcome(code) }).to eq(1) if depth <= 50
      end
    end
  end
end
