# frozen_string_literal: true

require_relative "differential"
require_relative "../differential/syntax_texts"

module Differential
  # A text, and what came of it on each side: a tree or an error, and what was logged.
  SyntaxComparison = Struct.new(:text, :puppet, :puppetfn) do
    def same?
      puppet == puppetfn
    end

    # Whether Puppet trips over the text with one of Ruby's errors, which has no place.
    def crashed?
      puppet.start_with?("crash: ")
    end

    # Whether both take the text or both refuse it, and at the same place if they name one.
    def same_verdict?
      refused?(puppet) == refused?(puppetfn) && (crashed? || place(puppet) == place(puppetfn))
    end

    def to_s
      ["  #{text.name}", *(text.code.gsub(/^/, "    | ") unless text.file), "    puppet:   #{shown(puppet)}", "    puppetfn: #{shown(puppetfn)}"].join("\n")
    end

    private

    def refused?(answer)
      answer.start_with?("error: ", "crash: ")
    end

    def place(answer)
      answer[/\Aerror: .*\((.*)\)$/, 1]
    end

    # The part that differs.
    def shown(answer)
      same = puppet.each_char.zip(puppetfn.each_char).take_while { |a, b| a == b }.size
      answer[[same - 60, 0].max, 300]
    end
  end

  # All texts, read once by each side.
  class SyntaxRun
    def self.shared
      @shared ||= new
    end

    # @return [Array<SyntaxComparison>]
    attr_reader :files, :mutants, :snippets

    def initialize
      files = SyntaxTexts.files
      mutants = SyntaxTexts.mutants(files)
      texts = files + mutants + SyntaxTexts.snippets
      answers = Dir.mktmpdir("differential") do |dir|
        input = File.join(dir, "texts")
        File.write(input, texts.map { |text| "#{JSON.generate(text.to_h)}\n" }.join)
        SIDES.map { |side| Thread.new { read(side, input, File.join(dir, side)) } }.map(&:value)
      end
      comparisons = texts.zip(*answers).map { |values| SyntaxComparison.new(*values) }
      @files, @mutants, @snippets =
        [files.size, mutants.size, comparisons.size].map { |size| comparisons.shift(size) }
    end

    private

    def read(side, input, outcomes)
      Differential.execute("syntax_runner.rb", side, input, outcomes) { |log| raise "#{side} ended before all was read\n#{log}" }
      File.foreach(outcomes).map { |line| JSON.parse(line) }
    end
  end
end
