# frozen_string_literal: true

module Puppetfn
  module Puppet
    # Files that servers have for agents. Functions and templates read them as `puppet apply` and servers do, from modules
    # and this machine.
    module FileServing
      extend StandIn

      # A file: the attributes of contents and metadata. See Puppet's `file_serving/base.rb`.
      class Base
        # @return [Object, nil] set by code, for itself
        attr_accessor :source

        # @return [String]
        attr_reader :path

        # @return [String, nil] below `path`
        attr_reader :relative_path

        # @return [:manage, :follow]
        attr_reader :links

        # @param path [String]
        # @param links [:manage, :follow, :ignore, nil]
        # @param relative_path [String, nil]
        # @param source [Object, nil]
        # @raise [ArgumentError] when the path is not absolute, or the relative path is
        def initialize(path, links: nil, relative_path: nil, source: nil)
          raise ArgumentError, "Paths must be fully qualified" unless Util.absolute_path?(path)
          raise ArgumentError, "Relative paths must not be fully qualified" if relative_path && Util.absolute_path?(relative_path)

          @path = path
          @relative_path = relative_path
          @source = source
          self.links = links || :manage
        end

        # @param value [:manage, :follow, :ignore]
        # @raise [ArgumentError] for other values
        def links=(value)
          value = value.to_sym
          value = :manage if value == :ignore
          raise ArgumentError, ":links can only be set to :manage or :follow" unless %i[manage follow].include?(value)

          @links = value
        end

        # @return [String]
        def full_path
          path = ["", "."].include?(relative_path.to_s) ? @path : File.join(@path, relative_path)
          path.gsub(%r{//+}, "/")
        end

        # @return [File::Stat] of a link itself, unless links are followed
        # @raise [SystemCallError]
        def stat
          links == :manage ? File.lstat(full_path) : File.stat(full_path)
        end

        # @return [Boolean]
        def exist?
          stat
          true
        rescue SystemCallError
          false
        end
      end

      # The content of a file.
      class Content < Base
        # @return [String]
        attr_writer :content

        # @return [Indirection]
        def self.indirection
          @indirection ||= Indirection.new(self)
        end

        # There is nothing to read before the content is asked for.
        #
        # @api private
        # @return [void]
        def collect = nil

        # @return [String] in binary encoding; the same object each time
        # @raise [SystemCallError]
        def content
          @content ||= begin
            stat
            FileSystem.binread(full_path)
          end
        end
      end

      # The owner, mode, checksum and so on of a file. See Puppet's `file_serving/metadata.rb`.
      class Metadata < Base
        # @return [Integer] the owner of this process; the file's owner if `source_permissions` asks for it
        attr_reader :owner
        # @return [Integer] the group of this process; the file's group if `source_permissions` asks for it
        attr_reader :group
        # @return [Integer] 0644; the file's mode if `source_permissions` asks for it
        attr_reader :mode
        # @return [String] such as `file`, `directory` or `link`
        attr_reader :ftype
        # @return [String, Symbol]
        attr_reader :checksum_type
        # @return [String, nil] with its type in front: `{sha256}e3b0...`
        attr_reader :checksum
        # @return [String, nil] target of a link
        attr_reader :destination

        # @return [Indirection]
        def self.indirection
          @indirection ||= Indirection.new(self)
        end

        # @return [:use, :use_when_creating, :ignore, nil]
        attr_reader :source_permissions

        # @param path [String] the file
        # @param options [Hash{Symbol=>Object}] as for {Base#initialize}
        def initialize(path, **options)
          super
          @checksum_type = Puppet[:digest_algorithm]
        end

        # @param type [String, Symbol]
        # @raise [ArgumentError] for types that no file can have a checksum of
        def checksum_type=(type)
          known = Util::Checksums.known_checksum_types.include?(type.to_sym)
          raise ArgumentError, "Unsupported checksum type #{type}" unless known

          @checksum_type = type
        end

        # @param value [String, Symbol]
        # @raise [ArgumentError] for other values
        def source_permissions=(value)
          known = %i[use use_when_creating ignore].include?(value.to_sym)
          raise ArgumentError, "Unsupported source_permission #{value}" unless known

          @source_permissions = value.to_sym
        end

        # Reads the attributes.
        #
        # @api private
        # @return [void]
        # @raise [ArgumentError] for devices
        def collect
          found = stat
          is_ignored = [nil, :ignore].include?(source_permissions)
          @owner, @group, @mode = is_ignored ? [Process.euid, Process.egid, 0o644] : [found.uid, found.gid, found.mode & 0o7777]
          @ftype = found.ftype
          add_checksum
        end

        private

        def add_checksum
          case @ftype
          when "file" then @checksum = prefixed(digest)
          when "directory"
            @checksum_type = "ctime"
            @checksum = prefixed(digest)
          when "link"
            @destination = File.readlink(full_path)
            @checksum = File.file?(full_path) ? prefixed(digest) : nil
          when "fifo", "socket"
            @checksum_type = "none"
            @checksum = prefixed("")
          else raise ArgumentError, "Cannot manage files of type #{@ftype}"
          end
        end

        def digest
          case @checksum_type.to_s
          when "mtime", "ctime" then File.stat(full_path).public_send(@checksum_type)
          else Util::Checksums.public_send(@checksum_type, FileSystem.binread(full_path))
          end
        end

        def prefixed(digest) = "{#{@checksum_type}}#{digest}"
      end

      # Finds files by the URLs that sources of files have. See Puppet's `file_serving/terminus_selector.rb`,
      # `file_serving/configuration.rb` and `indirector/request.rb`.
      class Indirection
        # The mounts that every server has, with the methods of modules that find a file.
        MOUNTS = {"modules" => :file, "scripts" => :script, "tasks" => :task_file, "plugins" => :plugin,
                  "pluginfacts" => :pluginfact, "locales" => :locale}.freeze
        # Mounts whose paths begin with the name of a module.
        OF_A_MODULE = %i[file script task_file].freeze
        private_constant :MOUNTS, :OF_A_MODULE

        # @param model [Class<Base>]
        def initialize(model)
          @model = model
        end

        # @param key [String] a URL such as `puppet:///modules/ntp/ntp.conf`, an absolute path, or a mount with a path
        # @param options [Hash{Symbol=>Object}]
        # @option options [:manage, :follow] :links
        # @option options [String, Symbol] :checksum_type
        # @option options [:use, :use_when_creating, :ignore] :source_permissions
        # @return [Base, nil] nil if there is no such file
        # @raise [ArgumentError] for URLs of other protocols, and invalid URLs
        # @raise [UnavailableError] for files of other servers
        def find(key, options = {})
          options = options.to_h.transform_keys(&:to_sym)
          path = resolve(key.to_s)
          return unless path

          file = @model.new(path, links: options[:links])
          # Contents have no such attributes, in Puppet as here: that is a NoMethodError.
          %i[checksum_type source_permissions].each { |name| file.public_send("#{name}=", options[name]) if options[name] }
          file.collect
          file
        end

        private

        def resolve(key)
          return key if Util.absolute_path?(key) && File.exist?(key)
          return if Util.absolute_path?(key)
          return served(key) unless key.match?(%r{^\w+:/})

          uri = parse(key)
          path = Util.uri_unescape(uri.path.to_s)
          case uri.scheme
          when "file" then path if File.exist?(path)
          when "puppet"
            raise UnavailableError, "#{self} of #{uri.host}" unless uri.host.to_s.empty?

            served(path.delete_prefix("/"))
          when "http", "https" then raise UnavailableError, "#{self} of #{uri.host}"
          else raise ArgumentError, "URI protocol '#{uri.scheme}' is not currently supported for file serving"
          end
        end

        def parse(key)
          ::URI.parse(Util.uri_encode(key))
        rescue StandardError => e
          raise ArgumentError, "Could not understand URL #{key}: #{e}"
        end

        def served(key)
          mount, path = key.split("/", 2)
          raise ArgumentError, "Cannot find file: Invalid mount '#{mount}'" unless mount&.match?(/^[-\w]+$/)
          raise ArgumentError, "Cannot find file: Invalid relative path '#{path}'" if path&.split("/")&.include?("..")

          method = MOUNTS[mount] or return
          path = path&.gsub(%r{/+}, "/")
          path = nil if path == ""
          environment = Runtime.current!(to_s).environment
          return in_modules(environment, method, path) unless OF_A_MODULE.include?(method)
          raise "No #{method == :task_file ? "task" : "module"} specified" unless path

          name, path = path.split("/", 2)
          environment.module(name)&.public_send(method, path)
        end

        # The first of all modules that has the file.
        def in_modules(environment, method, path)
          environment.modules.each do |mod|
            found = mod.public_send(method, path)
            return found if found
          end
          nil
        end

        def to_s
          "#{@model.name.delete_prefix("Puppetfn::")}.indirection"
        end

        def method_missing(name, *)
          raise UnavailableError, "#{self}.#{name}"
        end

        def respond_to_missing?(_name, _include_private = false)
          false
        end
      end
    end
  end
end
