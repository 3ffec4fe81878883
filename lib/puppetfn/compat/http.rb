# frozen_string_literal: true

require "net/http"
require "openssl"
require "time"
require "uri"

module Puppetfn
  module Puppet
    # Connections of functions and providers. There are no services of Puppet's servers, and no certificates of an agent.
    module HTTP
      extend StandIn

      # A request that failed.
      class HTTPError < Error; end
      # A request that reached no server.
      class ConnectionError < HTTPError; end
      class RouteError < HTTPError; end
      # An answer that breaks HTTP's rules.
      class ProtocolError < HTTPError; end
      # A parameter that no query can have.
      class SerializationError < HTTPError; end

      # An answer that is an error, for whoever raises it.
      class ResponseError < HTTPError
        # @return [Response]
        attr_reader :response

        def initialize(response)
          super(response.reason)
          @response = response
        end
      end

      # Answers that send a request from place to place.
      class TooManyRedirects < HTTPError
        def initialize(address)
          super("Too many HTTP redirections for #{address}")
        end
      end

      # Answers that ask again and again for a later request.
      class TooManyRetryAfters < HTTPError
        def initialize(address)
          super("Too many HTTP retries for #{address}")
        end
      end

      # An answer.
      class Response
        # @return [URI]
        attr_reader :url

        # @return [Integer]
        attr_reader :code

        # @return [String]
        attr_reader :reason

        def initialize(url, code, reason)
          @url, @code, @reason = url, code, reason
        end

        # @return [Boolean]
        def success?
          code.between?(200, 299)
        end

        # Reads what is left of the body.
        #
        # @return [true]
        def drain
          body
          true
        end
      end

      # An answer that Ruby's library has read.
      class ResponseNetHTTP < Response
        # @param url [URI]
        # @param nethttp [Net::HTTPResponse]
        def initialize(url, nethttp)
          super(url, nethttp.code.to_i, nethttp.message)
          @nethttp = nethttp
        end

        # @return [String]
        def body
          @nethttp.body
        end

        # @yieldparam chunk [String]
        def read_body(&block)
          raise ArgumentError, "A block is required" unless block

          @nethttp.read_body(&block)
        end

        # @param name [String] of a header
        # @return [String, nil]
        def [](name)
          @nethttp[name]
        end

        # @yieldparam name [String]
        # @yieldparam value [String]
        def each_header(&)
          @nethttp.each_header(&)
        end
      end

      autoload :Client, File.join(__dir__, "http", "client")
    end
  end
end
