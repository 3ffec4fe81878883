# frozen_string_literal: true

require "open3"

module Native
  # What a library asks of the system that loads it, as `readelf` shows it.
  class Symbols
    MACHINES = {"x86_64" => "X86-64", "aarch64" => "AArch64"}.freeze
    # The libraries of the C library, which are one file in musl.
    SYSTEM = /\A(lib(c|m|dl|rt|pthread|gcc_s)\.so(\.\d+)?|ld-linux[-\w]*\.so\.\d|libc\.musl-\w+\.so\.1)\z/
    private_constant :MACHINES, :SYSTEM

    def initialize(library)
      @library = library
    end

    # Returns what keeps the library from being loaded on the platform, by a Ruby that has the symbols +known+.
    #
    # @return [Array<String>]
    def problems(platform, known)
      [*machine(platform), *needed, *versions(platform), *unknown(known), *initializer]
    end

    # Names of the symbols that a library defines.
    def defined
      symbols.reject { |fields| fields[6] == "UND" }.map { |fields| fields[7].to_s[/\A[^@]+/] }
    end

    # Names of the symbols that it takes from others.
    def undefined
      symbols.select { |fields| fields[6] == "UND" }.filter_map { |fields| fields[7].to_s[/\A[^@]+/] }
    end

    private

    def machine(platform)
      expected = MACHINES.fetch(platform.cpu)
      given = readelf("--file-header")[/Machine:\s+(.+)$/, 1]
      "it is for #{given}, not #{expected}" unless given.include?(expected)
    end

    def needed
      readelf("--dynamic").scan(/\(NEEDED\).*\[(.+)\]/).flatten.grep_v(SYSTEM).map { |name| "it needs #{name}" }
    end

    # Versions of the C library's symbols that are newer than the oldest to run with.
    def versions(platform)
      oldest = platform.oldest && ::Gem::Version.new(platform.oldest)
      found = readelf("--version-info").scan(/\bGLIBC_([\d.]+)/).flatten.uniq
      return found.any? ? ["it is linked with glibc"] : [] unless oldest

      found.select { |version| ::Gem::Version.new(version) > oldest }.map { |version| "it needs glibc #{version}" }
    end

    def unknown(known)
      (undefined.grep(/\A(rb|ruby|onig|st)_/) - known).map { |name| "this Ruby has no #{name}" }
    end

    def initializer
      "it does not define Init_puppetfn" unless defined.include?("Init_puppetfn")
    end

    def symbols
      @symbols ||= readelf("--dyn-syms").lines.map(&:split).select { |fields| fields.first.to_s.match?(/\A\d+:\z/) }
    end

    def readelf(option)
      output, status = Open3.capture2("readelf", "--wide", option, @library)
      status.success? ? output : abort("readelf does not read #{@library}")
    end
  end
end
