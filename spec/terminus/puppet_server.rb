# frozen_string_literal: true

require "etc"
require "fileutils"
require "json"
require "net/http"
require "open3"
require "openssl"
require_relative "../support/debian_root"

module TerminusVerifier
  # A real puppetserver with agents: Debian's packages in a root of their own, on the loopback only.
  class PuppetServer
    PACKAGES = %w[puppetserver puppet-agent default-jre-headless lsb-release procps netbase].freeze
    HEAP = "1g"
    NAME = "localhost"
    LIKE_PUPPET_7 = %w[--strict warning --no-strict-variables].freeze
    # Certificates of names in this domain are signed at once.
    SIGNED = "example.com"
    USER = "puppet"
    JRUBIES = 2
    GEMSPEC = File.expand_path("../../puppetfn-terminus.gemspec", __dir__)
    private_constant :PACKAGES, :HEAP, :USER, :GEMSPEC, :SIGNED, :LIKE_PUPPET_7

    # The output and exit code of an agent.
    AgentRun = Struct.new(:output, :status)

    # @return [Integer] the port of the server
    attr_reader :port

    # @return [DebianRoot]
    attr_reader :root

    # @param root [String] the directory of the root; made by debootstrap if it is missing
    # @param suite [String] the release of a root that is missing
    # @param authority [Hash{String=>Object}] settings of the certificate authority
    # @param terminus [Boolean] whether the catalog terminus is installed, and catalogs can be static
    def initialize(root, suite: "bookworm", authority: {}, terminus: true)
      @root = DebianRoot.new(root, suite: suite)
      @authority, @terminus = authority, terminus
      # The same path within the root, where the directory is mounted again, so that catalogs of services outside name the same files.
      @run = @root.within("srv/run")
    end

    # Starts the server for the length of a block.
    #
    # @param before [Proc] called before the server starts, which remembers environments
    # @return [Object] the block's result
    def run(before: -> {})
      @root.install(PACKAGES, "usr/share/puppetserver/puppetserver.jar")
      @root.lock do
        prepare
        before.call
        start
        yield self
      ensure
        stop
        unmount
      end
    end

    # @return [String] the directory of environments
    def environments = "#{@run}/code/environments"

    # @return [String] the directory of the server's own certificates
    def ssldir = "#{@run}/ssl"

    # @return [String] the directory of reports
    def reports = "#{@run}/var/reports"

    # @return [String] the directory of the certificate authority
    def cadir = "#{@run}/ca"

    # @param name [String] of an agent with {#sign}
    # @param kind [String] `certs` or `private_keys`
    # @return [String] PEM
    def certificate(name, kind) = File.read("#{@run}/agents/#{name}/ssl/#{kind}/#{name}.pem")

    # @return [Array<String>] options of the service for the defaults of the server's Puppet
    def defaults = version.start_with?("7.") ? LIKE_PUPPET_7 : []

    # @return [String] the version of Puppet
    def version = @version ||= @root.inside("puppet", "--version").chomp

    # @return [Boolean] whether the certificate authority renews certificates
    def renews? = @authority.key?("allow-auto-renewal")

    # Runs a command of the certificate authority.
    #
    # @return [String] its output
    def ca(*arguments) = @root.inside("puppetserver", "ca", *arguments, "--config", "#{@run}/conf/puppet.conf")

    # @return [String] the path of a file below a directory that the server and agents can use
    def shared(name) = "#{@run}/shared/#{name}"

    # Sets the configuration of the terminus, which the server reads when it is started.
    #
    # @param settings [Hash{Symbol=>Object}]
    def configure(**settings)
      File.write("#{@run}/conf/puppetfn.conf", "[main]\n#{settings.map { |name, value| "#{name} = #{value}\n" }.join}")
      FileUtils.chmod(0o644, "#{@run}/conf/puppetfn.conf")
    end

    # Sets the catalog terminus in `puppet.conf`.
    #
    # @param name [String]
    def terminus=(name)
      write_settings(name)
    end

    # Starts the server, and waits until it answers.
    def start
      @log_start = File.exist?(log_file) ? File.size(log_file) : 0
      @pid = @root.start("java", "-Xms#{HEAP}", "-Xmx#{HEAP}", "-Djava.security.egd=/dev/urandom",
        "-Djruby.logger.class=com.puppetlabs.jruby_utils.jruby.Slf4jLogger", "-Djruby.lib=/usr/share/jruby/lib", "-Duser.home=#{@run}",
        "-jar", "/usr/share/puppetserver/puppetserver.jar", "--config", "#{@run}/conf.d", "--bootstrap-config", "/etc/puppet/puppetserver/services.d",
        "--restart-file", "#{@run}/restart", log: "#{@run}/output.log", user: USER)
      @root.wait("puppetserver, with the log #{log_file},", [@pid]) { raise "not running" unless get("/status/v1/simple").include?("running") }
    end

    # Ends the server.
    def stop
      @root.stop(@pid) if @pid
      @pid = nil
    end

    # Starts the server again with another configuration.
    def restart
      stop
      start
    end

    # Runs an agent once.
    #
    # @param name [String]
    # @param arguments [Array<String>]
    # @return [AgentRun]
    def agent(name, *arguments) = puppet(name, "agent", "--test", "--color=false", *arguments)

    # @param name [String]
    # @return [String] the YAML of an agent's last report
    def report(name) = File.read(Dir.glob("#{@run}/agents/#{name}/var/**/last_run_report.yaml").first)

    # Removes an agent's state of earlier runs.
    #
    # @param name [String]
    # @return [void]
    def forget(name) = FileUtils.rm_rf("#{@run}/agents/#{name}/var")

    # Allows a client to ask for the catalogs of all nodes, and to {#forget_environments}, from the next start on.
    #
    # @param client [String]
    # @return [void]
    def allow(client)
      file = "#{@run}/conf.d/auth.conf"
      rule = "{match-request: {path: \"/puppet-admin-api/v1\", type: path}, allow: \"#{client}\", sort-order: 1, name: \"environments\"},"
      File.write(file, File.read(file).sub('allow: "$1"', "allow: [\"$1\", \"#{client}\"]").sub("rules: [", "rules: [#{rule}"))
    end

    # Has all environments loaded anew.
    #
    # @param client [String] allowed with {#allow}
    # @return [void]
    def forget_environments(client)
      answer = as(client) { |http| http.delete("/puppet-admin-api/v1/environment-cache") }
      raise "the environments stay: #{answer.code} #{answer.body}" unless answer.code == "204"
    end

    # Makes the server's user the owner of files.
    #
    # @param path [String]
    # @return [void]
    def give(path) = @root.inside("chown", "-R", "#{USER}:#{USER}", path)

    # Gets a certificate, as `puppet ssl bootstrap` does for an agent.
    #
    # @param name [String]
    # @return [void]
    def sign(name)
      key = OpenSSL::PKey::RSA.new(2048)
      request = OpenSSL::X509::Request.new
      request.version, request.subject, request.public_key = 0, OpenSSL::X509::Name.parse("/CN=#{name}"), key
      request.sign(key, OpenSSL::Digest.new("SHA256"))
      certificate = https do |http|
        http.send_request("PUT", "/puppet-ca/v1/certificate_request/#{name}", request.to_pem, "Content-Type" => "text/plain")
        http.get("/puppet-ca/v1/certificate/#{name}").body
      end
      {"certs" => certificate, "private_keys" => key.private_to_pem}.each do |directory, text|
        FileUtils.mkdir_p("#{@run}/agents/#{name}/ssl/#{directory}")
        File.write("#{@run}/agents/#{name}/ssl/#{directory}/#{name}.pem", text)
      end
    end

    # Asks for a catalog as an agent does.
    #
    # @param name [String] of an agent that has run before
    # @param facts [Hash]
    # @param client [String] the name of the certificate
    # @return [Net::HTTPResponse]
    def catalog(name, facts, environment: "production", static: false, client: name)
      form = {"environment" => environment, "facts_format" => "application/json", "transaction_uuid" => "11111111-2222-3333-4444-555555555555",
              "facts" => URI.encode_www_form_component(JSON.generate({"name" => name, "values" => facts}))}
      form.update("static_catalog" => "true", "checksum_type" => "sha256.md5") if static
      as(client) do |http|
        request = Net::HTTP::Post.new("/puppet/v3/catalog/#{name}?environment=#{environment}", "Accept" => "application/vnd.puppet.rich+json, application/json")
        request.set_form_data(form)
        http.request(request)
      end
    end

    # @return [Integer] the JRuby instances without a request
    def free_jrubies
      services = JSON.parse(get("/status/v1/services?level=debug"))
      services.dig("jruby-metrics", "status", "experimental", "metrics", "num-free-jrubies")
    end

    # @return [Float] the processor time that the server has used
    def processor_time
      fields = File.read("/proc/#{@pid}/stat").split(") ").last.split
      fields.values_at(11, 12).sum(&:to_i).fdiv(Etc.sysconf(Etc::SC_CLK_TCK))
    end

    # @return [Integer] its memory in bytes
    def memory = File.read("/proc/#{@pid}/statm").split[1].to_i * 4096

    # @return [String] the log since the last start
    def log = File.open(log_file, "rb") { |file| file.seek(@log_start) && file.read.force_encoding("UTF-8") }

    private

    def puppet(name, *arguments)
      directory = "#{@run}/agents/#{name}"
      places = %w[confdir vardir ssldir rundir logdir publicdir].flat_map { |setting| ["--#{setting}", "#{directory}/#{setting.delete_suffix("dir")}"] }
      output, status = Open3.capture2e({"LANG" => "C.UTF-8"}, "timeout", "300", "chroot", @root.directory, "puppet", *arguments, *places,
        "--server", NAME, "--serverport", @port.to_s, "--certname", name, "--waitforcert", "0")
      AgentRun.new(output, status.exitstatus)
    end

    def log_file = "#{@run}/server.log"

    def prepare
      mount_run
      %w[conf conf.d code/environments/production/manifests var/jruby-gems shared agents log].each { |path| FileUtils.mkdir_p("#{@run}/#{path}") }
      install_gem if @terminus
      File.write(@root.within("etc/hosts"), "127.0.0.1 localhost\n")
      @port = @root.free_port
      # Only an existing file keeps its owner.
      File.write("#{@run}/restart", "0")
      configure(mode: "off")
      write_settings(@terminus ? "puppetfn" : "compiler")
      write_services
      give(@run)
    end

    def mount_run
      unmount
      FileUtils.rm_rf(@run)
      [@run, mounted].each { |path| FileUtils.mkdir_p(path) }
      @root.sh("mount", "--bind", @run, mounted)
    end

    def unmount
      @root.sh("umount", mounted) if File.read("/proc/mounts").include?(" #{mounted} ")
    end

    def mounted = @root.within(@run)

    # Installs the terminus as `puppetserver gem install` does.
    def install_gem
      file = shared("puppetfn-terminus.gem")
      @root.sh("gem", "build", "--quiet", "--output", file, GEMSPEC, chdir: File.dirname(GEMSPEC))
      @root.inside("env", "GEM_HOME=#{@run}/var/jruby-gems", "jruby", "-S", "gem", "install", "--local", "--no-document", file)
    end

    def write_settings(terminus)
      File.write("#{@run}/conf/puppet.conf", <<~INI)
        [main]
        certname = #{NAME}
        ssldir = #{@run}/ssl
        server = #{NAME}
        serverport = #{@port}
        [server]
        cadir = #{@run}/ca
        autosign = #{@run}/conf/autosign.conf
        catalog_terminus = #{terminus}
        reports = store
        environment_timeout = unlimited
      INI
    end

    def write_services
      FileUtils.cp(@root.within("etc/puppet/puppetserver/conf.d/auth.conf"), "#{@run}/conf.d/auth.conf")
      FileUtils.cp(@root.within("etc/puppet/puppetserver/conf.d/web-routes.conf"), "#{@run}/conf.d/web-routes.conf")
      File.write("#{@run}/conf.d/ca.conf", JSON.generate("certificate-authority" => @authority))
      File.write("#{@run}/conf/autosign.conf", "#{NAME}\n*.#{SIGNED}\n")
      File.write("#{@run}/conf.d/global.conf", "global: {logging-config: #{@run}/logback.xml}\n")
      File.write("#{@run}/conf.d/metrics.conf", "metrics: {server-id: localhost}\n")
      File.write("#{@run}/conf.d/webserver.conf", "webserver: {client-auth: want, ssl-host: 127.0.0.1, ssl-port: #{@port}}\n")
      File.write("#{@run}/conf.d/puppetserver.conf", <<~CONF)
        jruby-puppet: {
          ruby-load-path: [/usr/lib/puppetserver/ruby/vendor_ruby]
          gem-home: #{@run}/var/jruby-gems
          gem-path: [#{@run}/var/jruby-gems, /usr/lib/puppetserver/vendored-jruby-gems]
          server-conf-dir: #{@run}/conf, server-code-dir: #{@run}/code, server-var-dir: #{@run}/var, server-run-dir: #{@run}/run, server-log-dir: #{@run}/log
          max-active-instances: #{JRUBIES}
        }
        http-client: {}
        profiler: {}
        dropsonde: {enabled: false}
        #{versioned_code if @terminus}
      CONF
      File.write("#{@run}/logback.xml", <<~XML)
        <configuration><appender name="F" class="ch.qos.logback.core.FileAppender"><file>#{@run}/server.log</file>
        <encoder><pattern>%-5p [%c{2}] %m%n</pattern></encoder></appender><root level="info"><appender-ref ref="F"/></root></configuration>
      XML
    end

    # Code has the name of its environment as identifier, so that catalogs for agents are static. The content is the current one.
    def versioned_code
      content = "#{@run}/code-content"
      File.write(content, "#!/bin/sh\nexec cat \"#{environments}/$1/$3\"\n", perm: 0o755)
      "versioned-code: {code-id-command: /bin/echo, code-content-command: #{content}}"
    end

    # Yields a connection with the certificate of a client.
    def as(client)
      https do |http|
        http.cert = OpenSSL::X509::Certificate.new(certificate(client, "certs"))
        http.key = OpenSSL::PKey.read(certificate(client, "private_keys"))
        yield http
      end
    end

    def get(target) = https { |http| http.get(target).body }

    def https
      http = Net::HTTP.new(NAME, @port)
      http.use_ssl = true
      http.verify_mode = OpenSSL::SSL::VERIFY_NONE
      http.read_timeout = 300
      yield http
    end
  end
end
