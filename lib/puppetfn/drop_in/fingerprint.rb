# frozen_string_literal: true

require "digest"

module Puppetfn
  module DropIn
    # Recognizes methods of Puppet's by their source.
    module Fingerprint
      @texts = {}
      @loaded = nil

      class << self
        # @param name [String] of a method, such as `Types::PArrayType#instance?`, or of a file that is loaded, such as
        #   `pops/model/ast.rb`
        # @return [String, nil] a digest of its source; nil if the source cannot be read
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
          @texts, @loaded = {}, nil
        end

        private

        def of_file(name)
          # The first of a name is the one that is in use.
          @loaded ||= $LOADED_FEATURES.reverse_each.to_h { |file| [file.rpartition("/puppet/").last, file] }
          path = @loaded[name]
          digest(File.binread(path)) if path
        rescue SystemCallError
          nil
        end

        def digest(text)
          Digest::SHA256.hexdigest(text)[0, 16]
        end

        # Returns the lines of a method: up to the `end` below its `def`. Files are long, and little of them is of interest.
        def source(file, line)
          text, starts = @texts[file] ||= [File.binread(file), [0]]
          starts << (text.index("\n", starts.last) || return) + 1 while starts.size < line
          start = starts[line - 1]
          indentation = text.match(/\G[ \t]*/, start)[0]
          found = text.match(/^#{indentation}end[^\n]*/, start)
          text[start...found.end(0)].lines if found
        rescue SystemCallError
          nil
        end
      end
    end
  end
end
