# frozen_string_literal: true

# Examples in documents and comments, as tests. `# => x` states what a statement returns, and a line
# `# SomeError: message` what it raises.
module DocumentedExamples
  # @param code [String]
  # @return [Array<Array(String, String, String)>] the statements, each with what it returns and what it raises, or nil
  def statements(code)
    code.lines.slice_after(/# =>|^# (\w+::)*\w*Error\w*: /).map do |lines|
      text = lines.join
      [text.sub(/# =>.*\n?\z/, ""), text[/# => (.*)$/, 1], text[/^# ((\w+::)*\w*Error\w*: .*)$/, 1]]
    end
  end

  # Runs the statements one after the other, and compares.
  #
  # @param code [String]
  # @return [void]
  def expect_right(code)
    context = Object.new.instance_eval { binding }
    statements(code).each do |statement, returned, raised|
      result = evaluate(statement, context)

      if raised
        expect("#{result.class}: #{result.message}").to eq(raised)
      else
        expect(result).to eq(context.eval(returned)) if returned
        expect(result).not_to be_a(Exception)
      end
    end
  end

  private

  def evaluate(code, context)
    context.eval(code)
  rescue StandardError => e
    e
  end
end
