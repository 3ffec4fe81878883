# frozen_string_literal: true

require "open3"
require "socket"
require "uri"
require_relative "certificates"
require_relative "compile_service"
require_relative "module_tree"

# A running `puppetfn serve --listen`, with a certificate authority of its own.
module AgentService
  include ModuleTree

  # Requests with the certificates of an authority.
  Requests = Struct.new(:certificates, :port) do
    # @param client [String, nil] the name of the certificate, if there is one
    # @return [Net::HTTPResponse]
    def ask(method, path, client: "web", body: nil, headers: {}, authority: certificates)
      options = certificates.client(nil).merge(authority.client(client).slice(:cert, :key))
      Net::HTTP.start("localhost", port, **options) do |http|
        http.send_request(method, path, body, headers)
      end
    end

    # Sends JSON.
    # @return [Net::HTTPResponse]
    def put(path, data, **options)
      body = data.is_a?(String) ? data : JSON.generate(data)
      ask("PUT", path, body: body, headers: {"Content-Type" => "application/json"}, **options)
    end

    # @return [String] the status of a request that all clients may send, or `refused`
    def shake_hands(client, authority: certificates)
      ask("GET", "/puppet/v3/environments", client: client, authority: authority).code
    rescue OpenSSL::SSL::SSLError, SystemCallError, EOFError
      "refused"
    end

    def catalog(name, facts: {}, client: name, **parameters)
      encoded = URI.encode_www_form_component(JSON.generate({name: name, values: facts}))
      form = URI.encode_www_form({environment: "production", facts_format: "application/json", facts: encoded}.merge(parameters))
      headers = {"Content-Type" => "application/x-www-form-urlencoded", "Accept" => "application/vnd.puppet.rich+json, application/json"}
      ask("POST", "/puppet/v3/catalog/#{name}", client: client, body: form, headers: headers)
    end
  end

  # Runs a service, and yields requests, the directory of its files, its authority and the service itself.
  #
  # @param files [Hash{String=>String}]
  # @param options [Array<String>] of the command
  # @param settings [Hash{Symbol=>Object}] of `puppet.conf`, or a block that returns them
  # @param before [Proc, nil] is called with the directory and the authority before the service starts, and returns more settings
  def listen(files = {}, *options, settings: {}, before: nil)
    with_modules({"environments/production/manifests/site.pp" => "notice('compiled')"}.merge(files)) do |root|
      certificates = Certificates.new("#{root}/ssl")
      certificates.issue("server", alternatives: ["DNS:localhost"])
      certificates.issue("web")
      settings = settings.merge(before.call(root, certificates) || {}) if before
      write_configuration(root, settings)
      port = TCPServer.open("127.0.0.1", 0) { |server| server.addr[1] }
      CompileService.run("--listen", "127.0.0.1:#{port}", "--config", "#{root}/puppet.conf", "--workers", "1", *options, socket: false) do |service|
        yield Requests.new(certificates, port), root, certificates, service
      end
    end
  end

  # Runs a command of a real Puppet with the certificate `web` and a directory of its own below `root`.
  #
  # @param variables [Hash{String=>String}]
  # @return [Array(String, Process::Status)] the output
  def puppet(requests, root, *arguments, variables: {})
    agent = "#{root}/agent"
    FileUtils.mkdir_p(agent)
    FileUtils.cp_r("#{root}/ssl", agent) unless File.exist?("#{agent}/ssl")
    places = %W[--confdir #{agent} --vardir #{agent}/var --ssldir #{agent}/ssl --rundir #{agent}/run --logdir #{agent}/log]
    Open3.capture2e(variables, "puppet", *arguments, "--server", "localhost", "--serverport", requests.port.to_s, "--certname", "web", *places)
  end

  private

  def write_configuration(root, settings)
    settings = {
      ssldir: "#{root}/ssl", certname: "server", environmentpath: "#{root}/environments", reportdir: "#{root}/reports", confdir: root,
      vardir: "#{root}/var", trusted_oid_mapping_file: "#{root}/oids.yaml"
    }.merge(settings)
    File.write("#{root}/puppet.conf", "[main]\n#{settings.map { |name, value| "#{name} = #{value}\n" }.join}")
  end
end
