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

  it "ends what takes more, and nothing that lets go of what it made", :memory do
    described_class.limits = {memory: 100_000_000}
    big = grown("'x'", '"${x}${x}"', 4_000_000)
    expect { Puppetfn::Runtime.new.evaluate_string("#{big} Integer[1, 100].map |$i| { \"${big}${i}\" }") }
      .to raise_error(Puppetfn::LimitError, /takes more than 100000000 bytes of memory \(limit 'memory'; raise it with/)
    passing = "#{big} Integer[1, 100].map |$i| { \"${big}${i}\".length }.unique"
    expect(Puppetfn::Runtime.new.evaluate_string(passing)).to eq([4_194_305, 4_194_306, 4_194_307])
  end

  it "ends every program in a process of 1 GiB", :memory do
    script = <<~RUBY
      require "json"
      require "puppetfn"
      JSON.parse($stdin.read).each do |code|
        Puppetfn::Runtime.new.evaluate_string(code)
        puts "an answer"
      rescue Puppetfn::LimitError => e
        puts e.message[/limit '\\w+'/]
      end
    RUBY
    command = [RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), "-e", script]
    # 1 GiB of address space; the limit is a quarter of that.
    output, status = Open3.capture2e(*command, stdin_data: JSON.generate(programs), rlimit_as: 1 << 30)
    expect(output.lines(chomp: true)).to match_array([/\Alimit '(memory|elements)'\z/] * programs.size)
    expect(status).to be_success
  end
end
