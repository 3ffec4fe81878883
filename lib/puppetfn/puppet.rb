# frozen_string_literal: true

# Puts puppetfn under real Puppet: `require "puppetfn/puppet"` in a process that uses Puppet 7, Puppet 8 or OpenVox.
#
# It may be required before Puppet is, as `RUBYOPT=-rpuppetfn/puppet` does: it then waits for it.

module Puppetfn
  const_set(:Puppet, Module.new) unless const_defined?(:Puppet, false)

  # The drop-in's report about itself.
  module Puppet
    # Returns the work that puppetfn has done in this process in place of Puppet.
    #
    # @return [Hash{Symbol=>Hash}] for each piece: `state`, `taken`, and `declined` with how often by reason; and
    #   `differences`, the findings of {DropIn::Shadow}
    def self.report
      DropIn.report
    end
  end
end

if RUBY_ENGINE == "ruby"
  require_relative "extension"
  require_relative "drop_in/pieces"
  require_relative "drop_in/switches"
  require_relative "drop_in/fingerprint"
  require_relative "drop_in/known_methods"
  require_relative "drop_in/shadow"
  require_relative "drop_in/installation"
  require_relative "drop_in/waiting"
  require_relative "drop_in/calls"
  require_relative "drop_in/report"

  Puppetfn::DropIn.start
else
  require_relative "drop_in/unavailable"
end
