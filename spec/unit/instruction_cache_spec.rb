# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"
require "tmpdir"
require "puppetfn/instruction_cache"

RSpec.describe Puppetfn::InstructionCache do
  around { |example| Dir.mktmpdir("instructions") { |directory| Dir.chdir(directory) { example.run } } }

  let(:library) { File.realpath(FileUtils.mkdir_p("library").first) }
  let(:file) { File.join(library, "answer.rb") }
  let(:cache) { File.join(Dir.pwd, "cache", "instructions") }

  before { write("Answer = 42\n") }

  def write(source)
    File.write(file, source)
  end

  # Loads files in a Ruby of their own that caches instructions. Prints the value of the code, and how many files it took from the cache.
  def run(code, *options)
    program = <<~RUBY
      require "puppetfn/instruction_cache"
      cache = Puppetfn::InstructionCache.new(#{cache.inspect}, [#{library.inspect}])
      hits = 0
      taken = RubyVM::InstructionSequence.method(:load_from_binary)
      Puppetfn::InstructionCache.send(:remove_const, :LOAD)
      Puppetfn::InstructionCache.const_set(:LOAD, ->(binary) { (hits += 1) && taken.call(binary) })
      RubyVM::InstructionSequence.define_singleton_method(:load_iseq) { |path| cache.fetch(path) }
      value = begin
        #{code}
      rescue StandardError, SyntaxError => e
        e.class.name
      end
      cache.save
      puts [value, hits].inspect
    RUBY
    output, errors, status = Open3.capture3(RbConfig.ruby, *options, "-I", File.expand_path("../../lib", __dir__), "-e", program)
    raise errors unless status.success?

    [output, errors]
  end

  def load_answer(*options)
    run("load(#{file.inspect}); Answer", *options)
  end

  it "loads a file of the second run on from the cache" do
    expect(Array.new(3) { load_answer }).to eq([["[42, 0]\n", ""], ["[42, 1]\n", ""], ["[42, 1]\n", ""]])
  end

  it "compiles a file again that has changed" do
    load_answer
    write("Answer = 43\n")
    expect([load_answer, load_answer]).to eq([["[43, 0]\n", ""], ["[43, 1]\n", ""]])
  end

  it "notices that a file of the same size and time was put in place" do
    load_answer
    times = File.stat(file)
    File.write("other", "Answer = 44\n")
    File.utime(times.atime, times.mtime, "other")
    File.rename("other", file)
    expect(load_answer).to eq(["[44, 0]\n", ""])
  end

  it "leaves other files alone" do
    File.write("elsewhere.rb", "Elsewhere = 1\n")
    code = "load(#{File.expand_path("elsewhere.rb").inspect}); Elsewhere"
    expect([run(code), run(code), File.exist?(cache)]).to eq([["[1, 0]\n", ""], ["[1, 0]\n", ""], false])
  end

  it "lets a file warn in each run" do
    write("Answer = {a: 1, a: 2}.size\n")
    warning = "#{file}:1: warning: key :a is duplicated and overwritten on line 1\n"
    expect([load_answer, load_answer]).to eq([["[1, 0]\n", warning], ["[1, 0]\n", warning]])
  end

  it "leaves files to Ruby when it shows all warnings" do
    write("unused = 1; Answer = 42\n")
    load_answer
    output, errors = load_answer("-w")
    expect([output, errors.lines.grep(/unused/).size]).to eq(["[42, 0]\n", 1])
  end

  it "leaves files to Ruby while coverage is measured" do
    load_answer
    code = "require 'coverage'; Coverage.start; load(#{file.inspect}); Coverage.result[#{file.inspect}]"
    expect(run(code)).to eq(["[[1], 0]\n", ""])
  end

  it "shows errors of a file as Ruby does" do
    write("def answer\n  nil.thing\nend\n")
    code = "load(#{file.inspect}); begin; answer; rescue => e; [e.message, e.backtrace.first]; end"
    expect(Array.new(2) { run(code)[0].sub(/, \d+\]$/, "") }.uniq.size).to eq(1)
    write("Answer = (\n")
    expect([load_answer, load_answer].map(&:first)).to eq(%W[["SyntaxError",\ 0]\n ["SyntaxError",\ 0]\n])
  end

  it "does not depend on methods that examples stub" do
    load_answer
    expect(run("def File.stat(*) = raise('stubbed'); def File.read(*) = raise('stubbed'); load(#{file.inspect}); Answer"))
      .to eq(["[42, 1]\n", ""])
  end

  it "reads no cache that is damaged, of another Ruby or that others can write" do
    load_answer
    whole = File.binread(cache)
    damaged = {
      truncated: whole[0, whole.bytesize - 1], empty: "", short: whole[0, 20],
      other_ruby: whole.sub(RUBY_DESCRIPTION) { |text| text.sub("ruby", "rbuy") }
    }
    expect(damaged.transform_values { |content| File.binwrite(cache, content) && load_answer.first }.uniq)
      .to eq([[:truncated, "[42, 0]\n"], [:empty, "[42, 0]\n"], [:short, "[42, 0]\n"], [:other_ruby, "[42, 0]\n"]])
    File.chmod(0o666, cache)
    expect([load_answer, load_answer].map(&:first)).to eq(%W[[42,\ 0]\n [42,\ 1]\n])
    expect(File.stat(cache).mode.to_s(8)).to eq("100600")
  end

  it "compiles a file again whose instructions are not as they were written" do
    load_answer
    whole = File.binread(cache)
    length = whole.unpack1("Q")
    outcomes = (0...8).map do |part|
      damaged = whole.dup
      place = 12 + length + ((whole.bytesize - 12 - length) * part / 8)
      damaged.setbyte(place, damaged.getbyte(place) ^ 0xff)
      File.binwrite(cache, damaged)
      [load_answer, load_answer].map(&:first)
    end
    expect(outcomes.uniq).to eq([%W[[42,\ 0]\n [42,\ 1]\n]])
  end

  it "reads no index that is not as it was written" do
    write("42\n")
    run("load(#{file.inspect})")
    whole = File.binread(cache)
    outcomes = (0...whole.unpack1("Q") + 12).step(7).map do |place|
      File.binwrite(cache, whole.dup.tap { |text| text.setbyte(place, text.getbyte(place) ^ 0x55) })
      Puppetfn::InstructionCache.new(cache, [library]).fetch(file).eval
    end
    expect(outcomes.uniq).to eq([42])
  end

  it "reads no cache of a directory that others can write, or a file of another user" do
    load_answer
    File.chmod(0o777, File.dirname(cache))
    expect(load_answer.first).to eq("[42, 0]\n")
    File.chmod(0o700, File.dirname(cache))
    expect(load_answer.first).to eq("[42, 1]\n")
    skip "only root can give files away" unless Process.uid.zero?

    File.chown(65_534, nil, cache)
    expect([load_answer, load_answer].map(&:first)).to eq(%W[[42,\ 0]\n [42,\ 1]\n])
    File.chown(65_534, nil, File.dirname(cache))
    expect(load_answer.first).to eq("[42, 0]\n")
  end

  it "is written by puppetfn test, in CI only if there is one" do
    Dir.mkdir("spec")
    File.write("spec/a_spec.rb", "RSpec.describe('a') { it { expect(1).to eq(1) } }\n")
    command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), "test", "spec/a_spec.rb"]
    found = ["true", nil, "true"].map do |ci|
      output, _, status = Open3.capture3({"XDG_CACHE_HOME" => Dir.pwd, "CI" => ci}, *command)
      [output[/\d+ examples?.*/], status.exitstatus, Dir.glob("puppetfn/ruby/*").map { |path| File.basename(path) }]
    end
    name = "#{RUBY_VERSION}-#{RUBY_PLATFORM}"
    expect(found.map(&:last)).to eq([[], [name], [name]])
    expect(found.map { |result| result.first(2) }.uniq).to eq([["1 example, 0 failures", 0]])
  end
end
