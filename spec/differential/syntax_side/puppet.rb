# frozen_string_literal: true

require "puppet"
require "puppet/pops"
require "puppet/pops/pn"
require "tmpdir"

module Differential
  module SyntaxSide
    # Real Puppet reads texts. The other half is SyntaxSide::Puppetfn; both answer to the same messages.
    class Puppet
      def initialize(modulepath)
        ::Puppet.initialize_settings(["--vardir", Dir.tmpdir, "--confdir", Dir.tmpdir])
        ::Puppet[:disable_i18n] = true
        # As in Puppet 8.
        ::Puppet[:strict] = :error
        ::Puppet::Util::Log.close_all
        @logs = []
        ::Puppet::Util::Log.destinations[@logs] = ::Puppet::Util::Log.desttypes[:array].new(@logs)
        environment = ::Puppet::Node::Environment.create(:differential, modulepath)
        loaders = ::Puppet::Pops::Loaders.new(environment)
        ::Puppet.push_context(current_environment: environment, loaders: loaders)
        @parsers = [false, true].to_h do |epp|
          [epp, epp ? ::Puppet::Pops::Parser::EvaluatingParser::EvaluatingEppParser.new : ::Puppet::Pops::Parser::EvaluatingParser.new]
        end
      end

      # The tree of a text in Puppet Notation; raises what Puppet raises.
      def read(code, file, tasks:, epp:)
        @logs.clear
        ::Puppet[:tasks] = tasks
        program = @parsers.fetch(epp ? true : false).parse_string(code, file)
        ::Puppet::Pops::Model::PNTransformer.transform(program).to_s
      end

      # What was logged of the text that was read last, with its place.
      def logged
        @logs.map { |log| "#{log.level} #{log.line}:#{log.pos} #{log.message}" }
      end

      def error?(exception)
        exception.is_a?(::Puppet::Error)
      end
    end
  end
end
