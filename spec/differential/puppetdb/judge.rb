# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"
require "tmpdir"
require_relative "repository"
require_relative "server"

module Differential
  module PuppetDB
    # Compares catalogs with exported resources: Puppet with PuppetDB's termini, puppetfn with the same PuppetDB, and puppetfn without it.
    class Judge
      # The keys that differ between catalogs of the same content.
      IDENTITY = %w[catalog_uuid version environment catalog_format transaction_uuid code_id].freeze
      PUPPETFN = [RbConfig.ruby, "-W0", "-I", File.expand_path("../../../lib", __dir__), File.expand_path("../../../exe/puppetfn", __dir__)].freeze
      private_constant :IDENTITY, :PUPPETFN

      # @param server [Server] a running PuppetDB
      def initialize(server)
        @server = server
        @settings = {
          "certname" => Server::NAME, "localcacert" => certificate("certs/ca.pem"), "hostcrl" => certificate("crl.pem"),
          "hostcert" => certificate("certs/#{Server::NAME}.pem"), "hostprivkey" => certificate("private_keys/#{Server::NAME}.pem")
        }
      end

      # Compares random repositories.
      #
      # @param seeds [Enumerable<Integer>]
      # @return [Hash{String=>Object}] how many catalogs and errors were the same, and the differences
      def compare(seeds)
        counts = {"catalogs" => 0, "errors" => 0, "stored" => 0, "unsettled" => 0, "differences" => []}
        puppet do |input, output|
          seeds.each do |seed|
            Dir.mktmpdir do |directory|
              @server.clear
              repository = Repository.new(seed)
              repository.write("#{directory}/code")
              input.puts(JSON.generate(["#{directory}/code", repository.nodes]))
              judge(seed, directory, repository.nodes, JSON.parse(output.gets || raise("Puppet has ended")), counts)
            end
          end
        end
        counts
      end

      private

      def certificate(file) = @server.certificates.path(file)

      def puppet
        settings = {termini: @server.termini, url: @server.url, plain_url: @server.plain_url,
                    puppet: @settings.merge("storeconfigs" => true, "strict" => "error", "strict_variables" => true)}
        # Another Puppet than the installed one is tried with its library.
        library = ENV.fetch("PUPPETFN_PUPPET_LIB", nil)
        command = [RbConfig.ruby, "-W0", *(["-I", library] if library), File.expand_path("puppet_side.rb", __dir__), JSON.generate(settings)]
        Open3.popen2(*command) { |input, output, _| yield input, output }
      end

      def judge(seed, directory, nodes, expected, counts)
        raise expected["failure"] if expected["failure"]
        return counts["unsettled"] += 1 if expected["unsettled"]

        settings = @settings.except("certname").map { |name, value| "--setting=#{name}=#{value}" }
        before = @server.stored
        {"offline" => [], "live" => ["--puppetdb-url=#{@server.url}", "--store", *settings]}.each do |door, options|
          made = compiled(directory, door, options)
          nodes.each do |node|
            wanted, got = normal(expected.fetch(node), node), normal(made.call(node), node)
            next counts["differences"] << [seed, door, node, *first_difference(wanted, got)] unless wanted == got

            counts[got["error"] ? "errors" : "catalogs"] += 1
          end
        end
        compare_stored(seed, before, nodes.reject { |node| expected.fetch(node)["error"] }, counts)
      end

      # The rows stored by puppetfn replace the rows of Puppet's termini.
      def compare_stored(seed, before, nodes, counts)
        @server.wait_for(nodes, before)
        after = @server.stored
        %w[resources edges facts].each do |kind|
          wanted, got = before.fetch(kind) - after.fetch(kind), after.fetch(kind) - before.fetch(kind)
          next counts["stored"] += after.fetch(kind).size if wanted.empty? && got.empty?

          counts["differences"] << [seed, "stored #{kind}", wanted.to_s[0, 400], got.to_s[0, 400]]
        end
      end

      def compiled(directory, door, options)
        out = "#{directory}/#{door}"
        named = ["--nodes", "#{directory}/code/facts", "--environment", "#{directory}/code", "--environment-name", "production"]
        _, log, = Open3.capture3(*PUPPETFN, "compile", *named, "--out", out, *options)
        raise log if Dir.glob("#{out}/{catalogs,errors}/*.json").empty?

        lambda do |node|
          error = "#{out}/errors/#{node}.json"
          next {"error" => JSON.parse(File.read(error))["message"]} if File.exist?(error)

          {"catalog" => JSON.parse(File.read("#{out}/catalogs/#{node}.json"))}
        end
      end

      # PuppetDB's answers have no order: neither have resources and edges here, nor does the first of several duplicates count.
      def normal(result, node)
        return {"error" => result["error"].sub(" on node #{node}", "").sub(/(with the type and title) .*/, "\\1")} if result["error"]

        catalog = result["catalog"].except(*IDENTITY)
        {"catalog" => catalog.merge("resources" => catalog["resources"].sort_by { |found| found.values_at("type", "title") },
          "edges" => catalog["edges"].sort_by { |edge| edge.values_at("source", "target") })}
      end

      def first_difference(wanted, got)
        return [wanted.to_s[0, 400], got.to_s[0, 400]] unless wanted["catalog"] && got["catalog"]

        name = wanted["catalog"].keys.find { |key| wanted["catalog"][key] != got["catalog"][key] } || "another key"
        one, other = [wanted, got].map { |side| side["catalog"][name] }
        one, other = one - other, other - one if one.is_a?(Array) && other.is_a?(Array)
        [name, one.to_s[0, 400], other.to_s[0, 400]]
      end
    end
  end
end
