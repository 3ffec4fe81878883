# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      class FileType
        # Reading of crontabs, which programs of the system print.
        module Crontab
          # Crontabs of users without one, and of users who may not have any, are empty.
          #
          # @param missing [Regexp] the program's message for users without a crontab
          # @param forbidden [Regexp] the program's message for users who may not use cron
          # @return [String]
          # @raise [FileReadError] for other messages
          def crontab_text(missing, forbidden)
            return yield if Util.uid(@path)

            Puppet.debug("The #{@path} user does not exist. Treating their crontab file as empty in case Puppet creates them in the middle " \
                         "of the run.")
            ""
          rescue StandardError => e
            return "" if e.to_s.match?(missing)
            raise FileReadError, "Could not read crontab for #{@path}: #{e}", e.backtrace unless e.to_s.match?(forbidden)

            Puppet.debug("The #{@path} user is not authorized to use cron. Their crontab file is treated as empty in case Puppet " \
                         "authorizes them in the middle of the run (by, for example, modifying the cron.deny or cron.allow files).")
            ""
          end
        end

        # Linux and the BSDs.
        newfiletype(:crontab) do
          include Crontab

          def initialize(user)
            self.path = user
          end

          # @raise [FileReadError] if the user cannot be looked up
          def path=(user)
            @uid = Util.uid(user)
            # The program takes names, on Linux no identifiers.
            @path = user
          rescue Puppet::Error => e
            raise FileReadError, "Could not retrieve user #{user}: #{e}", e.backtrace
          end

          def read
            crontab_text(/no crontab for/, /are not allowed to/) { Execution.execute("#{cmdbase} -l", failonfail: true, combine: true) }
          end

          def remove
            command = "#{cmdbase} -r"
            command = "/bin/echo yes | #{command}" if %w[Darwin FreeBSD DragonFly].include?(Puppet.runtime[:facter].value("os.name"))
            Execution.execute(command, failonfail: true, combine: true)
          end

          def write(text)
            raise Puppet::Error, "Cannot write the #{@path} user's crontab: The user does not exist" unless Util.uid(@path)

            ::IO.popen("#{cmdbase} -", "w", encoding: Encoding.default_external) { |pipe| pipe.print(text) }
          end

          private

          # Some systems do not let users name themselves.
          def cmdbase
            own = @uid == SUIDManager.uid || Puppet.runtime[:facter].value("os.name") == "HP-UX"
            own ? "crontab" : "crontab -u #{@path}"
          end
        end

        # Solaris and AIX, whose programs take a file and differ in their messages.
        {suntab: [/can't open your crontab/, /you are not authorized to use cron/],
         aixtab: [/open.*in.*directory/, /not.*authorized.*cron/]}.each do |name, (missing, forbidden)|
          newfiletype(name) do
            include Crontab

            define_method(:read) do
              crontab_text(missing, forbidden) { Execution.execute(%w[crontab -l], cronargs) }
            end

            def remove
              Execution.execute(%w[crontab -r], cronargs)
            rescue StandardError => e
              raise FileReadError, "Could not remove crontab for #{@path}: #{e}", e.backtrace
            end

            define_method(:write) do |text|
              file = ::Tempfile.new("puppet_#{name}", encoding: Encoding.default_external)
              begin
                file.print(text)
                file.close
                # The program runs as the user, who has to be able to read the file.
                ::File.chown(Util.uid(@path), nil, file.path)
                Execution.execute(["crontab", file.path], cronargs)
              rescue StandardError => e
                raise FileReadError, "Could not write crontab for #{@path}: #{e}", e.backtrace
              ensure
                file.close
                file.unlink
              end
            end
          end
        end
      end
    end
  end
end
