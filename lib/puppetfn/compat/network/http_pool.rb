# frozen_string_literal: true

require "cgi"
require "json"
require "net/http"
require "uri"

module Puppetfn
  module Puppet
    module Network
      # Connections to PuppetDB, whose queries the runtime answers. See Puppet's `network/http_pool.rb`.
      module HttpPool
        # A connection that only knows the endpoints of PuppetDB's queries.
        class Connection
          ENDPOINT = %r{\A/+pdb/query/v4(?:/(?<entity>[a-z_-]+))?/?\z}
          private_constant :ENDPOINT

          # @param path [String] of an endpoint, with the query in JSON as its parameter `query`
          # @return [Net::HTTPResponse]
          def get(path, _headers = {}, _options = {})
            path, parameters = path.to_s.split("?", 2)
            query = CGI.parse(parameters.to_s)["query"].first
            answer(path, query && read(query))
          end

          # @param path [String] of an endpoint
          # @param body [String] JSON with the query as `query`
          # @return [Net::HTTPResponse]
          def post(path, body, _headers = {}, _options = {})
            answer(path.to_s, JSON.parse(body)["query"])
          end

          private

          # The endpoint without an entity takes PQL, too.
          def read(query)
            query.lstrip.start_with?("[") ? JSON.parse(query) : query
          end

          def answer(path, query)
            endpoint = ENDPOINT.match(path) or raise UnavailableError, "Puppet::Network::HttpPool: #{path}"
            rows = Runtime.current!("Puppet::Network::HttpPool").query_puppetdb(query, endpoint[:entity])
            respond(Net::HTTPOK, "200", "OK", JSON.generate(rows))
          rescue Puppet::Error => e
            respond(Net::HTTPBadRequest, "400", e.message, e.message)
          end

          def respond(response, code, message, body)
            response.new("1.1", code, message).tap do |made|
              made.instance_variable_set(:@read, true)
              made.body = body
            end
          end
        end

        module_function

        # @return [Connection]
        def http_instance(_host = nil, _port = nil, _use_ssl = true, _verify_peer = true)
          # Ruby 3 has no such method, which the module dalen-puppetdbquery calls.
          URI.define_singleton_method(:escape) { |text| URI::DEFAULT_PARSER.escape(text) } unless URI.respond_to?(:escape)
          Connection.new
        end

        # (see http_instance)
        def connection(_host = nil, _port = nil, **)
          http_instance
        end
      end
    end
  end
end
