# frozen_string_literal: true

module Puppetfn
  # What a namespace with Puppet's names answers for the parts of Puppet that it does not have.
  #
  # Functions learn in one sentence what is missing, where Ruby alone would raise a NameError that
  # looks like a typing error. `defined?` and `respond_to?` still answer truly.
  #
  # @api private
  module StandIn
    # @param name [Symbol]
    # @raise [UnavailableError]
    def const_missing(name)
      raise UnavailableError, "#{puppet_name}::#{name}"
    end

    private

    def method_missing(name, *)
      raise UnavailableError, "#{puppet_name}.#{name}"
    end

    def respond_to_missing?(_name, _include_private = false)
      false
    end

    def puppet_name
      name.delete_prefix("Puppetfn::")
    end
  end

  Puppet.extend StandIn

  # What the drop-in says of itself, once it is there.
  unless Puppet.respond_to?(:report)
    def Puppet.report
      raise UnavailableError.new("Puppet.report", "It says what the drop-in has done: `require \"puppetfn/puppet\"` puts that under a real Puppet.")
    end
  end
end
