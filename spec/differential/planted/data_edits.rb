# frozen_string_literal: true

require_relative "edits"

module Differential
  module Planted
    # The edits that can be made of a file of Hiera's data, where a line has the name of a parameter, and perhaps its value.
    class DataEdits
      LINE = /^(?<quote>["']?)(?<name>(?:\w+::)+\w+)\k<quote>:[ \t]*(?<value>[^\s#|>&{\[][^#\n]*)?$/

      # A value that few parameters take.
      VALUE = {"planted" => [1]}.freeze

      def initialize(text, random)
        @text, @random = text, random
      end

      # @return [Array<Array(Edit, String)>] the edits, each with the name of the parameter that the line is about
      def of(kind)
        matches.filter_map { |match| [kind == "data-key" ? key(match) : value(match), match[:name]] }.select(&:first)
      end

      private

      def matches
        found, place = [], 0
        while (match = LINE.match(@text, place))
          found << match
          place = match.end(0)
        end
        found
      end

      def key(match)
        last = match[:name][/\w+\z/]
        place = (1...(last.length - 1)).select { |index| last[index] != last[index + 1] }.sample(random: @random)
        return unless place

        changed = last.dup
        changed[place, 2] = last[place, 2].reverse
        offset = bytes(match.end(:name)) - last.bytesize
        Edit.new(kind: "data-key", offset: offset, length: last.bytesize, text: changed, at: offset)
      end

      def value(match)
        return unless match[:value]

        from, to = bytes(match.begin(:value)), bytes(match.end(:value))
        Edit.new(kind: "data-value", offset: from, length: to - from, text: "{\"planted\": [1]}", at: from)
      end

      def bytes(characters)
        @text[0, characters].bytesize
      end
    end
  end
end
