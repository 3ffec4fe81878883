# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      # Kinds of files that providers read and write. See Puppet's `util/filetype.rb`.
      class FileType
        include SELinux

        # A file cannot be read.
        class FileReadError < Puppet::Error; end

        # Wraps the methods of a kind: removes Puppet's header from texts, notes times, and names the file in errors.
        module Access
          # @return [String]
          def read
            text = reporting("read") { super }
            @loaded = Time.now
            text ? text.gsub(/# HEADER.*\n/, "") : ""
          end

          # @return [Object]
          def write(text)
            result = reporting("write") { super }
            @synced = Time.now
            result
          end

          private

          def reporting(action)
            yield
          rescue Puppet::Error
            raise
          rescue StandardError => e
            message = "#{self.class} could not #{action} #{@path}: #{e}"
            Puppet.log_exception(e, message)
            raise Puppet::Error, message, e.backtrace
          end
        end
        private_constant :Access

        class << self
          include ClassGen

          # @return [Symbol]
          attr_accessor :name

          # Defines a kind.
          #
          # @param name [Symbol]
          # @yield in the class of its files
          # @return [Class<FileType>]
          def newfiletype(name, &block)
            @filetypes ||= {}
            genclass(name, block: block, prefix: "FileType", hash: @filetypes).prepend(Access)
          end

          # @param name [Symbol]
          # @return [Class<FileType>, nil]
          def filetype(name)
            @filetypes[name]
          end
        end

        attr_accessor :loaded, :path, :synced

        # @raise [ArgumentError] without a path
        def initialize(path, default_mode = nil)
          raise ArgumentError, "Path is nil" if path.nil?

          @path = path
          @default_mode = default_mode
        end

        # @raise [UnavailableError] always: backups of files go to a filebucket, which only Puppet has
        def bucket
          raise UnavailableError, "Puppet::Util::FileType#bucket"
        end

        # @return [Hash{Symbol=>Object}] options for commands that a crontab's user runs
        def cronargs
          uid = Util.uid(@path)
          options = {failonfail: true, combine: true}
          uid && uid == SUIDManager.uid ? options : options.merge(uid: @path)
        end

        newfiletype(:flat) do
          def backup
            bucket.backup(@path) if FileSystem.exist?(@path)
          end

          def read
            FileSystem.read(@path, encoding: Encoding.default_external) if FileSystem.exist?(@path)
          end

          def remove
            FileSystem.unlink(@path) if FileSystem.exist?(@path)
          end

          def write(text)
            ::Tempfile.create("puppet", encoding: Encoding.default_external) do |file|
              file.print(text)
              file.flush
              ::File.chmod(@default_mode, file.path) if @default_mode
              ::FileUtils.cp(file.path, @path)
            end
            set_selinux_default_context(@path)
          end
        end

        newfiletype(:ram) do
          @texts = {}

          class << self
            # @return [Hash{String=>String}]
            attr_reader :texts

            def clear
              texts.clear
            end
          end

          def initialize(path, default_mode = nil)
            super
            self.class.texts[@path] ||= ""
          end

          def read
            Puppet.info("Reading #{@path} from RAM")
            self.class.texts[@path]
          end

          def remove
            Puppet.info("Removing #{@path} from RAM")
            self.class.texts[@path] = ""
          end

          def write(text)
            Puppet.info("Writing #{@path} to RAM")
            self.class.texts[@path] = text
          end
        end
      end
    end
  end
end

require_relative "file_type/crontabs"
