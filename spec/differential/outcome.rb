# frozen_string_literal: true

module Differential
  # Turns what a call gave, or raised, into a text that both sides write the same way.
  class Outcome
    ADDRESS = /0x\h{8,16}/
    # The text of an error.
    RAISED = /\A\w+(::\w+)*( < [\w:]+)*: /
    LOGGED = %i[notice warning err alert emerg crit].freeze

    def initialize(side)
      @side = side
    end

    # The text for the value of the block, or for the error that it raises, and for what it logged.
    def of(&block)
      text, logs = @side.capture_logs { value_or_error(&block) }
      logs = logs.select { |level, _| LOGGED.include?(level.to_sym) }
      logs.each { |level, message| text += "\n  logged #{level}: #{message}" }
      text.dup.force_encoding(Encoding::UTF_8).scrub.gsub(ADDRESS, "0x…")
    end

    private

    def value_or_error
      show(yield)
    rescue SystemExit, Interrupt, NoMemoryError
      raise
    rescue Exception => e # rubocop:disable Lint/RescueException -- SystemStackError and friends are answers too
      "#{lineage(e.class)}: #{e.message}"
    end

    # The class and those it inherits from, up to the first of Ruby's own: this is what `rescue` goes by.
    def lineage(error_class)
      classes = error_class.ancestors.grep(Class)
      core = classes.index { |c| c.name && !c.name.include?("::") }
      classes[0..core].map { |c| c.name || "anonymous" }.join(" < ")
    end

    def show(value)
      return "Type(#{value})" if @side.type?(value)

      case value
      when *rich then "Rich(#{value})"
      when nil, true, false, Numeric, Symbol, Regexp then value.inspect
      when Module then value.name || "anonymous #{value.class}"
      when String then show_string(value)
      when Array then "[#{value.map { |v| show(v) }.join(", ")}]"
      when Hash then "{#{value.map { |k, v| "#{show(k)} => #{show(v)}" }.join(", ")}}"
      when Proc then "#<Proc arity #{value.arity}>"
      when @side.sensitive_class then "Sensitive(#{show(value.unwrap)})"
      else "#<#{value.class} #{value}>"
      end
    end

    # The classes of values that Ruby has none for; each side has its own under these names.
    def rich
      [::Puppet::Pops::Time::TimeData, ::Puppet::Pops::Types::PBinaryType::Binary, ::SemanticPuppet::Version,
       ::SemanticPuppet::VersionRange]
    end

    def show_string(string)
      plain = string.instance_of?(String) && [Encoding::UTF_8, Encoding::US_ASCII].include?(string.encoding)
      plain ? string.inspect : "#{string.inspect} (#{string.class}, #{string.encoding})"
    end
  end
end
