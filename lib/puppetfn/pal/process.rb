# frozen_string_literal: true

require "socket"

module Puppetfn
  module Puppet
    module Pal
      # Settings that a program makes before any runtime is at work: `Puppet[:strict] = :warning`,
      # `Puppet::Util::Log.newdestination(:console)`. The runtimes of {Pal} begin with them.
      #
      # @api private
      class Process
        # An option of Puppet's command line, as in `--certname node.example.com`.
        OPTION = /\A--(?:no-)?(?<name>[\w-]+)(?:=(?<value>.*))?\z/m
        private_constant :OPTION

        # @return [Settings]
        attr_reader :settings

        # @return [Logs] are sent on to their destinations, and not kept
        attr_reader :logs

        def initialize
          @settings = Settings.new(Environment.new(nil, []))
          @logs = Logs.new
        end

        # Takes settings as the command line of Puppet has them.
        #
        # @param arguments [Array<String>]
        # @return [void]
        def configure(arguments)
          rest = arguments.dup
          while (argument = rest.shift)
            option = OPTION.match(argument) or next
            value = option[:value]
            value ||= rest.first&.start_with?("--") == false ? rest.shift : !argument.start_with?("--no-")
            settings[option[:name].tr("-", "_")] = value
          end
        end

        # @return [String] the name of the node
        def node_name
          name = %i[node_name_value certname].find { |setting| settings.set?(setting) }
          name ? settings[name] : Socket.gethostname.downcase
        end

        # Sends the logs of a runtime to their destinations.
        #
        # @param runtime [Runtime]
        # @return [void]
        def hand_on_to(runtime)
          runtime.logs.level = logs.level
          runtime.logs.destinations.concat(logs.destinations)
        end
      end

      Runtime.process = Process.new
    end

    class << self
      # Initializes Puppet as programs that embed it do first: it takes settings as the command line has them.
      #
      # @param args [Array<String>] `["--certname", "node.example.com"]`
      # @return [void]
      def initialize_settings(args = [], *)
        Runtime.process.configure(args)
      end
    end
  end
end
