# frozen_string_literal: true

require "fileutils"
require "open-uri"
require "open3"
require "rbconfig"

module Native
  # The headers and configurations of Rubies of other platforms and versions, taken from packages of Debian and Ubuntu and
  # unpacked, not installed.
  class Rubies
    # Where the packages of a Ruby are: the first suite that has it, and its archive for each architecture.
    SUITES = {"3.1" => "bookworm", "3.2" => "noble", "3.3" => "trixie", "3.4" => "experimental"}.freeze
    COMPONENTS = {"noble" => "universe"}.freeze
    ARCHITECTURES = {"x86_64" => "amd64", "aarch64" => "arm64"}.freeze
    private_constant :SUITES, :COMPONENTS, :ARCHITECTURES

    # @return [Array<String>] all versions, or those in RUBIES
    def self.minors
      given = ENV.fetch("RUBIES", SUITES.keys.join(",")).split(",")
      unknown = given - SUITES.keys
      unknown.empty? ? given : abort("RUBIES has #{unknown.join(", ")}; there are packages of #{SUITES.keys.join(", ")}")
    end

    # @param directory [String] where they are kept
    def initialize(directory)
      @directory = directory
    end

    # Returns where the Ruby +minor+ for the processor +cpu+ is unpacked, fetching it first if it is not there.
    #
    # @return [String, nil] nil where its archive cannot be reached
    def root(cpu, minor)
      root = File.join(@directory, cpu, minor)
      File.exist?(File.join(root, "config")) || fetch(cpu, minor, root)
      root
    rescue SocketError, SystemCallError => e
      warn "Ruby #{minor} for #{cpu} cannot be had: #{e.message}"
    end

    # The library of Ruby itself, by whose symbols extensions are checked.
    def shared_object(cpu, minor)
      Dir.glob("#{root(cpu, minor)}/usr/lib/*/libruby-#{minor}.so.*").min
    end

    private

    def fetch(cpu, minor, root)
      architecture = ARCHITECTURES.fetch(cpu)
      FileUtils.mkdir_p(root)
      ["ruby#{minor}-dev", "libruby#{minor}"].each { |name| unpack(SUITES.fetch(minor), architecture, name, root) }
      File.write(File.join(root, "config"), configuration(root, minor))
    end

    def unpack(suite, architecture, name, root)
      path = index(suite, architecture)[/^Package: #{Regexp.escape(name)}\n(?:.+\n)*?Filename: (.+)$/, 1] ||
        abort("#{suite} has no #{name} for #{architecture}")
      package = File.join(root, File.basename(path))
      File.binwrite(package, URI.open("#{mirror(suite, architecture)}/#{path}", &:read))
      run("dpkg-deb", "--extract", package, root)
      File.delete(package)
    end

    # The packages of a suite, as its archive lists them.
    def index(suite, architecture)
      @indexes ||= {}
      @indexes[[suite, architecture]] ||= begin
        component = COMPONENTS.fetch(suite, "main")
        lists = [component, "main"].uniq.map do |part|
          packed = URI.open("#{mirror(suite, architecture)}/dists/#{suite}/#{part}/binary-#{architecture}/Packages.xz", &:read)
          Open3.capture2("xz", "--decompress", "--stdout", stdin_data: packed, binmode: true).first
        end
        lists.join("\n").force_encoding(Encoding::UTF_8)
      end
    end

    def mirror(suite, architecture)
      return "http://deb.debian.org/debian" unless suite == "noble"

      architecture == "amd64" ? "http://archive.ubuntu.com/ubuntu" : "http://ports.ubuntu.com/ubuntu-ports"
    end

    # The configuration of an unpacked Ruby, as rb-sys asks a Ruby for its own. Its paths are below the root, as those that the
    # file computes are.
    def configuration(root, minor)
      file = Dir.glob("#{root}/usr/lib/{*/,}ruby/#{minor}.0/{*/,}rbconfig.rb").first || abort("no rbconfig.rb below #{root}")
      code = <<~'RUBY'
        file = ARGV.first
        # It refuses to be read by another Ruby than its own.
        eval(File.read(file).sub(/^\s*RUBY_VERSION\.start_with\?.*?raise\(?.*?$/m, ""), TOPLEVEL_BINDING, file)
        print RbConfig::CONFIG.map { |pair| pair.join("\x1F") }.join("\x1E")
      RUBY
      run(RbConfig.ruby, "--disable-gems", "-e", code, file)
    end

    def run(*command)
      output, error, status = Open3.capture3(*command)
      status.success? ? output : abort("#{command.first(2).join(" ")}: #{error}")
    end
  end
end
