# frozen_string_literal: true

module Puppetfn
  module RSpec
    # Makes line ends visible in two texts whose difference is shown: RSpec compares lines without their ends, drops empty lines at the
    # end, and shows no difference of texts without line ends.
    #
    # @api private
    module LineEnds
      # Stands below a last line without a line end, as in the output of `diff`.
      NO_NEWLINE = '\ No newline at end of file'
      # Stands below empty lines at the end.
      FINAL = '\ End of file'
      # Carriage returns at the end of a line.
      RETURNS = /\r+(?=\n|\z)/
      private_constant :NO_NEWLINE, :FINAL, :RETURNS

      class << self
        # @param expected [String]
        # @param actual [String]
        # @param on_one_line [Boolean] whether the difference of texts without line ends is shown, too
        # @return [Array(String, String)] both texts. Carriage returns are written as `\r` if the texts differ in them, and the ends of
        #   the texts have a line of their own if they differ
        def show(expected, actual, on_one_line: false)
          texts = [expected, actual]
          return texts unless texts.all? { |text| text.valid_encoding? && text.encoding.ascii_compatible? }

          texts = texts.map { |text| show_returns(text) } if differ?(texts) { |text| text.scan(RETURNS) }
          is_one_line = texts.none? { |text| text.include?("\n") }
          shows_ends = is_one_line ? on_one_line : differ?(texts) { |text| text[/\n*\z/] }
          shows_ends ? texts.map { |text| show_end(text) } : texts
        end

        private

        def differ?(texts, &property)
          texts.map(&property).uniq.size > 1
        end

        def show_returns(text)
          text.gsub(RETURNS) { |returns| '\r' * returns.size }
        end

        def show_end(text)
          case text
          when /\n\n\z/ then "#{text}#{FINAL}\n"
          when "", /\n\z/ then text
          else "#{text}\n#{NO_NEWLINE}\n"
          end
        end
      end
    end
  end
end
