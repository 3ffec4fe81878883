# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"

# What code that makes much of little takes: it ends with an error that names the limit, where there is little memory,
# too.
RSpec.describe Puppetfn, ".limits[:memory]" do
  # Code that doubles a value until it is as large as asked.
  def grown(first, more, size)
    "$big = Integer[1, 100].reduce(#{first}) |$x, $n| { if $x.length < #{size} { #{more} } else { $x } }"
  end

  let(:text) { grown("'aaa'", '"${x}${x}"', 30_000_000) }
  let(:array) { grown("[1]", "$x + $x", 2_000_000) }
  let(:programs) do
    [
      "Integer[1, 9223372036854775807].map |$x| { $x }",
      "Integer[1, 9223372036854775807].map |$x| { [$x] }",
      "Integer[1, 9223372036854775807].filter |$x| { true }",
      "Integer[1, 9000000].map |$x| { \"abc${x}\" }",
      "#{grown("'x'", '"${x}${x}"', 400_000)} Integer[1, 20000].map |$i| { \"${big}${i}\" }",
      "Integer[1, 9000000].reduce({}) |$x, $n| { $x + {$n => \"a${n}\"} }",
      "Integer[1, 9000000].map |$x| { $y = \"abc${x}\" Deferred('x', [$y]) }",
      "#{text} $big.split('')",
      "#{text} $big.split('a')",
      "#{text} $big.split(/(a)/)",
      "#{text} Array(Binary($big, '%s'))",
      "#{text} [$big.upcase, \"${big}b\", \"${big}c\", \"${big}d\", \"${big}e\", \"${big}f\", \"${big}g\", \"${big}h\"]",
      "#{array} Integer[1, 100].map |$i| { $big + [$i] }",
      "#{array} Integer[1, 100].map |$i| { $big.map |$x| { \"${x}\" } }"
    ]
  end

  around do |example|
    before = described_class.limits
    example.run
  ensure
    described_class.limits = before
  end

  it "is a quarter of what there is, unless it is changed" do
    default = described_class.limits[:memory]
    expect(default).to be_between(16 << 20, 1 << 50)
    described_class.limits = {memory: 1_000_000}
    expect(described_class.limits[:memory]).to eq(1_000_000)
    described_class.limits = {memory: nil}
    expect(described_class.limits[:memory]).to eq(default)
  end

  # Evaluates programs in a new process, as the limit does not see memory that a process reuses.
  def answers(codes, before: "", **options)
    script = <<~RUBY
      require "json"
      require "puppetfn"
      #{before}
      JSON.parse($stdin.read).each do |code|
        puts Puppetfn::Runtime.new.evaluate_string(code).inspect.slice(0, 200)
      rescue Puppetfn::LimitError => e
        puts e.message.lines.first
      end
    RUBY
    command = [RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), "-e", script]
    output, status = Open3.capture2e(*command, stdin_data: JSON.generate(codes), **options)
    expect(status).to be_success, output
    output.lines(chomp: true)
  end

  it "ends what takes more, and nothing that lets go of what it made", :memory do
    big = grown("'x'", '"${x}${x}"', 4_000_000)
    kept = "#{big} Integer[1, 100].map |$i| { \"${big}${i}\" }"
    passing = "#{big} Integer[1, 100].map |$i| { \"${big}${i}\".length }.unique"
    expect(answers([kept, passing], before: "Puppetfn.limits = {memory: 100_000_000}")).to match(
      [/takes more than 100000000 bytes of memory \(limit 'memory'; raise it with/, "[4194305, 4194306, 4194307]"]
    )
  end

  it "ends every program in a process of 1 GiB", :memory do
    # 1 GiB of address space; the limit is a quarter of that.
    expect(answers(programs, rlimit_as: 1 << 30)).to all(match(/limit '(memory|elements)'/)).and have_attributes(size: programs.size)
  end
end
