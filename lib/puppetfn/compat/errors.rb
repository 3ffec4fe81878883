# frozen_string_literal: true

module Puppetfn
  # Puppet's error classes.
  module Puppet
    # Real Puppet's class, where it is loaded.
    ErrorBase = Puppetfn.beside_puppet? && defined?(::Puppet::Error) ? ::Puppet::Error : RuntimeError
    private_constant :ErrorBase

    # The base of Puppet's errors; it can carry the wrapped exception. Beside real Puppet, it is one of Puppet's own.
    class Error < ErrorBase
      include Puppetfn::Error

      # @return [Exception, nil] the exception that was wrapped
      attr_accessor :original

      def initialize(message, original = nil)
        super(message.scrub)
        @original = original
      end
    end

    # An error that knows a place in a file, and shows it after its message.
    module ExternalFileError
      attr_accessor :line, :file, :pos, :puppetstack

      def initialize(message, file = nil, line = nil, pos = nil, original = nil)
        pos, original = nil, pos if pos.is_a?(Exception)
        super(message, original)
        @file = file unless file == ""
        @line = line
        @pos = pos
        @puppetstack = original.respond_to?(:puppetstack) ? original.puppetstack : Pops::PuppetStack.stacktrace
      end

      # @return [String] the message, and `(file: ..., line: ...)` as far as that is known
      def to_s
        super + Util::Errors.error_location_with_space(file, line, pos)
      end
    end

    # The error that functions raise for mistakes of their callers.
    class ParseError < Error
      include ExternalFileError
    end

    # An error about a resource.
    class ResourceError < Error
      include ExternalFileError
    end

    # A parse error with the code of an issue.
    class ParseErrorWithIssue < ParseError
      attr_reader :issue_code, :basic_message, :arguments
      attr_accessor :environment, :node

      def initialize(message, file = nil, line = nil, pos = nil, original = nil, issue_code = nil, arguments = nil)
        super(message, file, line, pos, original)
        @issue_code = issue_code
        @basic_message = message
        @arguments = arguments
      end

      def to_s
        text = super
        text = "Could not parse for environment #{environment}: #{text}" if environment
        text = "#{text} on node #{node}" if node
        text
      end

      # @return [Hash{Symbol=>Object}]
      def to_h
        {
          issue_code: issue_code, message: basic_message, full_message: to_s,
          file: file, line: line, pos: pos, environment: environment.to_s, node: node.to_s
        }
      end
    end

    # An error whose message already names the place.
    class PreformattedError < ParseErrorWithIssue; end

    # The data that is bound to parameters of classes.
    class DataBinding
      # Data that cannot be looked up.
      class LookupError < PreformattedError; end

      # A key that is looked up in order to look it up.
      class RecursiveLookupError < LookupError; end
    end

    # An error that the programmer of a function made.
    class DevError < Error
      include ExternalFileError
    end

    # A command that does not exist.
    class MissingCommand < Error; end

    # A command that failed.
    class ExecutionFailure < Error; end

    # An error with a value for the Puppet language.
    class ErrorWithData < Error
      include ExternalFileError

      attr_reader :error_data

      def initialize(error_data, message, file: nil, line: nil, pos: nil, original: nil)
        super(message, file, line, pos, original)
        @error_data = error_data
      end
    end

    # Bindings for the duration of a call; see {Puppet.lookup}.
    class Context
      # Nothing is left that {Puppet.pop_context} could take away.
      class StackUnderflow < Error; end

      # The only environment that a runtime knows.
      KnownEnvironment = Struct.new(:environment) do
        # @param name [String, Symbol]
        # @return [Environment, nil]
        def get(name)
          environment if environment.name == name.to_sym
        end

        # (see get)
        # @raise [UnavailableError] for another environment
        def get!(name)
          get(name) or raise UnavailableError, "The environment #{name}"
        end

        # @return [Array<Environment>]
        def list
          [environment]
        end
      end

      # @api private
      # @return [Array<Hash{Symbol=>Object}>] this thread's bindings of {Puppet.override} and {Puppet.push_context}
      def self.bindings
        Thread.current[:puppetfn_context_bindings] ||= []
      end

      # Nothing is bound to a name.
      class UndefinedBindingError < Error; end
    end
  end
end
