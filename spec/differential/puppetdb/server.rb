# frozen_string_literal: true

require "fileutils"
require "json"
require "net/http"
require_relative "../../support/certificates"
require_relative "../../support/debian_root"

module Differential
  module PuppetDB
    # A real PuppetDB with its PostgreSQL: Debian's packages in a root of their own, listening on the loopback only.
    class Server
      PACKAGES = %w[puppetdb postgresql puppet-terminus-puppetdb openjdk-17-jre-headless procps].freeze
      HEAP = "256m"
      NAME = "localhost"
      private_constant :PACKAGES, :HEAP

      # @return [Certificates]
      attr_reader :certificates

      # @param root [String] the directory of the root; made by debootstrap if it is missing
      def initialize(root)
        @root = DebianRoot.new(root)
        @processes = []
      end

      # Starts PostgreSQL and PuppetDB for the length of a block.
      #
      # @yieldparam server [Server]
      # @return [Object] the block's result
      def run
        @root.install(PACKAGES, "usr/share/puppetdb/puppetdb.jar")
        @root.lock do
          FileUtils.rm_rf(@root.within("srv/run"))
          FileUtils.mkdir_p(@root.within("srv/run"))
          @certificates = Certificates.new(@root.within("srv/run/ssl"))
          @certificates.issue(NAME, alternatives: ["DNS:#{NAME}"])
          start_postgresql
          start_puppetdb
          yield self
        ensure
          stop
        end
      end

      # @return [String] the address for clients with a certificate
      def url = "https://#{NAME}:#{@ssl_port}"

      # @return [String] the address without TLS, on the loopback
      def plain_url = "http://127.0.0.1:#{@port}"

      # @return [String] the directory with the Ruby files of PuppetDB's termini
      def termini
        File.dirname(Dir.glob(@root.within("usr/{lib,share}/**/puppet/util/puppetdb.rb")).first, 3)
      end

      # @param query [Array, String] AST or PQL
      # @return [Object] PuppetDB's answer
      # @raise [RuntimeError] with the text of an error of PuppetDB
      def query(query)
        response = Net::HTTP.post(URI("#{plain_url}/pdb/query/v4"), JSON.generate(query: query), "Content-Type" => "application/json")
        raise "#{response.code}: #{response.body}" unless response.is_a?(Net::HTTPSuccess)

        JSON.parse(response.body)
      end

      # Returns the stored rows of all nodes.
      #
      # @return [Hash{String=>Array<Hash>}] resources, edges and facts, and when catalogs were stored
      def stored
        {"resources" => query("resources { }"), "edges" => query("edges { }"),
         "facts" => query("facts[certname, name, value] { name != 'trusted' }"), "times" => query("nodes[certname, catalog_timestamp] { }")}
      end

      # Waits until new catalogs of nodes are stored.
      #
      # @param nodes [Array<String>]
      # @param before [Hash{String=>Array<Hash>}] the rows of {#stored} from before
      # @return [void]
      def wait_for(nodes, before)
        old = before.fetch("times")
        600.times do
          new = query("nodes[certname, catalog_timestamp] { }")
          return if (nodes - (new - old).map { |node| node["certname"] }).empty?

          sleep(0.05)
        end
        raise "PuppetDB does not store the catalogs of #{nodes.join(", ")}"
      end

      # Removes all nodes.
      #
      # @return [void]
      def clear
        tables = "certnames, factsets, catalogs, catalog_resources, edges, reports, resource_params, resource_params_cache, environments, producers"
        psql("puppetdb", "truncate #{tables} cascade")
      end

      private

      def start_postgresql
        @database_port = @root.free_port
        programs = Dir.glob(@root.within("usr/lib/postgresql/*/bin")).max.delete_prefix(@root.directory)
        @root.inside("mkdir", "-p", "/srv/run/data", "/srv/run/sockets")
        @root.inside("chown", "-R", "postgres", "/srv/run/data", "/srv/run/sockets")
        @root.inside("#{programs}/initdb", "-D", "/srv/run/data", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", user: "postgres")
        start("postgres", "#{programs}/postgres", "-D", "/srv/run/data", "-p", @database_port.to_s, "-k", "/srv/run/sockets",
          "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", user: "postgres", signal: :QUIT)
        wait("PostgreSQL") { psql("postgres", "select 1") }
        psql("postgres", "create role puppetdb login superuser")
        psql("postgres", "create database puppetdb owner puppetdb")
      end

      def start_puppetdb
        @port, @ssl_port = @root.free_port, @root.free_port
        FileUtils.cp_r(@root.within("etc/puppetdb"), @root.within("srv/run/puppetdb"))
        File.write(@root.within("srv/run/puppetdb/conf.d/database.ini"), <<~INI)
          [database]
          subname = //127.0.0.1:#{@database_port}/puppetdb
          username = puppetdb
          password =
          gc-interval = 0
        INI
        File.write(@root.within("srv/run/puppetdb/conf.d/jetty.ini"), <<~INI)
          [jetty]
          host = 127.0.0.1
          port = #{@port}
          ssl-host = 127.0.0.1
          ssl-port = #{@ssl_port}
          ssl-key = /srv/run/ssl/private_keys/#{NAME}.pem
          ssl-cert = /srv/run/ssl/certs/#{NAME}.pem
          ssl-ca-cert = /srv/run/ssl/certs/ca.pem
        INI
        File.write(@root.within("srv/run/puppetdb/conf.d/config.ini"), <<~INI)
          [global]
          vardir = /srv/run/var
          logging-config = /srv/run/puppetdb/logback.xml
          [puppetdb]
          disable-update-checking = true
        INI
        FileUtils.mkdir_p(@root.within("srv/run/var"))
        log = "<configuration><appender name='O' class='ch.qos.logback.core.ConsoleAppender'><encoder><pattern>%d %p %m%n</pattern></encoder>" \
              "</appender><root level='warn'><appender-ref ref='O'/></root></configuration>"
        File.write(@root.within("srv/run/puppetdb/logback.xml"), log)
        File.write(@root.within("srv/run/restart"), "0")
        start("puppetdb", "java", "-Xmx#{HEAP}", "-Djava.security.egd=/dev/urandom", "-cp", "/usr/share/puppetdb/puppetdb.jar",
          "clojure.main", "-m", "puppetlabs.puppetdb.core", "services", "--config", "/srv/run/puppetdb/conf.d",
          "--bootstrap-config", "/etc/puppetdb/bootstrap.cfg", "--restart-file", "/srv/run/restart")
        wait("PuppetDB") { query("nodes[certname] { }") }
      end

      def start(name, *command, user: "root", signal: :TERM)
        @processes << [@root.start(*command, log: @root.within("srv/run/#{name}.log"), user: user), signal]
      end

      def stop
        # PostgreSQL does not wait for its clients then. Where this is started in the background, SIGINT is ignored.
        @processes.reverse_each { |pid, signal| @root.stop(pid, signal) }
        @processes.clear
      end

      def wait(name, &block) = @root.wait(name, @processes.map(&:first), &block)

      def psql(database, statement)
        @root.inside("psql", "-q", "-h", "/srv/run/sockets", "-p", @database_port.to_s, database, "-c", statement, user: "postgres")
      end
    end
  end
end
