# frozen_string_literal: true

module Puppetfn
  # The messages that functions logged: a list of `[level, text]`, which grows until it is cleared.
  #
  # @example
  #   runtime = Puppetfn::Runtime.new
  #   runtime.call_function("warning", "the disk is full")
  #   runtime.logs.to_a  # => [[:warning, "the disk is full"]]
  class Logs
    include Enumerable

    # From the least to the most important.
    LEVELS = %i[debug info notice warning err alert emerg crit].freeze

    # The least important level that is kept at first.
    DEFAULT_LEVEL = :notice

    # A message, as destinations get it. That of a warning or an error about code has an issue: Puppet's `issue_code` for it, and its
    # `file`, `line` and `pos`.
    Message = Struct.new(:level, :message, :source, :issue) do
      # @return [String] the name of messages in Puppet: functions that end by logging return one
      def self.name = "Puppet::Util::Log"

      # @return [String] the message, with the place in the code
      def to_s
        return message unless issue

        "#{message}#{Puppet::Util::Errors.error_location_with_space(*issue.values_at(:file, :line, :pos))}"
      end
    end

    # @param level [Symbol]
    # @return [Integer] the importance of a level
    # @raise [Puppet::DevError] when there is no such level
    def self.rank(level)
      LEVELS.index(level.to_sym) or raise Puppet::DevError, "Invalid log level #{level}"
    end

    # @return [Symbol] the least important level that is kept
    attr_reader :level

    # @return [Array<#<<>] further destinations of messages, which get each as a {Message}
    attr_reader :destinations

    def initialize
      @entries = []
      @destinations = []
      @given = Hash.new { |all, kind| all[kind] = {} }
      self.level = DEFAULT_LEVEL
    end

    # @param level [Symbol, String]
    def level=(level)
      @rank = self.class.rank(level)
      @level = level.to_sym
    end

    # Keeps a message, if its level is important enough.
    #
    # @param level [Symbol]
    # @param message [#to_s]
    # @param source [String, nil] the code that it is from, as Puppet shows it: `Scope(Class[main])`
    # @param issue [Hash{Symbol=>Object}, nil] the issue, if it is a warning or an error about code
    # @return [Message, nil] the message, if it is kept
    def add(level, message, source = nil, issue = nil)
      return if self.class.rank(level) < @rank

      @entries << [level.to_sym, message.to_s]
      deliver(Message.new(level.to_sym, message.to_s, source, issue))
    end

    # Sends a message to all destinations, and keeps nothing.
    #
    # @api private
    # @param level [Symbol]
    # @param message [#to_s]
    # @param source [String, nil]
    # @param issue [Hash{Symbol=>Object}, nil]
    # @return [Boolean] whether there is a destination
    def tell(level, message, source = nil, issue = nil)
      deliver(Message.new(level.to_sym, message.to_s, source, issue)) unless self.class.rank(level) < @rank
      @destinations.any?
    end

    # @yieldparam entry [Array(Symbol, String)]
    def each(&block)
      return enum_for(:each) { @entries.size } unless block

      @entries.each(&block)
      self
    end

    # @return [Array<Array(Symbol, String)>]
    def to_a
      @entries.dup
    end
    alias to_ary to_a

    # @return [Integer]
    def size
      @entries.size
    end

    # @return [Boolean]
    def empty?
      @entries.empty?
    end

    # Removes all messages.
    #
    # @return [self]
    def clear
      @entries.clear
      self
    end

    # @return [String]
    def inspect
      @entries.inspect
    end

    # Returns whether the same messages were logged.
    def ==(other)
      other.respond_to?(:to_ary) && to_a == other.to_ary
    end

    # Returns the keys of the messages of one kind that are given only once.
    #
    # @api private
    # @return [Hash]
    def given(kind)
      @given[kind]
    end

    private

    def deliver(message)
      @destinations.each { |destination| destination << message }
      message
    end
  end
end
