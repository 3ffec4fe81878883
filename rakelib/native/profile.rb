# frozen_string_literal: true

require "fileutils"
require "open3"
require "rbconfig"
require "tmpdir"

module Native
  # A profile of what users wait for (bench/training.rb), by which the compiler decides what to inline and how to lay out code. The
  # training runs here, so that there are profiles for platforms only whose programs or extensions run on this machine.
  class Profile
    # The files that a profile is of.
    SOURCES = %w[Cargo.lock Cargo.toml bench/training.rb bench/training/**/* crates/*/src/**/*.rs ext/puppetfn/src/**/*.rs].freeze
    private_constant :SOURCES

    # @param target [String] Rust's name of the platform
    # @param cargo_profile [String]
    # @param target_dir [String] Cargo's
    def initialize(target, cargo_profile, target_dir)
      @target, @cargo_profile, @target_dir = target, cargo_profile, target_dir
    end

    # Returns the variable that makes Cargo compile for the target by the profile, which is made unless there is one of these
    # sources.
    #
    # @param flags [Array<String>] further flags of the compiler
    # @return [Hash{String=>String}] empty if there are no flags, and what is compiled does not run on this machine
    def environment(flags = [])
      if runs_here?
        make unless FileUtils.uptodate?(data, Dir.glob(SOURCES))
        flags += ["-Cprofile-use=#{data}"]
      end
      flags.empty? ? {} : {flags_variable => flags.join(" ")}
    end

    private

    def flags_variable
      "CARGO_TARGET_#{@target.upcase.tr("-", "_")}_RUSTFLAGS"
    end

    def data
      File.join(@target_dir, "profiles", "#{package}-#{@target}.profdata")
    end

    def make
      # Looked up before the compilation, which takes minutes.
      merger = self.merger
      compile
      Dir.mktmpdir("puppetfn-profile-") do |root|
        puts "#{@target}: running the training"
        # A file of counts for each process.
        train(root, {"LLVM_PROFILE_FILE" => "#{root}/counts/%p.profraw"})
        FileUtils.mkdir_p(File.dirname(data))
        run({}, merger, "merge", "--output", data, *Dir.glob("#{root}/counts/*.profraw"))
      end
    end

    # Not with zig, which does not link the counters.
    def compile
      puts "#{@target}: compiling with counters"
      environment = {"CARGO_TARGET_DIR" => @target_dir, flags_variable => "-Cprofile-generate"}
      run(environment, "cargo", "build", "--quiet", "--locked", "--profile", @cargo_profile, "--package", package, "--target", @target)
    end

    # @return [String] where Cargo puts a file that it has compiled
    def built(name)
      File.join(@target_dir, @target, @cargo_profile, name)
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

  # The profile of the extension, which the Ruby of this machine has to load.
  class ExtensionProfile < Profile
    # The files that the training needs, and Cargo.toml for the version.
    COPIED = %w[bench exe lib vectors Cargo.toml].freeze
    private_constant :COPIED

    private

    def package
      "puppetfn-ext"
    end

    def runs_here?
      @target == host
    end

    # Runs in a copy of its files: the checkout keeps its own library.
    def train(root, environment)
      FileUtils.cp_r(COPIED, root)
      FileUtils.rm_f(Dir.glob("#{root}/lib/puppetfn/**/puppetfn*.so"))
      FileUtils.cp(built("libpuppetfn_ext.so"), "#{root}/lib/puppetfn/puppetfn.so")
      run(environment, RbConfig.ruby, "#{root}/bench/training.rb")
    end
  end

  # The profile of the program without Ruby.
  class ProgramProfile < Profile
    private

    def package
      "puppetfn-cli"
    end

    # A static program does not depend on this machine's C library.
    def runs_here?
      [host, host.sub("-gnu", "-musl")].include?(@target)
    end

    def compile
      # Without it, Cargo compiles for minutes before it misses it.
      if @target.end_with?("musl") && !system("musl-gcc", "--version", out: File::NULL, err: File::NULL)
        abort("musl-gcc is missing: Debian's package musl-tools has it")
      end
      super
    end

    def train(_root, environment)
      run(environment, RbConfig.ruby, "bench/training.rb", built("puppetfn"))
    end
  end
end
