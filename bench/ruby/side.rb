# frozen_string_literal: true

module Bench
  MODULEPATH = ENV.fetch("PUPPETFN_MODULEPATH", "/usr/share/puppet/modules").split(File::PATH_SEPARATOR).freeze

  # Some manifests of the modules, 100 kilobytes in all.
  def self.manifests
    files = MODULEPATH.flat_map { |directory| Dir.glob("#{directory}/*/manifests/**/*.pp") }.sort
    left = 100_000
    files.shuffle(random: Random.new(1)).map { |file| File.read(file, encoding: Encoding::UTF_8) }
      .take_while { |code| left.positive? && (left -= code.bytesize) }
  end

  # Real Puppet: what differs from puppetfn beyond the API that they share.
  module PuppetSide
    # A whole program that calls one function of a module.
    FIRST_CALL = <<~RUBY
      require "puppet_pal"
      require "tmpdir"
      Dir.mktmpdir do |dir|
        Puppet.initialize_settings(["--vardir", dir, "--confdir", dir])
        Puppet::Pal.in_tmp_environment("bench", modulepath: #{MODULEPATH.inspect}, facts: {}) do |pal|
          pal.with_script_compiler { |compiler| compiler.call_function("stdlib::extname", "a.rb") == ".rb" or abort }
        end
      end
    RUBY

    def self.prepare
      require "puppet"
      require "puppet_pal"
      require "tmpdir"
    end

    def self.type(text)
      ::Puppet::Pops::Types::TypeParser.singleton.parse(text)
    end

    def self.infer(value)
      ::Puppet::Pops::Types::TypeCalculator.infer(value)
    end

    def self.read(code)
      ::Puppet::Pops::Parser::EvaluatingParser.singleton.parse_string(code)
    end

    def self.call_function(name, *args, &block)
      compiler.call_function(name, *args, &block)
    end

    def self.evaluate(code)
      compiler.evaluate_string(code)
    end

    # Evaluates what can be defined once only.
    def self.define(code)
      (@defined ||= {})[code] ||= evaluate(code) || true
    end

    def self.compiler
      @compiler ||= start_compiler
    end
    private_class_method :compiler

    # The compiler exists within blocks: a fiber stays there.
    def self.start_compiler
      @fiber = Fiber.new do
        Dir.mktmpdir do |dir|
          ::Puppet.initialize_settings(["--vardir", dir, "--confdir", dir])
          ::Puppet::Pal.in_tmp_environment("bench", modulepath: [], facts: {}) do |pal|
            pal.with_script_compiler { |compiler| Fiber.yield(compiler) }
          end
        end
      end
      @fiber.resume
    end
    private_class_method :start_compiler
  end

  # puppetfn, likewise.
  module PuppetfnSide
    FIRST_CALL = <<~RUBY
      require "puppetfn"
      runtime = Puppetfn::Runtime.new(modulepath: #{MODULEPATH.inspect})
      runtime.call_function("stdlib::extname", "a.rb") == ".rb" or abort
    RUBY

    def self.prepare
      require "puppetfn"
      @runtime = ::Puppetfn::Runtime.new(modulepath: [])
    end

    def self.type(text)
      @runtime.type(text)
    end

    def self.infer(value)
      @runtime.infer(value)
    end

    def self.read(code)
      @runtime.parse_string(code)
    end

    def self.call_function(name, *args, &block)
      @runtime.call_function(name, *args, &block)
    end

    def self.evaluate(code)
      @runtime.evaluate_string(code)
    end

    def self.define(code)
      (@defined ||= {})[code] ||= evaluate(code) || true
    end
  end

  SIDES = {"puppet" => PuppetSide, "puppetfn" => PuppetfnSide}.freeze
end
