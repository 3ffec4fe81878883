# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      # Files of settings in sections, which providers read and write; nothing here does.
      module IniConfig
        # The settings of a part of a file.
        class Section
          # @return [String]
          attr_reader :name

          # @return [String]
          attr_reader :file

          def initialize(name, file)
            @name = name
            @file = file
          end
        end

        # A file that is there.
        class PhysicalFile
          # @return [String]
          attr_reader :path

          def initialize(path, _options = {})
            @path = path
          end
        end

        # Several files as one.
        class FileCollection
          # @return [Hash{String=>PhysicalFile}]
          attr_reader :files

          def initialize
            @files = {}
          end
        end
        File = FileCollection
      end
    end
  end
end
