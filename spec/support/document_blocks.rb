# frozen_string_literal: true

require "open3"
require "rbconfig"
require_relative "documented_examples"

# The blocks of code of documents.
module DocumentBlocks
  ROOT = File.expand_path("../..", __dir__)
  DOCUMENTS = Dir.glob(%w[README.md CONTRIBUTING.md docs/**/*.md], base: ROOT).sort.freeze

  # One of them: its document, its language with whatever else is said of it, its code, and which of its language it is there.
  Block = Struct.new(:document, :language, :code, :number) do
    def to_s = "#{language} block #{number} of #{document}"
  end

  # @return [Array<Block>]
  def self.all
    DOCUMENTS.flat_map do |document|
      counts = Hash.new(0)
      File.read(File.join(ROOT, document), encoding: "UTF-8").scan(/^```(\S[^\n]*)\n(.*?)^```$/m)
        .map { |language, code| Block.new(document, language, code, counts[language] += 1) }
    end
  end

  # Runs Ruby as it is pasted: from the standard input of a process that has loaded nothing.
  #
  # @param code [String]
  # @return [String] what is not as it says, one thing a line
  def self.run_ruby(code)
    command = [RbConfig.ruby, "-I", File.join(ROOT, "lib"), __FILE__]
    output, = Open3.capture2e({"RUBYOPT" => nil, "LC_ALL" => "C.UTF-8"}, *command, stdin_data: code, chdir: ROOT)
    output
  end

  # Runs the code on the standard input, statement by statement.
  #
  # @return [void]
  def self.check_input
    extend DocumentedExamples
    context = TOPLEVEL_BINDING
    statements($stdin.read.force_encoding("UTF-8")).each do |statement, returned, raised|
      result = begin
        context.eval(statement)
      rescue StandardError => e
        e
      end
      said = result.is_a?(Exception) ? "#{result.class}: #{result.message}" : result
      expected = raised || (returned ? context.eval(returned) : said)
      puts "#{statement.strip}: expected #{expected.inspect}, got #{said.inspect}" if said != expected
      puts "#{statement.strip}: #{said}" if result.is_a?(Exception) && !raised
    end
  end
end

DocumentBlocks.check_input if $PROGRAM_NAME == __FILE__
