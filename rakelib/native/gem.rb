# frozen_string_literal: true

require "fileutils"
require "rubygems/package"
require "tmpdir"
require_relative "platform"
require_relative "profile"
require_relative "rubies"
require_relative "symbols"

module Native
  # The gem of a platform, which has the extension for several Rubies and needs nothing to be installed.
  class Gem
    # Cargo's profile. The one of `gem install` takes half the time.
    PROFILE = ENV.fetch("PROFILE", "dist")
    private_constant :PROFILE

    # @param target_dir [String] Cargo's, which keeps Rubies and extensions, too
    def initialize(platform, target_dir)
      @platform = platform
      @target_dir = target_dir
      @rubies = Rubies.new(File.join(target_dir, "rubies"))
      @profile = ExtensionProfile.new(platform.target, PROFILE, target_dir)
    end

    # Builds the extension for each Ruby whose headers can be had, and checks it.
    #
    # @param minors [Array<String>] versions of Ruby
    def compile(minors = Rubies.minors)
      abort "extensions for #{@platform.name} are compiled there: docs/platforms.md says how" unless @platform.cross

      minors.each do |minor|
        root = @rubies.root(@platform.cpu, minor) or next

        cargo(ruby_of(root))
        keep(minor, File.join(@target_dir, @platform.target, PROFILE, "libpuppetfn_ext.so"))
      end
    end

    # Packs the extensions that there are.
    #
    # @return [String] the gem's path
    def pack
      libraries = Dir.glob(kept("*")).to_h { |path| [File.basename(File.dirname(path)), path] }
      abort "there is no extension for #{@platform.name}: #{kept("*")}" if libraries.empty?
      Dir.mktmpdir("puppetfn-gem-") { |directory| pack_in(directory, libraries) }
    end

    private

    # Where the extension for a Ruby is kept until it is packed.
    def kept(minor)
      File.join(@target_dir, "gems", @platform.name, minor, "puppetfn.#{@platform.suffix}")
    end

    def keep(minor, built)
      problems = Symbols.new(built).problems(@platform, Symbols.new(@rubies.shared_object(@platform.cpu, minor)).defined)
      abort "the extension for Ruby #{minor} on #{@platform.name} does not load there: #{problems.first(5).join("; ")}" if problems.any?

      FileUtils.mkdir_p(File.dirname(kept(minor)))
      FileUtils.cp(built, kept(minor))
      puts format("%<name>s, Ruby %<minor>s: %<size>.1f MB", name: @platform.name, minor: minor, size: File.size(built) / 1e6)
    end

    # A program that answers as that Ruby does when it is asked for its configuration, which is all that the build asks.
    def ruby_of(root)
      program = File.join(root, "ruby")
      File.write(program, "#!/bin/sh\nexec cat '#{root}/config'\n")
      File.chmod(0o755, program)
      program
    end

    def cargo(ruby)
      # Rust links all for musl statically unless told, which a library that Ruby loads cannot be.
      flags = @platform.musl? ? ["-Ctarget-feature=-crt-static"] : []
      environment = {"RUBY" => ruby, "CARGO_TARGET_DIR" => @target_dir, **@profile.environment(flags)}
      system(environment, "cargo", "zigbuild", "--quiet", "--profile", PROFILE, "--locked", "--package", "puppetfn-ext",
             "--target", @platform.build_target, exception: true)
    end

    def pack_in(directory, libraries)
      specification = specification(libraries.keys)
      copy = lambda do |from, to|
        FileUtils.mkdir_p(File.dirname(File.join(directory, to)))
        FileUtils.cp(from, File.join(directory, to))
        to
      end
      specification.files = specification.files.map { |file| copy.(file, file) } +
        libraries.map { |minor, path| copy.(path, "lib/puppetfn/#{minor}/#{File.basename(path)}") }

      FileUtils.mkdir_p("pkg")
      output = File.expand_path("pkg/puppetfn-#{specification.version}-#{@platform.name}.gem")
      Dir.chdir(directory) { ::Gem::Package.build(specification, true, false, output) }
      output
    end

    # The source gem's, without what is compiled.
    def specification(minors)
      specification = ::Gem::Specification.load("puppetfn.gemspec").dup
      specification.platform = @platform.to_gem
      specification.extensions = []
      specification.files = specification.files.grep_v(%r{\A(src|crates|ext)/|\ACargo\.})
      oldest, newest = minors.minmax_by { |minor| ::Gem::Version.new(minor) }
      specification.required_ruby_version = [">= #{oldest}", "< #{newest.succ}.dev"]
      specification
    end
  end
end
