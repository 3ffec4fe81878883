# frozen_string_literal: true

module Puppetfn
  # The module that holds everything functions know under Puppet's names.
  #
  # It is the constant `Puppet` itself, so that classes and error messages read as they do in Puppet.
  # Where real Puppet was loaded first, or is going to be as the drop-in for it is there, it is a module of our
  # own, and only function files, which are evaluated inside a {Sandbox}, see it as `Puppet`.
  #
  # @api private
  const_set(
    :Puppet,
    if !Object.const_defined?(:Puppet)
      Object.const_set(:Puppet, Module.new)
    elsif ::Puppet.respond_to?(:version)
      Module.new
    else
      ::Puppet
    end
  ) unless const_defined?(:Puppet, false)

  # Returns true if functions run beside real Puppet, whose names are then left alone.
  #
  # @return [Boolean]
  def self.beside_puppet?
    !Object.const_defined?(:Puppet) || !::Puppet.equal?(Puppet)
  end
end
