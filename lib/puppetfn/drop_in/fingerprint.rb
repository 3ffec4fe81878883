# frozen_string_literal: true

require "digest"

module Puppetfn
  module DropIn
    # Recognizes methods of Puppet's by their source.
    module Fingerprint
      @lines = {}

      class << self
        # @param name [String] of a method, such as `Types::PArrayType#instance?`, or of a file that is loaded, such as
        #   `pops/model/ast.rb`
        # @return [String, nil] a digest of its source; nil where there is none to read
        def of(name)
          return of_file(name) if name.end_with?(".rb")

          class_name, method = name.split("#")
          klass = DropIn.puppet_class(class_name) or return
          file, line = klass.instance_method(method).source_location
          lines = source(file, line) if file
          # Space around lines does not count.
          digest(lines.map(&:strip).join("\n")) if lines
        rescue NameError
          nil
        end

        # Forgets the files that were read.
        def forget
          @lines = {}
        end

        private

        def of_file(name)
          path = $LOADED_FEATURES.find { |file| file.end_with?("/puppet/#{name}") }
          digest(File.binread(path)) if path
        rescue SystemCallError
          nil
        end

        def digest(text)
          Digest::SHA256.hexdigest(text)[0, 16]
        end

        def lines(file)
          @lines[file] ||= File.readlines(file, encoding: Encoding::UTF_8)
        end

        # Returns the lines of a method: up to the `end` below its `def`.
        def source(file, line)
          lines = lines(file)
          indentation = lines[line - 1][/\A\s*/]
          length = lines[line..].index { |text| text.start_with?("#{indentation}end") }
          lines[line - 1, length + 2] if length
        rescue SystemCallError
          nil
        end
      end
    end
  end
end
