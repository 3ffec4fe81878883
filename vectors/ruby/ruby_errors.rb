# frozen_string_literal: true

module Vectors
  # Errors of Ruby itself, whose texts are of the Ruby that runs: what is recorded is of Ruby 3.1.
  module RubyErrors
    # What a text shows of the code that failed.
    EXCERPT = /\n\n.*?\^+(?:\nDid you mean\?.*?)?(?= \(line|\z)|\nDid you mean\?.*?(?= \(line|\z)/m
    # The object that does not have a method; Ruby 3.4 puts the method in other quotes.
    RECEIVER = /(undefined method) [`'](\S+)' for .+?(?= \(line|\z)/m
    VERSION = Gem::Version.new(RUBY_VERSION)
    RECEIVERS_CHANGED = VERSION >= Gem::Version.new("3.3")
    # Ruby 3.2 has taken `=~` from objects that match nothing. Code of Puppet and of modules that relied on it fails.
    MATCH_IS_GONE = VERSION >= Gem::Version.new("3.2")
    private_constant :EXCERPT, :RECEIVER, :VERSION, :RECEIVERS_CHANGED, :MATCH_IS_GONE

    # @return [String] the message without what depends on where and with which Ruby it was made
    def self.comparable(message)
      message = message.gsub(EXCERPT, "")
      RECEIVERS_CHANGED ? message.gsub(RECEIVER, "\\1 '\\2'") : message
    end

    # Whether a message says what could not happen with the Ruby of the recordings.
    def self.unrecorded?(message)
      MATCH_IS_GONE && message.match?(/undefined method [`']=~'/)
    end
  end
end
