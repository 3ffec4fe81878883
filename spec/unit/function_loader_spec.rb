# frozen_string_literal: true

require_relative "../support/module_tree"

RSpec.describe Puppetfn::FunctionLoader do
  include ModuleTree

  def file(body) = {"mod/lib/puppet/functions/mod/f.rb" => body}

  def calling(body)
    with_runtime(file(body)) { |runtime, root| yield runtime, "#{root}/mod/lib/puppet/functions/mod/f.rb" }
  end

  it "makes a function of a file, once" do
    calling("$made = $made.to_i + 1\nPuppet::Functions.create_function(:'mod::f') { def f; $made; end }") do |runtime|
      expect(Array.new(3) { runtime.call_function("mod::f") }.uniq.size).to eq(1)
    end
  end

  it "makes it once for threads that ask at the same time" do
    body = "sleep 0.01\n$made_by_threads = $made_by_threads.to_i + 1\n" \
           "Puppet::Functions.create_function(:'mod::f') { def f; $made_by_threads; end }"
    calling(body) do |runtime|
      expect(Array.new(5) { Thread.new { runtime.call_function("mod::f") } }.map(&:value)).to eq([1] * 5)
    end
  end

  it "fails for an argument before it fails for the file" do
    calling("require 'no_such_library'\nPuppet::Functions.create_function(:'mod::f') { def f(x) = x }") do |runtime|
      expect { runtime.evaluate_string("mod::f(fail('the argument'))") }.to raise_error(/the argument/)
      expect { runtime.evaluate_string("mod::f(1)") }.to raise_error(/no_such_library/)
    end
  end

  it "says when a file has no create_function" do
    calling("1") do |runtime, path|
      expect { runtime.call_function("mod::f") }.to raise_error(ArgumentError,
        "The code loaded from #{path} does not seem to be a Puppet 4x API function - no create_function call.")
    end
  end

  it "says when a file does not end in a function" do
    calling("Puppet::Functions.create_function(:'mod::f') { def f; end }\n'x'") do |runtime, path|
      expect { runtime.call_function("mod::f") }.to raise_error(ArgumentError,
        "The code loaded from #{path} did not produce a Function class when evaluated. Got 'String'")
    end
  end

  it "says when the function has another name" do
    calling("Puppet::Functions.create_function(:'mod::g') { def g; end }") do |runtime, path|
      expect { runtime.call_function("mod::f") }.to raise_error(ArgumentError,
        "The code loaded from #{path} produced mis-matched name, expected 'mod::f', got mod::g")
    end
  end

  it "names the line of a syntax error" do
    calling("# Puppet::Functions.create_function\n\ndef (") do |runtime, path|
      expect { runtime.call_function("mod::f") }.to raise_error(SyntaxError, /\A#{Regexp.escape(path)}:3: /)
    end
  end

  it "tries again after a failure" do
    with_runtime(file("Puppet::Functions.create_function(:'mod::f') { raise 'not yet' }")) do |runtime, root|
      expect { runtime.call_function("mod::f") }
        .to raise_error(ArgumentError, "Function Load Error for function 'mod::f': not yet")
      File.write("#{root}/mod/lib/puppet/functions/mod/f.rb",
        "Puppet::Functions.create_function(:'mod::f') { def f; 1; end }")

      expect(runtime.call_function("mod::f")).to eq(1)
    end
  end

  it "reads UTF-8, with a byte order mark and in any locale" do
    body = "\uFEFFPuppet::Functions.create_function(:'mod::f') { def f; 'h\u00e9'; end }"
    calling(body) { |runtime| expect(runtime.call_function("mod::f")).to eq("h\u00e9") }
  end

  it "says when a file is not UTF-8" do
    calling("# Puppet::Functions.create_function h\xe9".b) do |runtime, _path|
      expect { runtime.call_function("mod::f") }
        .to raise_error(ArgumentError, "invalid byte sequence in UTF-8")
    end
  end

  it "gives the loader to a file that another file loads meanwhile" do
    files = {
      "mod/lib/puppet/functions/mod/outer.rb" => <<~RUBY,
        Puppet::Functions.create_function(:'mod::outer') do
          inner = loader.load(:function, 'mod::inner').call({})
          define_method(:outer) { [inner, call_function('mod::inner')] }
        end
      RUBY
      "mod/lib/puppet/functions/mod/inner.rb" =>
        "Puppet::Functions.create_function(:'mod::inner') { def inner; 'in'; end }"
    }
    with_runtime(files) { |runtime| expect(runtime.call_function("mod::outer")).to eq(%w[in in]) }
  end

  it "lets functions require files of their module, when loaded and when called" do
    files = {
      "mod/lib/puppetfn_spec_early.rb" => "PUPPETFN_SPEC_EARLY = 1",
      "mod/lib/puppetfn_spec_late.rb" => "PUPPETFN_SPEC_LATE = 2",
      "mod/lib/puppet/functions/mod/f.rb" => <<~RUBY
        require 'puppetfn_spec_early'
        Puppet::Functions.create_function(:'mod::f') do
          def f
            require 'puppetfn_spec_late'
            PUPPETFN_SPEC_EARLY + PUPPETFN_SPEC_LATE
          end
        end
      RUBY
    }
    with_runtime(files) { |runtime| expect(runtime.call_function("mod::f")).to eq(3) }
  end

  it "does not let a module replace a library of the host" do
    files = {"mod/lib/set.rb" => "raise 'the wrong one'",
             **file("require 'set'\nPuppet::Functions.create_function(:'mod::f') { def f; Set.new.size; end }")}
    with_runtime(files) { |runtime| expect(runtime.call_function("mod::f")).to eq(0) }
  end

  it "leaves the load path alone until a function in Ruby is loaded" do
    with_runtime(file("")) do |_, root|
      expect($LOAD_PATH.grep(/\A#{Regexp.escape(root)}/)).to be_empty
    end
  end

  it "keeps constants of a file out of the host" do
    calling("class PuppetfnSpecHelper; end\nPuppet::Functions.create_function(:'mod::f') { def f; 1; end }") do |runtime|
      expect(runtime.call_function("mod::f")).to eq(1)
      expect(Object.const_defined?(:PuppetfnSpecHelper)).to be(false)
    end
  end

  it "finds a function in any case and with leading colons" do
    calling("Puppet::Functions.create_function(:'mod::f') { def f; 1; end }") do |runtime|
      expect(%w[mod::f ::mod::f MOD::F].map { |name| runtime.call_function(name) }).to eq([1, 1, 1])
    end
  end

  it "says when there is no such function" do
    expect { Puppetfn::Runtime.new.call_function("no::such") }.to raise_error(ArgumentError, "Unknown function 'no::such'")
  end
end
