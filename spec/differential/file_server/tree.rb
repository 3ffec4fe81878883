# frozen_string_literal: true

require "fileutils"
require "json"
require "socket"

module Differential
  module FileServer
    # A random code directory, and random requests for its files.
    class Tree
      MODULES = %w[a b1 m_x zz Bad 1x a-b linked].freeze
      # The mounts of the directories of modules, and whether keys name the module.
      DIRECTORIES = {
        "files" => ["modules", true], "lib" => ["plugins", false], "facts.d" => ["pluginfacts", false], "locales" => ["locales", false],
        "tasks" => ["tasks", true], "scripts" => ["scripts", true],
      }.freeze
      NAMES = ["a", "b.txt", "d", "e", ".hidden", ".git", "x y", "ü", "q\"uote", "back\\slash", "new\nline", "p%2e%2e", "z~", "[x]",
        "*", "...", "A", "a.", "\u2028", "\u007f"].freeze
      MODES = [0o644, 0o600, 0o755, 0o444, 0o4755, 0o2750, 0o1777, 0].freeze
      METADATA = [nil, nil, nil, "", "{}", "[]", "{", JSON.generate("name" => "o-m"),
        JSON.generate("name" => "o-m", "source" => "s", "author" => "o", "version" => "1.0.0", "license" => "l", "dependencies" => []),
        JSON.generate("name" => "o-m", "source" => "s", "author" => "o", "version" => "1.0.0", "license" => "l", "dependencies" => "d")].freeze
      MOUNTS = %w[modules plugins pluginfacts locales tasks scripts files nodes hosts other].freeze
      NODES = ["web1.example.com", "web1.example.com", "web1", "db.example.org", nil].freeze
      QUERY = {
        "links" => %w[manage follow follow ignore other],
        "checksum_type" => %w[md5 md5lite sha1 sha1lite sha224 sha256 sha256lite sha384 sha512 mtime ctime none etag sha3 5],
        "source_permissions" => %w[use use_when_creating ignore some],
        "recurse" => %w[true true true true false remote 2 1.5 inf],
        "recurselimit" => %w[0 1 2 3 10 1.5 infinite -1 true 010 08],
        "max_files" => ["-1", "0", "1", "5", "1000", "2.5", "x", ""],
        "ignore" => ["*", ".*", "*.txt", ".git", "a", "?", "[a-e]", "[^a]", "[x]", "\\*", "*~", "ü", "true", "5", "1.50", "**", "", "{a,d}", "A"],
        "unknown" => ["x", "1", "true", "a\"b\#{c}\n", "é"],
      }.freeze

      def initialize(seed, directory)
        @random = Random.new(seed)
        @directory = directory
        @keys = []
      end

      # Writes the files.
      # @return [Hash] the document that both sides read
      def write(requests)
        %w[site modules shared nodes/web1.example.com hosts/web1].each { |name| FileUtils.mkdir_p(path(name)) }
        modulepath = draw([%w[site modules], %w[modules site], %w[modules], [], %w[empty site]])
        FileUtils.mkdir_p(path("empty"))
        %w[site modules].each { |name| write_modules(name) }
        {"shared" => "files", "nodes/web1.example.com" => "nodes", "hosts/web1" => "hosts"}.each { |name, mount| fill(path(name), 2, mount) }
        File.write(path("fileserver.conf"), configuration)
        {
          "modulepath" => modulepath.map { |name| path(name) }, "configuration" => path("fileserver.conf"), "codedir" => @directory,
          "host" => "puppet.example.com", "requests" => [first_request, *Array.new(requests - 1) { request }],
        }
      end

      private

      def draw(list) = list.fetch(@random.rand(list.size))

      def chance(percent) = @random.rand(100) < percent

      def path(name) = File.join(@directory, name)

      def write_modules(modulepath)
        MODULES.select { chance(50) }.each do |name|
          root = path("#{modulepath}/#{name}")
          next File.symlink("../shared", root) if name == "linked"

          FileUtils.mkdir_p(root)
          metadata = draw(METADATA)
          File.write("#{root}/metadata.json", metadata) if metadata
          DIRECTORIES.select { chance(45) }.each do |directory, (mount, names_module)|
            FileUtils.mkdir_p("#{root}/#{directory}")
            fill("#{root}/#{directory}", 3, names_module ? "#{mount}/#{name}" : mount)
          end
        end
      end

      # Fills a directory whose files have keys that begin with a prefix.
      def fill(directory, depth, prefix)
        @keys << prefix
        NAMES.sample(@random.rand(5), random: @random).each do |name|
          entry = "#{directory}/#{name}"
          @keys << "#{prefix}/#{name}"
          case @random.rand(20)
          when 0..9 then write_file(entry)
          when 10..14
            FileUtils.mkdir_p(entry)
            fill(entry, depth - 1, "#{prefix}/#{name}") if depth.positive?
            permit(entry)
          when 15..17 then File.symlink(draw(["a", "d", "nowhere", "/dev/null", ".", "../a", "#{@directory}/shared", name]), entry)
          when 18 then File.mkfifo(entry) if chance(30)
          else UNIXServer.open(short(entry)).close if chance(20) && short(entry)
          end
        end
      end

      # Paths of sockets are short.
      def short(entry) = (entry if entry.bytesize < 100)

      def write_file(entry)
        File.write(entry, draw(["", "hello", "x" * 511, "y" * 512, "z" * 513, "ü\0\n" * 50_000, @random.bytes(10)]))
        permit(entry)
      end

      def permit(entry)
        File.chmod(draw(MODES), entry)
        File.chown(*draw([[1, 2], [65_534, 4], [0, 0]]), entry) if Process.uid.zero?
        File.utime(0, @random.rand(2_000_000_000), entry)
      end

      def configuration
        sections = ["[files]\n  path #{path("shared")}  # all\n  allow *\n", "[nodes]\npath #{path("nodes/%H")}\nallow *.example.com\n",
          "[hosts]\n\tpath\t#{path("hosts/%h")}\t\ndeny x\n", "[gone]\npath #{path("gone")}\n", "[plugins]\npath /dev/null\n", "[tasks]\n",
          "# [a]\n\n", "[other]\npath #{path("shared")}/%x%%\n"]
        malformed = ["[files]\npath = /x\n", "[a]\n", "[a b]\n", "[hosts]\n[hosts]\n", "[x]\nroot /\n", "path /dev/null\n", "[pluginfacts]\n", "x\n"]
        (sections.select { chance(70) } + (chance(15) ? [draw(malformed)] : [])).join
      end

      def request
        indirection = draw(%w[file_metadata file_metadata file_metadatas file_metadatas file_content])
        # The model of contents has no such attributes.
        names = QUERY.keys - (indirection == "file_content" ? %w[checksum_type source_permissions] : [])
        query = names.select { |name| chance(name == "recurse" ? 70 : 12) }.flat_map do |name|
          Array.new(name == "ignore" ? @random.rand(1..3) : 1) { [name, draw(QUERY.fetch(name))] }
        end
        query = query.reject { |name, _| name == "links" } + [%w[links follow]] if chance(10)
        {"indirection" => indirection, "key" => key, "node" => draw(NODES), "query" => query}
      end

      # Reads fileserver.conf, whose messages are in the answer.
      def first_request = {"indirection" => "file_metadata", "key" => "modules/a", "node" => "web1", "query" => []}

      def key
        key = draw(@keys)
        key = [draw(MOUNTS), *key.split("/").drop(1)].join("/") if chance(15)
        key = draw(MOUNTS) if chance(5)
        return key unless chance(15)

        draw(["#{key}/", "#{key}//", key.sub("/", "//"), "#{key}/..", key.sub("/", "/../"), "#{key}/.", key.sub("/", "/./"), "#{key}\0",
          "x #{key}", key.upcase, "#{key}/a", "#{key}\n", key.sub("/", "\n/")])
      end
    end
  end
end
