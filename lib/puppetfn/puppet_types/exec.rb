# frozen_string_literal: true

module Puppetfn
  module Puppet
    Type.newtype(:exec) do
      desc "Runs a command, unless something says that it need not be."
      @isomorphic = false

      # The commands of a parameter.
      commands = ->(value) { value.is_a?(Array) ? value : [value] }

      newproperty(:returns, array_matching: :all, event: :executed_command) do
        desc "The exit codes that mean success."
        pure
        munge(&:to_s)
        defaultto "0"
      end

      newparam(:command, namevar: true) do
        desc "The command."

        validate do |command|
          unless command.is_a?(String) || command.is_a?(Array)
            raise ArgumentError, "Command must be a String or Array<String>, got value of class #{command.class}"
          end
        end
      end

      newparam(:path) do
        desc "Where commands are looked for."

        def value=(*values)
          @value = values.flatten.flat_map { |value| value.split(File::PATH_SEPARATOR) }
        end
      end

      newparam(:user) { desc "The user that runs the command." }
      newparam(:group) { desc "The group that runs the command." }
      newparam(:cwd, parent: Parameter::Path) { desc "The directory in which the command runs." }

      newparam(:logoutput) do
        desc "Whether output is logged."
        defaultto :on_failure
        newvalues(:true, :false, :on_failure)
      end

      newparam(:refresh) do
        desc "Another command for when the resource is refreshed."
        validate { |command| provider.validatecmd(command) }
      end

      newparam(:environment) do
        desc "Variables that the command gets, as `NAME=value`."

        validate do |values|
          Array(values).each do |value|
            raise ArgumentError, "Invalid environment setting '#{value}'" unless value =~ /\w+=/
          end
        end
      end

      newparam(:umask) do
        desc "The umask with which the command runs."
        pure

        munge do |value|
          raise Puppet::Error, "The umask specification is invalid: #{value.inspect}" unless value =~ /^0?[0-7]{1,4}$/

          value.to_i(8)
        end
      end

      newparam(:timeout) do
        desc "How many seconds the command may take."
        pure

        munge do |value|
          if value.is_a?(String) && !Float(value, exception: false)
            raise ArgumentError, "The timeout must be a number."
          end

          value = value.shift if value.is_a?(Array)
          begin
            [Float(value), 0.0].max
          rescue ArgumentError
            raise ArgumentError, "The timeout must be a number."
          end
        end

        defaultto 300
      end

      newparam(:tries) do
        desc "How often the command is tried."
        pure

        munge do |value|
          raise ArgumentError, "Tries must be an integer" if value.is_a?(String) && !value.match?(/^\d+$/)
          raise ArgumentError, "Tries must be an integer >= 1" if value.is_a?(Integer) && value < 1

          value = Integer(value) if value.is_a?(String)
          raise ArgumentError, "Tries must be an integer >= 1" if value < 1

          value
        end

        defaultto 1
      end

      newparam(:try_sleep) do
        desc "How many seconds pass between tries."
        pure

        munge do |value|
          raise ArgumentError, "try_sleep must be a number" if value.is_a?(String) && !value.match?(/^[-\d.]+$/)
          raise ArgumentError, "try_sleep cannot be a negative number" if value.is_a?(Integer) && value < 0 # rubocop:disable Style/NumericPredicate

          value = Float(value) if value.is_a?(String)
          # An error about another value names this method, as in Puppet.
          raise ArgumentError, "try_sleep cannot be a negative number" if value < 0 # rubocop:disable Style/NumericPredicate

          value
        end

        defaultto 0
      end

      newparam(:refreshonly) do
        desc "Whether the command only runs when the resource is refreshed."
        newvalues(:true, :false)
      end

      newparam(:creates, parent: Parameter::Path) do
        desc "Files that the command makes; it does not run if they are there."
        accept_arrays
      end

      %i[unless onlyif].each do |name|
        newparam(name) do
          desc "Commands that decide whether the command runs."
          validate { |values| commands.(values).each { |command| provider.validatecmd(command) } }
        end
      end

      provide(:posix, parent: Provider::Exec) do
        confine feature: :posix
        defaultfor feature: :posix
      end
      provide(:shell, parent: :posix) { def validatecmd(_command) = true }
      provide(:windows, parent: Provider::Exec) { defaultfor "os.name" => :windows }

      validate { provider.validatecmd(self[:command]) }

      autorequire(:file) do
        path = %r{^(/\S+)}
        command = Array(self[:command]).first
        checks = %i[onlyif unless].flat_map { |name| commands.(self[name]) }.map { |check| check.is_a?(Array) ? check[0] : check }
        texts = checks.grep(String)
        found = [*self[:cwd]]
        found.concat(command.scan(path), command.scan(/^"([^"]+)"/)) if command.is_a?(String)
        found.concat(*texts.map { |text| text.scan(path) }).flatten
      end

      autorequire(:user) do
        user = self[:user]
        user if user && user !~ /^\d+$/
      end

      def self.instances
        []
      end

      def set_sensitive_parameters(names)
        shown = %i[command unless onlyif]
        shown.each { |name| parameter(name)&.sensitive = true } if names.intersect?(shown)
        super(names - shown)
      end
    end
  end
end
