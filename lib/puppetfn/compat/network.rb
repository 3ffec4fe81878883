# frozen_string_literal: true

module Puppetfn
  module Puppet
    # Connections, of which there are none but to PuppetDB's queries.
    module Network
      extend StandIn
      autoload :HttpPool, File.join(__dir__, "network", "http_pool")
    end
  end
end
