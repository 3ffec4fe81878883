# frozen_string_literal: true

module AgentVerifier
  # Certificates of agents that know the service alone: the requests go on to the authority of puppetserver.
  module AuthorityVerification
    # A name that the authority does not sign at once.
    NEW = "new1.example.net"
    # A renewal that is due at once: no certificate is valid for longer.
    DUE = %w[--hostcert_renewal_interval 20y].freeze
    # The longest time until a changed list of revoked certificates counts.
    NOTICED = 30
    private_constant :NEW, :DUE, :NOTICED

    private

    def verify_authority
      machine = AgentMachine.new(@server.root, "#{@directory}/#{NEW}", NEW)
      sign(machine)
      renew(machine) if @server.renews?
      revoke(machine)
    ensure
      machine&.remove
    end

    def sign(machine)
      run = ask(machine)
      check("an agent whose certificate is not signed", [run.status, run.output[/Couldn't fetch certificate/]], [1, "Couldn't fetch certificate"])
      check("puppetserver ca list", @server.ca("list"), /#{NEW}/)
      check("puppetserver ca sign", @server.ca("sign", "--certname", NEW), /Successfully signed/)
      check("an agent whose certificate is signed", ask(machine).status, 0)
      check("the certificate", certificate(machine).to_der, OpenSSL::X509::Certificate.new(File.read("#{@server.cadir}/signed/#{NEW}.pem")).to_der)
    end

    def renew(machine)
      first = certificate(machine)
      run = ask(machine, *DUE)
      check("an agent whose service may not have certificates renewed", [run.status, run.output[/Failed to automatically renew certificate: .*/]],
        [0, "Failed to automatically renew certificate: 400 Bad Request"])
      check("its certificate", certificate(machine).to_der, first.to_der)
      File.write("#{@server.cadir}/infra_inventory.txt", "localhost\n")
      run = ask(machine, *DUE)
      check("an agent whose certificate is renewed", [run.status, run.output[/Renewed client certificate/]], [0, "Renewed client certificate"])
      renewed = certificate(machine)
      check("the key and name of the new certificate", [renewed.public_key.to_der, renewed.subject], [first.public_key.to_der, first.subject])
      check("the new certificate is another", renewed.serial > first.serial, true)
      check("an agent with the new certificate", ask(machine).status, 0)
    end

    def revoke(machine)
      check("puppetserver ca revoke", @server.ca("revoke", "--certname", NEW), /revoked/i)
      deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + NOTICED
      run = ask(machine)
      run = ask(machine) until run.status == 1 || Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
      check("an agent whose certificate is revoked", [run.status, run.output[/certificate revoked/]], [1, "certificate revoked"])
      # Another agent gets the new list, if its own is old.
      @server.sign("other1.example.com")
      other = AgentMachine.new(@server.root, "#{@directory}/other", "other1.example.com")
      %w[certs private_keys].each { |kind| other.write(other.ssl(kind), @server.certificate("other1.example.com", kind)) }
      check("another agent", ask(other).status, 0)
      serials = OpenSSL::X509::CRL.new(File.read(other.file(other.revocations))).revoked.map { |entry| entry.serial.to_i }
      check("its list of revoked certificates has the agent's", serials.include?(certificate(machine).serial.to_i), true)
    ensure
      other&.remove
    end

    def ask(machine, *arguments) = machine.agent(@port, "--environment", "applied", "--noop", *arguments)

    def certificate(machine) = OpenSSL::X509::Certificate.new(File.read(machine.file(machine.ssl("certs"))))
  end
end
