# frozen_string_literal: true

module Puppetfn
  # The parts of the drop-in that are easier to write in Ruby than in the extension.
  module DropIn
    # Before the methods of Puppet's parser.
    #
    # @api private
    module Parsing
      def parse_file(file)
        path = ::Puppet::FileSystem.exist?(file) || file =~ /\.pp$/ ? file : "#{file}.pp"
        code = ::Puppet::FileSystem.read(path, mode: "rb", encoding: "utf-8") if ::Puppet::FileSystem.exist?(path)
        (code && DropIn.parse_code(self, code, path)) || super
      end
    end

    # Before the methods of Puppet's parser of templates, whose superclass is the parser of code.
    #
    # @api private
    module TemplateParsing
      def parse_file(file)
        path = FileTest.exist?(file) || file =~ /\.epp$/ ? file : "#{file}.epp"
        code = ::Puppet::FileSystem.read(path, mode: "rb", encoding: "utf-8") if ::Puppet::FileSystem.exist?(path)
        (code && DropIn.parse_code(self, code, path)) || super
      end
    end

    class << self
      # Makes `next` or `return` of a lambda leave a function, as in Puppet.
      #
      # @api private
      # @param jumper [Puppet::Pops::Evaluator::Jumper]
      # @raise [Puppet::ParseError] when no function encloses the lambda
      def leave(jumper)
        if jumper.is_a?(::Puppet::Pops::Evaluator::Next)
          leave_to(:next, jumper.value, jumper)
        else
          leave_to(:return, jumper, jumper)
        end
      end

      # Has Puppet check the result of a method.
      #
      # @api private
      # @param dispatcher [Puppet::Pops::Functions::Dispatcher]
      # @param index [Integer] of the dispatch
      # @param result [Object]
      # @return [Object] the result
      # @raise [Puppet::Pops::Types::TypeAssertionError]
      def assert_returned(dispatcher, index, result)
        dispatch = dispatcher.dispatchers[index]
        type = dispatch.type.return_type
        ::Puppet::Pops::Types::TypeAsserter.assert_instance_of(nil, type, result) do
          "value returned from function '#{dispatch.instance_variable_get(:@method_name)}'"
        end
      end

      private

      def leave_to(tag, value, jumper)
        throw tag, value
      rescue ::Puppet::Parser::Scope::UNCAUGHT_THROW_EXCEPTION
        raise ::Puppet::ParseError.new("#{tag}() from context where this is illegal", jumper.file, jumper.line)
      end
    end
  end
end
