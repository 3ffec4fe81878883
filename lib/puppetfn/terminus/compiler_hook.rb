# frozen_string_literal: true

module Puppetfn
  module Terminus
    # Puts the service in place of `Puppet::Parser::Compiler.compile` while the terminus compiles a node, so that everything around
    # it is Puppet's own: the log and the profiler's times, static catalogs, and the handling of errors.
    #
    # @api private
    module CompilerHook
      KEY = :puppetfn_terminus
      private_constant :KEY

      # Yields with a replacement of the compiler for a node.
      #
      # @param node [Puppet::Node]
      # @param replacement [Proc] called with a block that calls Puppet's compiler
      # @return [Object] the block's result
      def self.replace(node, replacement)
        before = Thread.current[KEY]
        Thread.current[KEY] = [node, replacement]
        yield
      ensure
        Thread.current[KEY] = before
      end

      # @param node [Puppet::Node]
      # @return [Proc, nil] the replacement for it in this thread
      def self.replacement_for(node)
        replaced, replacement = Thread.current[KEY]
        replacement if node.equal?(replaced)
      end

      # @param node [Puppet::Node]
      # @param code_id [String, nil]
      # @return [Puppet::Resource::Catalog]
      def compile(node, code_id = nil)
        replacement = CompilerHook.replacement_for(node)
        return super(node, code_id) unless replacement

        replacement.call(-> { super(node, code_id) })
      end
    end
  end
end
