# frozen_string_literal: true

module Puppetfn
  # The class of a function that is not in Ruby, although in Puppet each function has a class of its own.
  module ClassOfFunction
    # Functions of Puppet that take the scope of the caller or other objects of the compiler.
    INTERNAL = %w[alert binary_file call contain crit debug defined emerg epp err find_file find_template get getvar include
                  info inline_epp lookup module_directory new notice require return warning].freeze
    # Functions of the 3.x API in Puppet.
    OF_3X = %w[create_resources digest fail file fqdn_rand generate inline_template md5 realize sha1 sha256 shellquote
               sprintf tag tagged template].freeze
    OF_HIERA = %w[hiera hiera_array hiera_hash hiera_include].freeze
    private_constant :INTERNAL, :OF_3X, :OF_HIERA
    @classes = {}

    class << self
      # @param function [NativeFunction, CodeFunction]
      # @return [Class<Puppet::Functions::Function>] has the name and the signatures of the function
      def of(function)
        return made(function, Puppet::Functions::PuppetFunction) unless function.instance_of?(NativeFunction)

        @classes[function.name] ||= made(function, base_of(function.name))
      end

      private

      def base_of(name)
        return Puppet::Functions::Function3x if OF_3X.include?(name)
        return @hiera ||= Class.new(Puppet::Functions::InternalFunction) { bind("Hiera::PuppetFunction", nil) } if OF_HIERA.include?(name)

        INTERNAL.include?(name) ? Puppet::Functions::InternalFunction : Puppet::Functions::Function
      end

      def made(function, base)
        Class.new(base) do
          bind(function.name, nil)
          define_singleton_method(:signatures) { function.signatures }
          define_singleton_method(:dispatcher) { raise UnavailableError, "The dispatcher of the function #{function.name}" }
        end
      end
    end

    # @return [Class<Puppet::Functions::Function>]
    def class
      @class ||= ClassOfFunction.of(self)
    end

    # (see Object#is_a?)
    def is_a?(type)
      super || (type <= Function && self.class <= type) || false
    end
    alias kind_of? is_a?
  end

  # A function that is written in Rust.
  class NativeFunction
    include ClassOfFunction
  end
end
