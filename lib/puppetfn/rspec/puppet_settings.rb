# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The settings of Puppet's that have a value in every example, as code sees them in `$settings::name`: where Puppet's
    # files are, and how agents and servers find one another.
    #
    # @api private
    module PuppetSettings
      CONFDIR = File::NULL
      SSLDIR = File.join(CONFDIR, "ssl").freeze
      CADIR = "/etc/puppetlabs/puppetserver/ca"

      # Settings that are the same in all examples.
      FIXED = {
        codedir: File::NULL, logdir: File::NULL, rundir: File::NULL, publicdir: "/opt/puppetlabs/puppet/public",
        config: File.join(CONFDIR, "puppet.conf"), config_file_name: "puppet.conf", csr_attributes: File.join(CONFDIR, "csr_attributes.yaml"),
        fileserverconfig: File.join(CONFDIR, "fileserver.conf"), route_file: File.join(CONFDIR, "routes.yaml"),
        ssldir: SSLDIR, certdir: File.join(SSLDIR, "certs"), privatedir: File.join(SSLDIR, "private"),
        privatekeydir: File.join(SSLDIR, "private_keys"), publickeydir: File.join(SSLDIR, "public_keys"),
        requestdir: File.join(SSLDIR, "certificate_requests"), localcacert: File.join(SSLDIR, "certs", "ca.pem"),
        hostcrl: File.join(SSLDIR, "crl.pem"), cadir: CADIR, cacert: File.join(CADIR, "ca_crt.pem"),
        cakey: File.join(CADIR, "ca_key.pem"), capub: File.join(CADIR, "ca_pub.pem"), cacrl: File.join(CADIR, "ca_crl.pem"),
        csrdir: File.join(CADIR, "requests"), signeddir: File.join(CADIR, "signed"), serial: File.join(CADIR, "serial"),
        server: "puppet", serverport: 8140, masterport: 8140, ca_server: "puppet", ca_port: 8140, report_server: "puppet",
        report_port: 8140, dns_alt_names: "", user: "puppet", group: "puppet", default_manifest: "./manifests",
        environment_timeout: 0, runinterval: 1800, digest_algorithm: "sha256", keylength: 512, report: true, reports: "store",
        pluginsync: true, storeconfigs: false, storeconfigs_backend: "puppetdb", node_terminus: "plain",
        catalog_terminus: "compiler", external_nodes: "none", http_proxy_host: "none", http_proxy_port: 3128,
        autosign: false, rich_data: true, splay: false, show_diff: false
      }.freeze
      # Settings below the directory of the example.
      BELOW_VARDIR = {
        statedir: "state", libdir: "lib", plugindest: "lib", pluginfactdest: "facts.d", bucketdir: "bucket",
        clientbucketdir: "clientbucket", reportdir: "reports", yamldir: "yaml", client_datadir: "client_data",
        statefile: "state/state.yaml", classfile: "state/classes.txt", lastrunreport: "state/last_run_report.yaml"
      }.freeze
      # The files that have the name of the node.
      OF_NODE = {hostcert: "certs", hostprivkey: "private_keys", hostpubkey: "public_keys", hostcsr: "certificate_requests"}.freeze
      private_constant :CONFDIR, :SSLDIR, :CADIR, :FIXED, :BELOW_VARDIR, :OF_NODE

      # @param vardir [String]
      # @param certname [String]
      # @return [Hash{Symbol=>Object}]
      def self.of(vardir, certname)
        FIXED.merge(BELOW_VARDIR.transform_values { |path| File.join(vardir, path) },
          OF_NODE.transform_values { |path| File.join(SSLDIR, path, "#{certname}.pem") }, vardir: vardir, certname: certname)
      end
    end
  end
end
