# frozen_string_literal: true

module Differential
  # Makes a program smaller as long as something still holds for it.
  class ProgramShrinker
    # How many programs are tried at most.
    LIMIT = 400

    # @yieldparam program [CatalogProgram]
    # @yieldreturn [Boolean] whether it still holds
    def initialize(&holds)
      @holds = holds
      @tried = 0
    end

    # @param program [CatalogProgram]
    # @return [CatalogProgram]
    def shrink(program)
      loop do
        smaller = smaller_of(program)
        return program unless smaller

        program = smaller
      end
    end

    private

    def smaller_of(program)
      steps = [:without_files, :without_lines, :without_blocks, :without_elements, :with_plain_values, :plainer]
      steps.each do |step|
        each_candidate(step, program) { |candidate| return candidate if @tried < LIMIT && holds?(candidate) }
      end
      nil
    end

    def holds?(candidate)
      @tried += 1
      @holds.call(candidate)
    end

    def each_candidate(step, program)
      if step == :without_files
        program.files.each_key { |path| yield program.dup.tap { |smaller| smaller.files = program.files.except(path) } }
      elsif step == :plainer
        yield program.dup.tap { |smaller| smaller.in_file = false } if program.in_file
        yield program.dup.tap { |smaller| smaller.settings = {"strict" => "error", "strict_variables" => true} } if program.settings.values != ["error", true]
      else
        send(step, program.code) { |code| yield program.dup.tap { |smaller| smaller.code = code } }
        program.files.each do |path, text|
          send(step, text) { |smaller_text| yield program.dup.tap { |smaller| smaller.files = program.files.merge(path => smaller_text) } }
        end
      end
    end

    # Without some lines that follow each other, the most of them first.
    def without_lines(text)
      lines = text.lines
      size = lines.size
      while size >= 1
        (0..lines.size - size).step([size / 2, 1].max) do |start|
          part = lines[start, size]
          yield (lines[0, start] + lines.drop(start + size)).join if balanced?(part)
        end
        size /= 2
      end
      each_block(lines) { |first, last| yield (lines[0...first] + lines.drop(last + 1)).join }
    end

    # With what is in a block in its place.
    def without_blocks(text)
      lines = text.lines
      each_block(lines) { |first, last| yield (lines[0...first] + lines[(first + 1)...last] + lines.drop(last + 1)).join }
    end

    def each_block(lines)
      lines.each_index do |first|
        next unless lines[first].rstrip.end_with?("{")

        depth = lines[first][/\A */]
        last = (first + 1...lines.size).find { |index| lines[index].start_with?("#{depth}}") }
        yield first, last if last
      end
    end

    def balanced?(lines)
      text = lines.join
      text.count("{") == text.count("}") && !lines.first.start_with?("}")
    end

    # Without one of the elements between commas.
    def without_elements(text)
      each_list(text) do |parts|
        next if parts.size < 2 && text[parts.first].strip.empty?

        parts.each_with_index do |range, index|
          from = index.zero? ? range.begin : range.begin - 1
          to = index.zero? && parts.size > 1 ? range.end + 1 : range.end
          yield text[0...from] + text[to..]
        end
      end
    end

    # The ranges of the elements in each pair of brackets.
    def each_list(text)
      open = []
      text.each_char.with_index do |char, index|
        case char
        when "(", "[", "{" then open << [index + 1]
        when ",", ":", ";" then open.last&.push(index + 1) if char == "," || (char == ":" && text[index + 1] == " ")
        when ")", "]", "}"
          starts = open.pop or next
          ends = starts.drop(1).map { |start| start - 1 } << index
          yield starts.zip(ends).map { |from, to| from...to } if ends.last - starts.first < 400
        end
      end
    end

    # With a plain text or number in place of a value.
    def with_plain_values(text)
      text.scan(/(?:=>|=|\+>|case|if|unless) (?!'a'|1\b|true\b)/) do
        from = Regexp.last_match.end(0)
        to = end_of_value(text, from)
        ["'a'", "1", "true"].each { |value| yield text[0...from] + value + text[to..] } if to > from
      end
      text.scan(/'([^'\n]{2,})'/) { |(inner)| yield text.gsub("'#{inner}'", "'a'") } if text.size < 300
    end

    def end_of_value(text, from)
      depth = 0
      (from...text.size).each do |index|
        case text[index]
        when "(", "[", "{" then return index - 1 if text[index] == "{" && depth.zero? && index > from
                                depth += 1
        when ")", "]", "}" then (depth -= 1) < 0 and return index
        when ",", ";", "\n" then return index if depth.zero?
        end
      end
      text.size
    end
  end
end
