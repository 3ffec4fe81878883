# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      # Files of settings in sections, which providers read and write. Comments and blank lines stay. See Puppet's
      # `util/inifile.rb`.
      module IniConfig
        # A line cannot be parsed, or a section is defined twice.
        class IniParseError < Puppet::Error
          include ExternalFileError
        end

        # A section of a file.
        class Section
          # @return [String]
          attr_reader :name

          # @return [String]
          attr_reader :file

          # @return [Array<String, Array(String, String)>] lines, and keys with values
          attr_reader :entries

          attr_writer :destroy

          def initialize(name, file)
            @name = name
            @file = file
            @entries = []
            @dirty = @destroy = false
          end

          # @return [Boolean] whether the file has to be written
          def dirty?
            @dirty || @destroy
          end

          def mark_dirty
            @dirty = true
          end

          def mark_clean
            @dirty = false
          end

          # @return [Boolean] whether the section is to be removed
          def destroy?
            @destroy
          end

          # Adds a line without a key.
          def add_line(line)
            @entries << line
          end

          # @param key [String]
          # @param value [String, nil] nil removes the key
          def []=(key, value)
            entry = entry_of(key)
            @dirty = true
            entry ? entry[1] = value : @entries << [key, value]
          end

          # @param key [String]
          # @return [String, nil]
          def [](key)
            entry_of(key)&.last
          end

          # @return [String]
          def format
            return +"" if @destroy

            @entries.each_with_object(+"[#{name}]\n") do |entry, text|
              next text << entry unless entry.is_a?(Array)

              text << "#{entry[0]}=#{entry[1]}\n" unless entry[1].nil?
            end
          end

          private

          def entry_of(key)
            @entries.find { |entry| entry.is_a?(Array) && entry[0] == key }
          end
        end

        # A file.
        class PhysicalFile
          INI_COMMENT = Regexp.union(/^\s*$/, /^[#;]/, /^\s*rem\s/i)
          INI_CONTINUATION = /^[ \t\r\n\f]/
          INI_SECTION_NAME = /^\[([^\]]+)\]/
          INI_PROPERTY = /^\s*([^\s=]+)\s*=\s*(.*)$/

          # @return [FileType]
          attr_reader :filetype

          # @return [Array<String, Section>] the lines before the first section, and the sections
          attr_reader :contents

          # @return [Boolean] whether a file without sections is removed
          attr_accessor :destroy_empty

          # @return [FileCollection, nil]
          attr_accessor :file_collection

          # @param file [String]
          # @option options [Boolean] :destroy_empty
          def initialize(file, options = {})
            @file = file
            @contents = []
            @filetype = FileType.filetype(:flat).new(file)
            @destroy_empty = options.fetch(:destroy_empty, false)
          end

          # Reads the file.
          #
          # @raise [IniParseError]
          def read
            text = @filetype.read
            raise IniParseError, "Cannot read nonexistent file #{@file.inspect}" if text.nil?

            parse(text)
          end

          # @api private
          # @raise [IniParseError]
          def parse(text)
            @section = @key = nil
            text.each_line.with_index(1) { |line, number| parse_line(line, number) }
            @section&.mark_clean
          end

          # @return [Array<Section>]
          def sections
            @contents.grep(Section)
          end

          # @param name [String]
          # @return [Section, nil]
          def get_section(name)
            sections.find { |section| section.name == name }
          end

          # @return [String]
          def format
            @contents.map { |content| content.is_a?(Section) ? content.format : content }.join
          end

          # Writes the file if a section changed.
          def store
            if @destroy_empty && sections.all?(&:destroy?) then ::File.unlink(@file)
            elsif sections.any?(&:dirty?) then @filetype.write(format)
            end
            sections.each(&:mark_clean)
          end

          # @api private
          # @return [Section]
          # @raise [IniParseError] if there is one of the name
          def add_section(name)
            if get_section(name) || @file_collection&.get_section(name)
              raise IniParseError.new("Section #{name.inspect} is already defined, cannot redefine", @file)
            end

            Section.new(name, @file).tap { |section| @contents << section }
          end

          private

          def parse_line(line, number)
            if line.match(INI_COMMENT) then @section ? @section.add_line(line) : @contents << line
            elsif line.match(INI_CONTINUATION) && @section && @key then @section[@key] += "\n#{line.chomp}"
            elsif (match = line.match(INI_SECTION_NAME)) then enter(match[1])
            elsif (match = line.match(INI_PROPERTY)) then take(match[1], match[2].rstrip)
            else raise IniParseError.new("Can't parse line '#{line.chomp}'", @file, number)
            end
          end

          def enter(name)
            @section&.mark_clean
            @section = add_section(name)
            @key = nil
          end

          def take(key, value)
            raise IniParseError, "Property with key #{key.inspect} outside of a section" unless @section

            @section[key] = value
            @key = key
          end
        end

        # Several files as one.
        class FileCollection
          # @return [Hash{String=>PhysicalFile}]
          attr_reader :files

          def initialize
            @files = {}
          end

          # Reads a file, again if it was read.
          #
          # @raise [IniParseError]
          def read(file)
            add_file(file).read
          end

          def store
            @files.each_value(&:store)
          end

          # @yieldparam section [Section]
          def each_section(&block)
            @files.each_value { |file| file.sections.each(&block) }
          end

          # @yieldparam path [String]
          def each_file(&block)
            @files.keys.each(&block)
          end

          # @return [Section, nil] of several, the last
          def get_section(name)
            @files.each_value.filter_map { |file| file.get_section(name) }.last
          end
          alias [] get_section

          # @return [Boolean]
          def include?(name)
            !get_section(name).nil?
          end

          # @return [Section]
          # @raise [IniParseError] if there is one of the name
          def add_section(name, file)
            (@files[file] || add_file(file)).add_section(name)
          end

          private

          def add_file(path)
            @files[path] = PhysicalFile.new(path).tap { |file| file.file_collection = self }
          end
        end
        File = FileCollection
      end
    end
  end
end
