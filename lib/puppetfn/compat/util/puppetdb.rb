# frozen_string_literal: true

require "uri"

module Puppetfn
  module Puppet
    module Util
      # The part of PuppetDB's termini that functions use: queries, which the runtime answers. See `puppet/util/puppetdb.rb` of
      # PuppetDB.
      module Puppetdb
        extend StandIn

        # The settings of the termini.
        class Config
          # @return [Array<URI>] the default address, which nothing connects to
          def server_urls
            [URI("https://puppetdb:8081")]
          end

          # @return [Integer]
          def server_url_timeout
            30
          end
        end

        # @return [Config]
        def self.config
          @config ||= Config.new
        end

        # @return [void]
        def self.clear_config
          @config = nil
        end

        # Answers a query.
        #
        # @param query [String, Array] in PQL or as an abstract syntax tree
        # @return [Array<Hash>]
        def self.query_puppetdb(query)
          Runtime.current!("Puppet::Util::Puppetdb.query_puppetdb").query_puppetdb(query)
        end

        # @param time [Time]
        # @return [String] with milliseconds
        def self.to_wire_time(time)
          require "time"
          time.iso8601(3)
        end

        # @yield
        # @return [Object] the block's result
        def profile(message, metric_id, &block)
          Profiler.profile("PuppetDB: #{message}", metric_id, &block)
        end
      end
    end
  end
end
