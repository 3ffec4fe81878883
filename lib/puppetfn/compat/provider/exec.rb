# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Provider
      # A provider of commands. It checks them, and runs none.
      class Exec < Provider
        # @param command [String, Array<String>]
        # @return [String] the program of a command
        def extractexe(command)
          return command.first if command.is_a?(Array)

          quoted = /^"([^"]+)"|^'([^']+)'/.match(command)
          quoted ? quoted.captures.compact.first : command.split(/ /)[0]
        end

        # @param command [String, Array<String>]
        # @raise [Puppet::Error] when nobody knows where its program is
        def validatecmd(command)
          executable = extractexe(command)
          return if absolute_path?(executable) || !resource[:path].nil?

          self.fail("'#{executable}' is not qualified and no path was specified. Please qualify the command or specify a path.")
        end
      end
    end
  end
end
