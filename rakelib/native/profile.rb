# frozen_string_literal: true

require "fileutils"
require "open3"
require "rbconfig"
require "tmpdir"

module Native
  # A profile of what users wait for (bench/training.rb), by which the compiler decides what to inline and how to lay out code. It is
  # made for the platform of this machine, as the training runs here; extensions for other platforms are compiled without one.
  class Profile
    # The files that the training needs, and Cargo.toml for the version.
    COPIED = %w[bench exe lib vectors Cargo.toml].freeze
    # The files that a profile is of.
    SOURCES = %w[Cargo.lock Cargo.toml bench/training.rb crates/*/src/**/*.rs ext/puppetfn/src/**/*.rs].freeze
    private_constant :COPIED, :SOURCES

    # @param target [String] Rust's name of the platform
    # @param cargo_profile [String]
    # @param target_dir [String] Cargo's
    def initialize(target, cargo_profile, target_dir)
      @target, @cargo_profile, @target_dir = target, cargo_profile, target_dir
    end

    # Returns the compiler's flag for the profile, which is made unless there is one of these sources.
    #
    # @return [String, nil] nil if the Ruby of this machine cannot load an extension for the target
    def flag
      return unless @target == host

      make unless FileUtils.uptodate?(data, Dir.glob(SOURCES))
      "-Cprofile-use=#{data}"
    end

    private

    def data
      File.join(@target_dir, "profiles", "#{@target}.profdata")
    end

    def make
      # Looked up before the compilation, which takes minutes.
      merger = self.merger
      compile
      Dir.mktmpdir("puppetfn-profile-") do |root|
        train(root)
        FileUtils.mkdir_p(File.dirname(data))
        run({}, merger, "merge", "--output", data, *Dir.glob("#{root}/counts/*.profraw"))
      end
    end

    def compile
      puts "#{@target}: compiling with counters"
      environment = {"CARGO_TARGET_DIR" => @target_dir, "CARGO_TARGET_#{@target.upcase.tr("-", "_")}_RUSTFLAGS" => "-Cprofile-generate"}
      run(environment, "cargo", "build", "--quiet", "--locked", "--profile", @cargo_profile, "--package", "puppetfn-ext", "--target", @target)
    end

    # Runs the training in a copy of its files: the checkout keeps its own library.
    def train(root)
      puts "#{@target}: running the training"
      FileUtils.cp_r(COPIED, root)
      FileUtils.rm_f(Dir.glob("#{root}/lib/puppetfn/**/puppetfn*.so"))
      FileUtils.cp(File.join(@target_dir, @target, @cargo_profile, "libpuppetfn_ext.so"), "#{root}/lib/puppetfn/puppetfn.so")
      # A file of counts for each process.
      run({"LLVM_PROFILE_FILE" => "#{root}/counts/%p.profraw"}, RbConfig.ruby, "#{root}/bench/training.rb")
    end

    def host
      @host ||= rustc("-vV")[/^host: (.+)$/, 1]
    end

    # @return [String] the program of the compiler that merges counts
    def merger
      path = File.join(rustc("--print", "sysroot").chomp, "lib", "rustlib", host, "bin", "llvm-profdata")
      File.exist?(path) ? path : abort("llvm-profdata is missing: `rustup component add llvm-tools` installs it")
    end

    def rustc(*arguments)
      Open3.capture2("rustc", *arguments).first
    end

    def run(environment, *command)
      system(environment, *command) || abort("#{command.first(3).join(" ")} failed")
    end
  end
end
