# frozen_string_literal: true

require "digest"

module Puppetfn
  module DropIn
    # Recognizes methods of Puppet's by their source.
    module Fingerprint
      @lines = {}

      class << self
        # @param name [String] such as `Types::PArrayType#instance?`
        # @return [String, nil] a digest of the method's source; nil where there is none to read
        def of(name)
          class_name, method = name.split("#")
          klass = DropIn.puppet_class(class_name) or return
          file, line = klass.instance_method(method).source_location
          text = source(file, line) if file
          Digest::SHA256.hexdigest(text)[0, 16] if text
        rescue NameError
          nil
        end

        # Forgets the files that were read.
        def forget
          @lines = {}
        end

        private

        # The lines of a method, without the space around them: up to the `end` below its `def`.
        def source(file, line)
          lines = (@lines[file] ||= File.readlines(file, encoding: Encoding::UTF_8))
          indentation = lines[line - 1][/\A\s*/]
          length = lines[line..].index { |text| text.start_with?("#{indentation}end") }
          lines[line - 1, length + 2].map(&:strip).join("\n") if length
        rescue SystemCallError
          nil
        end
      end
    end
  end
end
