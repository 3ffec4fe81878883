# frozen_string_literal: true

require "json"
require_relative "catalog_request"
require_relative "http_client"
require_relative "service_result"
require_relative "service_state"

module Puppetfn
  module Terminus
    # The compile service, `puppetfn serve`.
    #
    # @api private
    class CompileService
      TARGET = "/v1/catalog"
      # Puppet compiles the catalog; the service is well.
      DECLINED = [400, 404, 413, 501].freeze
      private_constant :TARGET, :DECLINED

      # @param configuration [Configuration]
      def initialize(configuration)
        @client = HttpClient.new(configuration)
        @state = ServiceState.new(configuration.socket, configuration.retry_after)
      end

      # Asks for a node's catalog. Never raises an error.
      #
      # @param node [Puppet::Node]
      # @param options [Hash{Symbol=>Object}] of the request for the catalog
      # @return [ServiceResult]
      def compile(node, options)
        return ServiceResult.new(:unavailable, "it did not answer in time before") unless @state.ask?

        answer = @client.post(TARGET, CatalogRequest.new(node, options).to_json)
        result(node, answer)
      rescue CatalogRequest::Inexpressible => e
        declined(node, e.message)
      rescue HttpClient::Failure => e
        unusable(e.kind, e.message)
      rescue StandardError, SystemStackError => e
        # Messages of Ruby's own errors may have values in them.
        unusable(:invalid, "#{e.class} at #{(e.backtrace || []).first}")
      end

      # Notes that a catalog came, which may yet be left to Puppet.
      #
      # @return [void]
      def usable
        @state.answered
      end

      # Notes a catalog that is left to Puppet.
      #
      # @param node [Puppet::Node]
      # @param reason [String]
      # @return [ServiceResult]
      def declined(node, reason)
        @state.declined(node.environment.name.to_s, node.name, reason)
        ServiceResult.new(:declined, reason)
      end

      private

      def unusable(kind, message)
        @state.failed(kind, message)
        ServiceResult.new(:unavailable, message)
      end

      def result(node, answer)
        case answer.status
        when 200 then catalog(node, answer.body)
        when 422 then error(parse(answer.body))
        when *DECLINED then declined(node, message(answer))
        else
          # A node that takes long does not make the service a slow one.
          kind = answer.status == 503 ? :busy : :failing
          raise HttpClient::Failure.new(kind, message(answer))
        end
      end

      def catalog(node, body)
        data = parse(body)
        catalog = data["catalog"]
        invalid("its answer has no catalog") unless catalog.is_a?(Hash) && catalog["resources"].is_a?(Array)
        names = catalog.values_at("name", "environment")
        invalid("it answered with the catalog of #{names.join(" in ")}") unless names == [node.name, node.environment.name.to_s]

        ServiceResult.new(:catalog, nil, log(data), catalog, body.include?("\"__ptype\""))
      end

      def error(data)
        message = data["message"]
        invalid("its error has no message") unless message.is_a?(String)
        @state.answered
        # Puppet's compiler logs its error itself, and so does the terminus.
        ServiceResult.new(:error, message, log(data).reject { |entry| entry["message"] == message })
      end

      def message(answer)
        data = parse(answer.body)
        data["message"].is_a?(String) ? data["message"] : "its status is #{answer.status}"
      rescue HttpClient::Failure
        "its status is #{answer.status}"
      end

      def log(data)
        entries = data["log"] || []
        valid = entries.is_a?(Array) && entries.all? do |entry|
          entry.is_a?(Hash) && entry["message"].is_a?(String) && Puppet::Util::Log.levels.map(&:to_s).include?(entry["level"])
        end
        valid ? entries : invalid("its log is invalid")
      end

      def parse(body)
        invalid("its answer is not UTF-8") unless body.valid_encoding?
        data = JSON.parse(body, max_nesting: 1000, create_additions: false)
        data.is_a?(Hash) ? data : invalid("its answer is not a JSON object")
      rescue JSON::ParserError
        invalid("its answer is not JSON")
      end

      def invalid(message)
        raise HttpClient::Failure.new(:invalid, message)
      end
    end
  end
end
