# frozen_string_literal: true

require "json"
require "net/http"
require "securerandom"

module Differential
  module PuppetDB
    # Facts and catalogs of a few nodes, with values of all kinds, which a real PuppetDB stores.
    class QueryData
      NODES = %w[web1 web2 web10 db1 db2 Mixed.example.com lone].freeze
      TIME = "2024-05-01T10:00:00.000Z"
      # The entities whose answers are taken from PuppetDB.
      ENTITIES = %w[inventory resources edges nodes environments factsets].freeze
      private_constant :TIME

      # @param server [Server]
      def initialize(server)
        @server = server
      end

      # Stores facts and catalogs, and waits until they are there.
      #
      # @return [void]
      def store
        NODES.each_with_index do |node, index|
          command("replace_facts", 5, node, facts(node, index))
          command("replace_catalog", 9, node, catalog(node, index)) unless node == "lone"
        end
        200.times do
          return if stored?

          sleep(0.1)
        end
        raise "PuppetDB stores no facts and catalogs"
      end

      # @return [Hash{String=>Array<Hash>}] PuppetDB's rows by entity
      def tables
        ENTITIES.to_h { |entity| [entity, JSON.parse(Net::HTTP.get(URI("#{@server.plain_url}/pdb/query/v4/#{entity}")))] }
      end

      private

      def stored?
        @server.query("factsets[certname] {}").size == NODES.size && @server.query("resources[certname] {}").map { |row| row["certname"] }.uniq.size == NODES.size - 1
      end

      def command(name, version, node, payload)
        uri = URI("#{@server.plain_url}/pdb/cmd/v1?command=#{name}&version=#{version}&certname=#{node}&producer-timestamp=#{TIME}")
        response = Net::HTTP.post(uri, JSON.generate(payload), "Content-Type" => "application/json")
        raise "#{name}: #{response.code} #{response.body}" unless response.is_a?(Net::HTTPSuccess)
      end

      def facts(node, index)
        values = {
          "kernel" => %w[Linux linux SunOS][index % 3], "uptime" => index * 100, "load" => index / 4.0, "virtual" => index.odd?,
          "zone" => index.even? ? index : index.to_s, "none" => nil, "empty" => "", "tags" => %w[a b c].first(index % 4), "deep" => {"a.b" => {"c-d" => index, "e" => nil}},
          "os" => {"family" => %w[Debian RedHat][index % 2], "release" => {"major" => (index + 7).to_s, "full" => "#{index + 7}.1"}},
          "disks" => Array.new(index % 3) { |disk| {"size" => disk * 10, "name" => "sd#{disk}", "7" => "seven"} },
          "many" => (0..index + 6).to_h { |number| ["key#{number}", number] }, "trusted" => {"certname" => node, "extensions" => index.odd? ? {"pp_role" => "web"} : {}}
        }
        values.delete("zone") if index == 5
        values["text"] = "a\nb \"q\" \\ ü" if index == 2
        {"certname" => node, "environment" => %w[production test][index % 2], "producer_timestamp" => TIME, "producer" => "server", "values" => values}
      end

      def catalog(node, index)
        resources = [
          resource("Class", "Main", [], nil, {}), resource("Class", "Apache", %w[web apache], 3, {"port" => 80 + index, "ssl" => index.odd?, "names" => %w[x y], "opts" => {"b" => 1, "a" => [nil, 2]}}),
          resource("File", "/etc/motd", %w[file motd], 4, {"ensure" => %w[present absent][index % 2], "mode" => "0644", "content" => "hello #{node}"}),
          resource("Notify", "n#{index}", %w[notify], 5, {"message" => index, "weight" => 1.5}), resource("User", node, %w[user], 6, {"uid" => index.to_s}, exported: true)
        ]
        edges = [["Class", "Main", "Class", "Apache", "contains"], ["File", "/etc/motd", "Notify", "n#{index}", "before"]]
        edges = edges.map { |st, s, tt, t, relationship| {"source" => {"type" => st, "title" => s}, "target" => {"type" => tt, "title" => t}, "relationship" => relationship} }
        {"certname" => node, "version" => "v#{index}", "environment" => %w[production test][index % 2], "transaction_uuid" => SecureRandom.uuid, "catalog_uuid" => SecureRandom.uuid,
         "code_id" => nil, "job_id" => nil, "producer_timestamp" => TIME, "producer" => "server", "resources" => resources, "edges" => edges}
      end

      def resource(type, title, tags, line, parameters, exported: false)
        {"type" => type, "title" => title, "tags" => [*tags, type.downcase], "exported" => exported, "file" => line && "/site.pp", "line" => line, "parameters" => parameters}.compact
      end
    end
  end
end
