# frozen_string_literal: true

require "tmpdir"

# Bad input gives a clear exception and leaves the process in order.
RSpec.describe Puppetfn::Runtime do
  def with_modules(files)
    Dir.mktmpdir do |root|
      files.each do |path, content|
        FileUtils.mkdir_p(File.dirname(File.join(root, path)))
        File.write(File.join(root, path), content)
      end
      yield described_class.new(modulepath: [root])
    end
  end

  def function(name, *params)
    declared = params.each_with_index.map { |type, index| "param #{type.inspect}, :p#{index}" }
    names = params.each_index.map { |index| "p#{index}" }.join(", ")
    <<~RUBY
      Puppet::Functions.create_function(:"#{name}") do
        dispatch :run do
          #{declared.join("\n    ")}
        end
        def run(#{names})
          [#{names}].size
        end
      end
    RUBY
  end

  def runtime_with(*params)
    with_modules("m/lib/puppet/functions/m/f.rb" => function("m::f", *params)) { |runtime| yield runtime }
  end

  # A process that aborts would take RSpec with it; the last line shows that this one goes on.
  after { expect(described_class.new.type("Integer")).to be_a(Puppetfn::Type) }

  it "says what is wrong with a value" do
    runtime_with("Integer[1]") do |runtime|
      expect { runtime.call_function("m::f", 0) }
        .to raise_error(ArgumentError, "'m::f' parameter 'p0' expects an Integer[1] value, got Integer[0, 0]")
      expect { runtime.call_function("m::f", "x") }
        .to raise_error(ArgumentError, "'m::f' parameter 'p0' expects an Integer value, got String")
    end
  end

  it "says how many arguments are expected" do
    runtime_with("Integer") do |runtime|
      expect { runtime.call_function("m::f") }.to raise_error(ArgumentError, "'m::f' expects 1 argument, got none")
      expect { runtime.call_function("m::f", 1, 2) }.to raise_error(ArgumentError, "'m::f' expects 1 argument, got 2")
    end
  end

  it "names a function that is missing" do
    expect { described_class.new.call_function("no::such") }.to raise_error(ArgumentError, /Unknown function.*no::such/)
  end

  it "names the file and line of a syntax error" do
    with_modules("m/lib/puppet/functions/m/f.rb" => "Puppet::Functions.create_function(:'m::f') do\n  def f(\nend\n") do |runtime|
      expect { runtime.call_function("m::f") }.to raise_error(ScriptError, %r{m/lib/puppet/functions/m/f\.rb:[23]})
    end
  end

  it "passes strings that are not UTF-8 to functions in Ruby as they are" do
    strings = ["a\xffb", "\xe9bc".dup.force_encoding("ISO-8859-1"), "\xfe\xff\x00".b]
    ["String", "String[3, 3]", "ScalarData", "Data", "Iterable", "Variant[Integer, String]"].each do |type|
      runtime_with("Array[#{type}]") { |runtime| expect(runtime.call_function("m::f", strings)).to eq(1) }
      expect(strings.map { |string| Puppetfn::Type.parse(type).instance?(string) }).to all(be(true))
    end
  end

  it "knows nothing of a string that is not UTF-8 but its length" do
    ["String[4]", "Enum['a']", "Pattern[/a/]", "Integer"].each do |type|
      runtime_with(type) do |runtime|
        expect { runtime.call_function("m::f", "a\xffb") }.to raise_error(ArgumentError, /'m::f' parameter 'p0' expects/)
      end
    end
    expect(Puppetfn::Type.infer_set("a\xffb").to_s).to eq("String[3, 3]")
  end

  it "refuses a string that is not UTF-8 where the core has to hold it" do
    runtime = described_class.new
    expect { runtime.call_function("strip", "a\xffb") }.to raise_error(Puppetfn::ValueError, /UTF-8 at byte 1/)
    expect { runtime.call_function("upcase", "\xe9".dup.force_encoding("ISO-8859-1")) }
      .to raise_error(Puppetfn::ValueError, /ISO-8859-1/)
    expect(runtime.call_function("size", "é".b)).to eq(1)
  end

  it "takes an integer of any size, and computes with those of at most 4,000 digits" do
    runtime_with("Integer") do |runtime|
      [(2**63) - 1, -(2**63), 2**63, 2**1_000_000].each { |number| expect(runtime.call_function("m::f", number)).to eq(1) }
      expect { runtime.call_function("join", [10**5000]) }.to raise_error(Puppetfn::ValueError, /4,000 digits/)
      expect { runtime.call_function("join", [2**1_000_000]) }.to raise_error(Puppetfn::ValueError, /4,000 digits/)
    end
  end

  it "refuses an array that contains itself" do
    itself = [1]
    itself << itself
    runtime_with("Data") do |runtime|
      expect { runtime.call_function("m::f", itself) }.to raise_error(Puppetfn::LimitError, /containing itself/)
    end
    runtime_with("Integer") do |runtime|
      expect { runtime.call_function("m::f", itself) }.to raise_error(Puppetfn::LimitError, /containing itself/)
    end
  end

  it "refuses a hash that contains itself" do
    itself = {}
    itself["me"] = itself
    runtime_with("Data") do |runtime|
      expect { runtime.call_function("m::f", itself) }.to raise_error(Puppetfn::LimitError, /containing itself/)
    end
  end

  it "refuses values nested 10,000 deep" do
    deep = 10_000.times.inject(1) { |inner, _| [inner] }
    deep_hash = 10_000.times.inject(1) { |inner, _| {"k" => inner} }
    runtime_with("Data") do |runtime|
      expect { runtime.call_function("m::f", deep) }.to raise_error(Puppetfn::LimitError, /nesting/)
      expect { runtime.call_function("m::f", deep_hash) }.to raise_error(Puppetfn::LimitError, /nesting/)
    end
    runtime_with("Integer") do |runtime|
      expect { runtime.call_function("m::f", deep_hash) }.to raise_error(Puppetfn::LimitError, /nesting/)
    end
  end

  it "passes what need not be looked at" do
    deep = 10_000.times.inject(1) { |inner, _| [inner] }
    runtime_with("Any") do |runtime|
      expect(runtime.call_function("m::f", deep)).to eq(1)
      expect(runtime.call_function("m::f", "\xff")).to eq(1)
      expect(runtime.call_function("m::f", 2**64)).to eq(1)
    end
  end

  it "refuses types nested 10,000 deep" do
    text = "#{"Array[" * 10_000}Integer#{"]" * 10_000}"
    expect { described_class.new.type(text) }.to raise_error(Puppetfn::LimitError, /syntax/)
  end

  it "checks deep values on the small stacks of threads and fibers", :stacks do
    deep = 400.times.inject(1) { |inner, _| {"k" => [inner]} }
    check = -> { described_class.new.type("Data").instance?(deep) rescue $!.class }
    expect([Thread.new(&check).value, Fiber.new(&check).resume]).to all(eq(Puppetfn::LimitError))
    deep = 80.times.inject(1) { |inner, _| {"k" => [inner]} }
    expect([Thread.new(&check).value, Fiber.new(&check).resume]).to all(be(true))
  end
end
