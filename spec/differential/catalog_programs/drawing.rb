# frozen_string_literal: true

module Differential
  class CatalogPrograms
    # Choices at random, and lines of code.
    module Drawing
      private

      def pick(list)
        list[@random.rand(list.size)]
      end

      def one_of(number)
        @random.rand(number).zero?
      end

      def between(least, most)
        @random.rand(least..most)
      end

      # One of the keys, which have their weights as values.
      def weighted(weights)
        left = @random.rand * weights.values.sum
        weights.each { |key, weight| return key if (left -= weight) < 0 }
        weights.keys.last
      end

      def number
        @count += 1
      end

      # The lines of a block, with what it begins with.
      def block(head, lines)
        [head, *lines.map { |line| "  #{line}" }, "}"]
      end

      def text(lists)
        lists.flatten.map { |line| "#{line}\n" }.join
      end
    end
  end
end
