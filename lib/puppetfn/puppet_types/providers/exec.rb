# frozen_string_literal: true

module Puppetfn
  module OwnTypes
    # The providers of `exec`.
    module ExecProviders
      # @param type [Class<Puppet::Type>]
      def self.provide_for(type)
        type.provide(:posix) do
          defaultfor feature: :posix

          def validatecmd(command)
            executable = command.is_a?(Array) ? command.first : executable_of(command)
            return if absolute_path?(executable) || !resource[:path].nil?

            self.fail("'#{executable}' is not qualified and no path was specified. Please qualify the command or specify a path.")
          end

          private

          def executable_of(command)
            command[/^"([^"]+)"|^'([^']+)'/] ? ($1 || $2) : command.split(" ")[0]
          end
        end
        type.provide(:shell, parent: :posix) { def validatecmd(_command) = true }
        type.provide(:windows, parent: :posix) { defaultfor "os.name" => :windows }
      end
    end
  end
end
