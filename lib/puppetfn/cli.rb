# frozen_string_literal: true

require "rbconfig"

module Puppetfn
  # The command line.
  module CLI
    # @api private
    # @return [Array<String>] the command line that starts the command in another process
    def self.command
      [RbConfig.ruby, ::File.expand_path("../../exe/puppetfn", __dir__)]
    end
  end
end
