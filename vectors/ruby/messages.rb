# frozen_string_literal: true

module Vectors
  # How errors about parameters of resources are compared. Two things are different by design, and only these: the value of a
  # Sensitive is not shown, and where Puppet's own code fails with an error of Ruby, what is wrong is said instead.
  module Messages
    # An error about a parameter: where it is, the problem, and the place in the code.
    ABOUT = /\A(?<where>Parameter (?<name>\w+) failed on [^\n]+?: )(?<problem>.*?)(?<place> \((?:file: [^()]+, )?line: \d+\))?\z/m
    # What Ruby says of a name in Puppet's code that does not exist, with which the problem goes on.
    STUMBLED = /\AMunging failed for value .* in class \w+: undefined (?:local variable or )?method `\w+' for #<Puppet>/m
    # What is shown of a problem that has a secret without quotes.
    UNSAID = "a value is Sensitive, so that what is wrong with it is not shown"
    REDACTED = "[value redacted]"
    private_constant :ABOUT, :STUMBLED, :UNSAID, :REDACTED

    # Puppet's message as it is shown here, where the parameter was given as Sensitive.
    #
    # @param message [String] Puppet's
    # @param code [String] the program
    # @return [String]
    def self.without_secrets(message, code)
      about = ABOUT.match(message) or return message
      secret = code[/\b#{about[:name]} => Sensitive\('([^'\\]+)'\)/, 1] or return message

      word = /(?<!\w)#{Regexp.escape(secret)}(?!\w)/i
      shown = about[:problem].gsub(/(["'])#{Regexp.escape(secret)}\1/i, REDACTED)
      shown = UNSAID if shown.split(REDACTED, -1).any?(word)
      "#{about[:where]}#{shown}#{about[:place]}"
    end

    # Whether Puppet's message has an error of Ruby, and ours, about the same parameter at the same place, has none.
    #
    # @param expected [String] Puppet's message
    # @param actual [String] ours
    # @return [Boolean]
    def self.stumbled?(expected, actual)
      theirs, ours = [expected, actual].map { |message| ABOUT.match(message) }
      return false unless theirs && ours && STUMBLED.match?(theirs[:problem])

      theirs[:where] == ours[:where] && theirs[:place] == ours[:place] && !ours[:problem].empty? && !ours[:problem].include?("undefined")
    end
  end
end
