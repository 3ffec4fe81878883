# frozen_string_literal: true

require "open3"
require "rbconfig"

# Every check of puppet-lint and of Vox Pupuli's plugins has a rule, which docs/check.md names.
RSpec.describe "checks of puppet-lint" do
  command = File.expand_path("../../exe/puppetfn", __dir__)
  document = File.expand_path("../../docs/check.md", __dir__)

  let(:known) do
    output, = Open3.capture2(RbConfig.ruby, command, "check", "--list")
    output.lines.flat_map { |line| line[/ \(([^()]*)\)$/, 1].to_s.split(", ") }
  end

  it "are those of the table" do
    table = File.readlines(document).filter_map { |line| line[/\A\| `(\w+)` \| \[/, 1] }
    expect(table).to eq(known.sort)
  end

  it "have rules if puppet-lint has them" do
    begin
      require "puppet-lint"
    rescue LoadError
      skip("puppet-lint is not installed")
    end
    checks = PuppetLint.configuration.checks.map(&:to_s)
    expect(checks - known).to eq([])
    expect(checks.size).to be > 30
  end

  it "have rules if the plugins of voxpupuli-puppet-lint-plugins have them" do
    checks = %w[
      anchor_resource exec_idempotency file_ensure leading_zero lookup_in_parameter
      manifest_whitespace_arrows_single_space_after manifest_whitespace_class_name_single_space_after
      manifest_whitespace_class_name_single_space_before manifest_whitespace_closing_brace_after manifest_whitespace_closing_brace_before
      manifest_whitespace_closing_bracket_after manifest_whitespace_closing_bracket_before manifest_whitespace_double_newline_end_of_file
      manifest_whitespace_inherits_name_single_space_before manifest_whitespace_missing_newline_end_of_file
      manifest_whitespace_newline_beginning_of_file manifest_whitespace_opening_brace_after manifest_whitespace_opening_brace_before
      manifest_whitespace_opening_bracket_after manifest_whitespace_opening_bracket_before manifest_whitespace_two_empty_lines
      optional_default parameter_documentation parameter_types params_empty_string_assignment relative_classname_inclusion
      relative_classname_reference resource_reference_chain_without_whitespace resource_reference_with_unquoted_title
      resource_reference_without_title_capital resource_reference_without_whitespace strict_indent topscope_variable trailing_comma
      unquoted_string_in_case unquoted_string_in_selector variable_contains_upcase version_comparison
    ]
    expect(checks - known).to eq([])
  end
end
