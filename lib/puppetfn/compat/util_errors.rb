# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      # How places in files are shown, and how errors are raised with them.
      module Errors
        extend self

        # @param file [String, nil]
        # @param line [Integer, String, nil]
        # @param column [Integer, String, nil]
        # @return [String] `(file: f, line: 1, column: 2)` as far as the parts are known; may be empty
        def error_location(file, line = nil, column = nil)
          file, line, column = [file, line, column].map { |part| part unless part == "" }
          column = nil unless line
          parts = {file: file, line: line, column: column}.compact
          parts.empty? ? "" : "(#{parts.map { |name, value| "#{name}: #{value}" }.join(", ")})"
        end

        # @return [String] {error_location} after a space, or nothing
        def error_location_with_space(file, line = nil, column = nil)
          location = error_location(file, line, column)
          location.empty? ? "" : " #{location}"
        end

        # @return [String] {error_location} with `unknown` for missing parts
        def error_location_with_unknowns(file, line)
          file, line = [file, line].map { |part| part.nil? || part == "" ? "unknown" : part }
          error_location(file, line)
        end

        # Adds the location to an error, as far as it is known, and its cause.
        #
        # @param error [Exception]
        # @param other [Exception, nil]
        # @return [Exception] the error
        def adderrorcontext(error, other = nil)
          %i[line file].each do |part|
            value = public_send(part) if error.respond_to?(:"#{part}=") && respond_to?(part)
            error.public_send(:"#{part}=", value) if value && error.public_send(part).nil?
          end
          error.original ||= other if error.respond_to?(:original=)
          error.set_backtrace(other.backtrace) if other.respond_to?(:backtrace)
          error
        end

        # Raises a {Puppet::DevError}.
        def devfail(message)
          self.fail(DevError, message)
        end

        # Raises an error of the class given first, or a {Puppet::Error}.
        def fail(*args)
          type = args.first.is_a?(Class) ? args.shift : Error
          other = args.pop if args.size > 1
          raise adderrorcontext(type.new(args.join(" ")), other)
        end
      end
    end

    # The places in Puppet code that called into Ruby.
    module Pops
      extend StandIn

      # The stack of calls in Puppet code.
      module PuppetStack
        # @return [Array<Array(String, Integer)>] file and line, innermost first; code that is from no file has the
        #   file `unknown`
        def self.stacktrace
          runtime = Runtime.current
          runtime&.evaluated? ? runtime.evaluator.caller_places : []
        end

        # @return [Array(String, Integer), Array()]
        def self.top_of_stack
          stacktrace.first || []
        end
      end
    end
  end
end
