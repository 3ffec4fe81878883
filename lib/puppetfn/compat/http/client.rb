# frozen_string_literal: true

require "cgi"

module Puppetfn
  module Puppet
    module HTTP
      # Sends requests and follows answers to other places and times. See Puppet's `http/client.rb`.
      class Client
        REDIRECTED = [301, 302, 307].freeze
        LATER = [429, 503].freeze
        private_constant :REDIRECTED, :LATER

        def initialize(redirect_limit: 10, retry_limit: 100, **)
          @redirect_limit, @retry_limit = redirect_limit, retry_limit
        end

        # @param url [URI]
        # @option options [Boolean] :include_system_store whether the server's certificate is one that this machine trusts
        # @option options [Hash] :basic_auth `user` and `password`
        # @option options [Integer] :redirect_limit
        # @yieldparam response [Response]
        # @return [Response]
        def get(url, headers: {}, params: {}, options: {}, &block)
          perform(Net::HTTP::Get, url, headers, params, options, &block)
        end

        # (see get)
        def head(url, headers: {}, params: {}, options: {})
          perform(Net::HTTP::Head, url, headers, params, options)
        end

        # (see get)
        def delete(url, headers: {}, params: {}, options: {})
          perform(Net::HTTP::Delete, url, headers, params, options)
        end

        # @param url [URI]
        # @param body [String]
        # @param headers [Hash] with a `Content-Type`
        # @return [Response]
        def put(url, body, headers: {}, params: {}, options: {})
          raise ArgumentError, "'put' requires a string 'body' argument" unless body.is_a?(String)

          perform(Net::HTTP::Put, url, headers, params, options, body: body)
        end

        # (see put)
        def post(url, body, headers: {}, params: {}, options: {}, &block)
          raise ArgumentError, "'post' requires a string 'body' argument" unless body.is_a?(String)

          perform(Net::HTTP::Post, url, headers, params, options, body: body, &block)
        end

        # @param uri [URI]
        # @yieldparam http [Net::HTTP] connected
        # @return [Object] what the block returns
        # @raise [HTTPError]
        def connect(uri, options: {}, &block)
          started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
          connected = false
          connection(uri, options).start do |http|
            connected = true
            block&.call(http)
          end
        rescue HTTPError, UnavailableError
          raise
        rescue StandardError => e
          took = (Process.clock_gettime(Process::CLOCK_MONOTONIC) - started).round(3)
          raise (connected ? HTTPError : ConnectionError).new("Request to #{uri} #{failure(e, took)}", e)
        end

        # Does nothing: each request has a connection of its own.
        #
        # @return [void]
        def close = nil

        private

        def failure(error, seconds)
          case error
          when Net::OpenTimeout then "timed out connect operation after #{seconds} seconds"
          when Net::ReadTimeout then "timed out read operation after #{seconds} seconds"
          when EOFError then "interrupted after #{seconds} seconds"
          else "failed after #{seconds} seconds: #{error.message}"
          end
        end

        def connection(uri, options)
          http = Net::HTTP.new(uri.hostname, uri.port)
          http.open_timeout, http.read_timeout = Puppet[:http_connect_timeout], Puppet[:http_read_timeout]
          http.max_retries = 0
          return http unless uri.scheme == "https"
          raise UnavailableError, "Puppet::HTTP::Client with an agent's certificates" unless options[:include_system_store]

          http.use_ssl = true
          http.verify_mode = OpenSSL::SSL::VERIFY_PEER
          http
        end

        def perform(method, url, headers, params, options, body: nil, &block)
          url = url.dup.tap { |one| one.query = encoded(params) } unless params.empty?
          request = method.new(url, {"X-Puppet-Version" => Puppet.version, "User-Agent" => Puppet[:http_user_agent]}.merge(headers))
          request.body = body
          raise ArgumentError, "'#{request.method.downcase}' requires a 'content-type' header" if body && !request["Content-Type"]

          authorize(request, options[:basic_auth])
          follow(request, options, &block)
        end

        def authorize(request, basic_auth)
          uri = request.uri
          basic_auth ||= {user: uri.user, password: uri.password} if uri.user && uri.password
          request.basic_auth(basic_auth[:user], basic_auth[:password]) if basic_auth
        end

        def follow(request, options, &block)
          redirects = retries = 0
          loop do
            response = wait = following = nil
            connect(request.uri, options: options) do |http|
              http.request(request) do |answer|
                response = ResponseNetHTTP.new(request.uri, answer)
                Puppet.debug("HTTP #{request.method} #{request.uri} returned #{response.code} #{response.reason}")
                if REDIRECTED.include?(response.code)
                  following = redirected(request, response, redirects, options.fetch(:redirect_limit, @redirect_limit))
                elsif LATER.include?(response.code) && (wait = interval(request, response, retries))
                  following = request
                else
                  block ? block.call(response) : response.body
                end
              ensure
                response&.drain
              end
            end
            return response unless following

            wait ? retries += 1 : redirects += 1
            pause(wait) if wait
            request = following
          end
        end

        def pause(seconds)
          Puppet.warning("Sleeping for #{seconds} seconds before retrying the request")
          ::Kernel.sleep(seconds)
        end

        def redirected(request, response, redirects, limit)
          raise TooManyRedirects, request.uri if redirects >= limit

          location = location_of(response)
          request.class.new(request.uri.merge(location)).tap do |following|
            following.body = request.body
            elsewhere = request.uri.host.casecmp(location.host.to_s) != 0 && !Puppet[:location_trusted]
            request.each do |header, value|
              next if header.casecmp?("accept-encoding") || (elsewhere && %w[authorization cookie].include?(header.downcase))

              following[header] = value
            end
            following["Host"] = location.port == location.default_port ? location.host : "#{location.host}:#{location.port}"
          end
        end

        def location_of(response)
          URI.parse(response["location"] || raise(ProtocolError, "Location response header is missing"))
        rescue URI::InvalidURIError => e
          raise ProtocolError.new("Location URI is invalid: #{e.message}", e)
        end

        def interval(request, response, retries)
          raise TooManyRetryAfters, request.uri if retries >= @retry_limit

          text = response["Retry-After"] or return
          seconds = Integer(text, exception: false) || [(Time.rfc2822(text) - Time.now).to_i, 0].max
          [seconds, Puppet[:runinterval]].min
        rescue ArgumentError
          raise ProtocolError, "Failed to parse Retry-After header '#{text}' as an integer or RFC 2822 date"
        end

        def encoded(params)
          pairs = params.flat_map { |key, value| value.is_a?(Array) ? value.map { |one| [key, one] } : [[key, value]] }
          pairs.filter_map { |key, value| "#{key}=#{encoded_value(value)}" unless value.nil? }.join("&")
        end

        def encoded_value(value)
          case value
          when true, false, String, Symbol, Numeric then Util.uri_query_encode(value.to_s)
          else raise SerializationError, "HTTP REST queries cannot handle values of type '#{value.class}'"
          end
        end
      end
    end
  end
end
