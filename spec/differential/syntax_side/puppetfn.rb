# frozen_string_literal: true

$LOAD_PATH.unshift(File.expand_path("../../../lib", __dir__))
require "puppetfn"

module Differential
  module SyntaxSide
    # puppetfn behind the interface that SyntaxSide::Puppet has.
    class Puppetfn
      def initialize(modulepath)
        @runtime = ::Puppetfn::Runtime.new(modulepath: modulepath)
        @runtime.logs.level = :debug
      end

      def read(code, file, **language)
        @runtime.logs.clear
        @found = -> { @runtime.validate_string(code, file, **language) }
        @runtime.parse_string(code, file, **language).to_pn
      end

      # Logs have no places; the findings that they are of do.
      def logged
        return [] if @runtime.logs.empty?

        found = @found.call
        @runtime.logs.map do |level, message|
          is_error = level == :err
          diagnostic = found.delete_at(found.index { |d| d.message == message && (d.severity == :error) == is_error })
          "#{level} #{diagnostic.line}:#{diagnostic.column} #{message}"
        end
      end

      def error?(exception)
        exception.is_a?(::Puppet::ParseError) || exception.is_a?(::Puppetfn::Error)
      end
    end
  end
end
