# frozen_string_literal: true

require "rspec/matchers"
require "stringio"

RSpec::Matchers.define :have_matching_element do |expected|
  match { |actual| actual.any? { |element| element =~ expected } }
end

RSpec::Matchers.define :exit_with do |expected|
  supports_block_expectations

  match do |block|
    block.call
    @status = nil
  rescue SystemExit => e
    @status = e.status
  ensure
    next @status == expected
  end

  failure_message { "expected exit with code #{expected} but #{@status ? "it was #{@status}" : "exit was not called"}" }
  failure_message_when_negated { "expected that exit would not be called with #{expected}" }
end

RSpec::Matchers.define :have_printed do |expected|
  supports_block_expectations

  match do |block|
    before = [$stdout, $stderr]
    $stdout = $stderr = printed = StringIO.new
    begin
      block.call
    ensure
      $stdout, $stderr = before
    end
    @actual = printed.string
    expected.is_a?(Regexp) ? expected.match?(@actual) : @actual.include?(expected)
  end

  failure_message { "expected #{expected.inspect} to be printed; got:\n#{@actual}" }
  diffable
end
