# frozen_string_literal: true

module Puppetfn
  module DropIn
    # The switches in the environment variable `PUPPETFN`: which pieces are on, and whether they only watch.
    class Switches
      # @return [Array<Symbol>]
      attr_reader :pieces

      # @param text [String, nil] `off`, names of pieces with commas between them, `shadow`; without a name, and with `on`,
      #   all are on
      def initialize(text)
        words = text.to_s.downcase.split(/[\s,]+/).reject(&:empty?).map(&:to_sym)
        unknown = words - PIECES - %i[on off shadow]
        unless unknown.empty?
          Kernel.warn("puppetfn: PUPPETFN has unknown words: #{unknown.join(", ")}; there are off, shadow and the pieces " \
                      "#{PIECES.join(", ")}.")
        end
        @shadow = words.include?(:shadow)
        @pieces = PIECES & words
        @pieces = PIECES if words.include?(:on) || (@pieces.empty? && unknown.empty?)
        @pieces = [] if words.include?(:off)
      end

      # @return [Boolean] whether Puppet answers, and is compared with the answers of puppetfn
      def shadow?
        @shadow
      end
    end
  end
end
