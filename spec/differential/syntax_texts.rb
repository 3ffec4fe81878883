# frozen_string_literal: true

require_relative "settings"

module Differential
  # The texts that are read by both sides: all manifests and templates of the modules, texts that are made
  # of them by a small change each, most of which are wrong, and small texts written by hand.
  module SyntaxTexts
    # The text, and where it is from. Mutants are from nowhere.
    Text = Struct.new(:name, :code, :file, :epp, :tasks, keyword_init: true)

    MUTANTS = 5_000
    # Mutants are made of parts of files, since they are many.
    PART = 40..1_200

    TOKEN = %r{
      \s+ | \#[^\n]* | '(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | \$?\w+(?:::\w+)*
      | <<\||\|>>|[=!]~|[=<>!+-]=|[=+~-]>|<[-~|]|\|>|<<|>>|@@ | .
    }mx

    def self.files
      files = MODULEPATH.flat_map { |directory| Dir.glob("#{directory}/*/**/*.{pp,epp}") }
      files.uniq { |file| File.realpath(file) }.sort.map do |file|
        code = File.read(file, encoding: Encoding::UTF_8)
        Text.new(name: file, code: code, file: file, epp: file.end_with?(".epp"), tasks: false)
      end
    end

    # Small texts for each rule of the language, each read as a manifest and as a script.
    def self.snippets
      %w[pp epp].flat_map do |kind|
        file = "snippets.#{kind}.txt"
        codes = File.read(File.join(__dir__, file), encoding: Encoding::UTF_8).chomp.split("\n---\n")
        codes.each_with_index.flat_map do |code, index|
          [false, true].map { |tasks| Text.new(name: "#{file}: #{index}#{" as a script" if tasks}", code: code, epp: kind == "epp", tasks: tasks) }
        end
      end
    end

    # @param texts [Array<Text>] what they are made of
    def self.mutants(texts, count: MUTANTS, random: Random.new(SEED))
      parts = texts.reject(&:epp).flat_map { |text| parts(text.code) }.uniq
      Array.new(count) do |index|
        change, code = mutant(parts.sample(random: random), random)
        Text.new(name: "mutant #{index} (#{change})", code: code, tasks: index % 8 == 7)
      end
    end

    # The statements at the top of a file, as far as the blank lines and braces tell.
    def self.parts(code)
      whole = code.split(/(?<=^\})\n+/) + code.split(/\n\n+/)
      whole.map { |part| part.gsub(/^\s*#[^\n]*(?:\n|\z)/, "") }.select { |part| PART.cover?(part.strip.size) }
    end
    private_class_method :parts

    CHANGES = %i[drop double swap replace cut].freeze

    def self.mutant(code, random)
      tokens = code.scan(TOKEN)
      solid = tokens.each_index.reject { |index| tokens[index].match?(/\A(?:\s|#)/) }
      change = CHANGES.sample(random: random)
      at = random.rand(solid.size)
      first, other = solid[at], solid[(at + 1) % solid.size]
      case change
      when :drop then tokens.delete_at(first)
      when :double then tokens.insert(first, tokens[first], " ")
      when :swap then tokens[first], tokens[other] = tokens[other], tokens[first]
      when :replace then tokens[first] = tokens[solid.sample(random: random)]
      when :cut then tokens = tokens.take(first)
      end
      [change, tokens.join]
    end
    private_class_method :mutant
  end
end
