# frozen_string_literal: true

require_relative "../../../../lib/puppetfn"

module Differential
  module ProgramSide
    # Compiles programs with puppetfn.
    class Puppetfn
      LEVELS = %i[warning err alert emerg crit].freeze

      def self.open
        yield new
      end

      # What was logged for the last program.
      def logs
        @runtime.logs.select { |level, _| LEVELS.include?(level) }.map { |level, text| [level.to_s, text] }
      end

      # The data of the program's catalog.
      def compile(program)
        settings = program.settings.transform_keys(&:to_sym)
        @runtime = ::Puppetfn::Runtime.new(
          modulepath: program.modulepath, environment: ::Puppetfn::Environment.new(nil, program.modulepath, name: "production"),
          hiera_config: program.hiera_config, facts: program.facts, trusted: program.trusted, node: program.node,
          strict: settings.fetch(:strict).to_sym, strict_variables: settings.fetch(:strict_variables)
        )
        @runtime.compile(program.code, program.file).to_data_hash
      end
    end
  end
end
