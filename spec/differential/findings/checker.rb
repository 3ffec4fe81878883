# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"

module Differential
  module Findings
    # `puppetfn check`, in a process of its own, since it does not share one with real Puppet.
    module Checker
      ROOT = File.expand_path("../../..", __dir__)

      # @param directory [String] what is checked
      # @param modulepath [String]
      # @return [Array<Hash{String=>Object}>] what is found, as `--format json` prints it
      def self.findings(directory, modulepath = directory)
        command = [RbConfig.ruby, "-I", "#{ROOT}/lib", "#{ROOT}/exe/puppetfn", "check", directory, "--modulepath", modulepath, "--format", "json"]
        output, messages, = Open3.capture3(*command)
        raise messages if output.empty?

        JSON.parse(output)
      end

      # @return [Array<Hash{String=>Object}>] the errors among them
      def self.errors(...)
        findings(...).select { |finding| finding["severity"] == "error" }
      end
    end
  end
end
