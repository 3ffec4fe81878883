# frozen_string_literal: true

# The crates as they are published.
module PackedCrates
  # Crates that are not published.
  OTHERS = %w[puppetfn-ext puppetfn-vectors puppetfn-playground].freeze

  class << self
    # Packs the crates.
    #
    # @return [Array<String>] the files
    def pack
      directory = File.join(TARGET_DIR, "package")
      FileUtils.rm_f(Dir.glob("#{directory}/*.crate"))
      excluded = OTHERS.flat_map { |name| ["--exclude", name] }
      # Each crate alone would be compiled for each one that depends on it: {check} compiles all of them once.
      Rake.sh "cargo", "package", "--quiet", "--workspace", *excluded, "--allow-dirty", "--no-verify", "--offline"
      Dir.glob("#{directory}/*.crate")
    end

    # Compiles the content of packed crates, as one workspace with the lock file and the profile of this one. The compiled
    # dependencies of `rake clippy` are reused. The files get a new modification time: Cargo takes older ones for unchanged.
    #
    # @param files [Array<String>]
    # @return [void]
    def check(files)
      directory = File.join(TARGET_DIR, "packed")
      FileUtils.rm_rf(directory)
      FileUtils.mkdir_p(directory)
      files.each { |file| Rake.sh "tar", "--extract", "--gzip", "--touch", "--file", file, "--directory", directory, verbose: false }
      File.write("#{directory}/Cargo.toml", manifest(Dir.children(directory).sort))
      FileUtils.cp("Cargo.lock", directory)
      Rake.sh "cargo", "check", "--quiet", "--offline", "--release", "--workspace", chdir: directory
    end

    private

    def manifest(members)
      profile = File.read("Cargo.toml", encoding: "UTF-8")[/^\[profile\.release\]$.*?(?=^\[)/m]
      patches = members.map { |member| "#{member[/\A(.+)-\d/, 1]} = { path = #{member.inspect} }" }
      "[workspace]\nresolver = \"3\"\nmembers = [#{members.map(&:inspect).join(", ")}]\n\n[patch.crates-io]\n#{patches.join("\n")}\n\n#{profile}"
    end
  end
end

desc "Pack the crates and compile what is packed"
task :crates do
  PackedCrates.check(PackedCrates.pack)
end
