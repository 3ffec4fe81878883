# frozen_string_literal: true

module Puppetfn
  # Loads at once all that is otherwise loaded when it is first named, the parts of Ruby's standard library that functions
  # can name among it.
  #
  # For servers: before they fork, so that their processes share it, and before they start threads that may be interrupted
  # or killed, by `Timeout` for example. Ruby 3.1 crashes or waits for ever if that comes while a constant is loaded.
  #
  # @example
  #   Puppetfn.eager_load!
  #   Puppetfn::Runtime.new.call_function("join", ["a", "b"], "-")  # => "a-b"
  #
  # @return [void]
  def self.eager_load!
    StandardLibrary.load
    StandardLibrary.publish
    EagerLoad.constants_of(Puppetfn)
    EagerLoad.constants_of(::Puppet)
  end

  # @api private
  module EagerLoad
    # Loads the constants of a module, and of the modules in it, that are loaded from this gem's files. A file that is loaded
    # may name more of them.
    #
    # @param owner [Module]
    # @return [void]
    def self.constants_of(owner)
      done = []
      until (names = owner.constants(false) - done).empty?
        names.filter_map { |name| constant(owner, name) }.each { |inner| constants_of(inner) }
        done.concat(names)
      end
    end

    # Returns the module that has this name, unless the file of another program defines it, or it has another name, too.
    def self.constant(owner, name)
      file = owner.autoload?(name, false)
      return if file && !file.start_with?("#{__dir__}/")

      value = owner.const_get(name, false)
      value if value.is_a?(Module) && value.name == "#{owner.name}::#{name}"
    end
    private_class_method :constant
  end
  private_constant :EagerLoad
end
