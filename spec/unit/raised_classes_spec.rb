# frozen_string_literal: true

require_relative "../support/module_tree"

# The classes of the errors that functions in Ruby can rescue. All answers are Puppet 8.11's.
RSpec.describe "Errors that functions in Ruby get" do
  include ModuleTree

  files = {
    "own/lib/puppet/functions/own/raised.rb" => <<~RUBY,
      Puppet::Functions.create_function(:'own::raised', Puppet::Functions::InternalFunction) do
        dispatch(:raised) { scope_param; param 'String', :code }
        def raised(scope, code)
          binding.eval(code)
          'nothing'
        rescue StandardError => e
          "\#{e.class}: \#{e.message}"
        end
      end
    RUBY
    "own/manifests/failing.pp" => "class own::failing { fail('no') }",
    "own/manifests/broken.pp" => "class own::broken { if }",
    "own/functions/failing.pp" => "function own::failing() { 1 + 'a' }",
    "own/templates/broken.epp" => "<%= if %>",
    "own/templates/failing.epp" => "<%= 1 + 'a' %>"
  }.freeze

  define_method(:raised) do |code|
    with_runtime(files, node: "web1", variables: {"code" => code}) do |runtime, root|
      runtime.compile("notify { 'a': } notice(own::raised($code))")
      runtime.logs.map { |_, message| message }.join("\n").gsub(root, "ROOT")
    end
  end

  {
    "scope.function_include(['none'])" => "Puppet::Error: Could not find class ::none for web1",
    "call_function('require', 'none')" => "Puppet::Error: Could not find class ::none for web1",
    "call_function('contain', 'none')" => "Puppet::Error: Could not find class ::none for web1",
    "scope.compiler.evaluate_classes(['none'], scope)" => "Puppet::Error: Could not find class none for web1",
    "call_function('include', '')" => "ArgumentError: Cannot use empty string as a class name",
    "call_function('include', nil)" => "ArgumentError: Cannot use undef as a class name",
    "call_function('create_resources', 'class', {'none' => {}})" => "ArgumentError: Could not find declared class none",
    "call_function('create_resources', 'none', {'a' => {}})" => "ArgumentError: Unknown resource type: 'none'",
    "call_function('create_resources', 'notify', 1)" => "ArgumentError: create_resources(): second argument must be a hash",
    "call_function('include', 'own::failing')" =>
      "Puppet::PreformattedError: Evaluation Error: Error while evaluating a Function Call, no " \
      "(file: ROOT/own/manifests/failing.pp, line: 1, column: 22)",
    "call_function('include', 'own::broken')" =>
      "Puppet::ParseErrorWithIssue: Syntax error at '}' (file: ROOT/own/manifests/broken.pp, line: 1, column: 24)",
    "call_function('include', 'own::broken') rescue scope.find_hostclass('own::broken')" =>
      "Puppet::ParseErrorWithIssue: Syntax error at '}' (file: ROOT/own/manifests/broken.pp, line: 1, column: 24)",
    "call_function('own::failing')" =>
      "Puppet::PreformattedError: Evaluation Error: The value 'a' cannot be converted to Numeric. " \
      "(file: ROOT/own/functions/failing.pp, line: 1, column: 31)",
    "call_function('epp', 'own/failing.epp')" =>
      "Puppet::PreformattedError: Evaluation Error: The value 'a' cannot be converted to Numeric. " \
      "(file: ROOT/own/templates/failing.epp, line: 1, column: 9)",
    "call_function('epp', 'own/broken.epp')" =>
      "ArgumentError: epp(): Invalid EPP: Syntax error at '%>' (file: ROOT/own/templates/broken.epp, line: 1, column: 8)",
    "call_function('epp', 'own/none.epp')" => "Puppet::ParseError: Could not find template 'own/none.epp'",
    "call_function('fail', 'no')" => "Puppet::ParseError: no",
    "call_function('tag', 'b%d')" => "Puppet::ParseError: Invalid tag 'b%d'",
    "call_function('split', 'a', '(')" => "RegexpError: end pattern with unmatched parenthesis: /(/",
    "call_function('regsubst', 'a', '(', '')" => "RegexpError: end pattern with unmatched parenthesis: /(/",
    "call_function('match', 'a', '(')" => "RegexpError: end pattern with unmatched parenthesis: /(/",
    "call_function('sprintf', '%d', 'x')" => 'ArgumentError: invalid value for Integer(): "x"',
    "call_function('sprintf', '%d', [1])" => "TypeError: can't convert Array into Integer",
    "call_function('sprintf', '%y', 1)" => "ArgumentError: malformed format string - %y",
    "call_function('md5', 1)" => "TypeError: no implicit conversion of Integer into String",
    "call_function('get', {'a' => 1}, \"a.'b\")" => "RuntimeError: Syntax error in dotted-navigation string",
    "call_function('dig', {'a' => 1}, 'a', 'b')" =>
      "Puppet::ErrorWithData: The given data does not contain a Collection at [\"a\"], got 'Integer[1, 1]'",
    "call_function('assert_type', 'Integer[', 1)" => "Puppet::ParseErrorWithIssue: Syntax error at end of input",
    "Puppet::Pops::Types::TypeParser.singleton.parse('Integer[a]')" =>
      "Puppet::ParseError: The expression <Integer[a]> is not a valid type specification."
  }.each do |code, expected|
    it("#{code} raises #{expected[/\A[\w:]+(?=: )/]}") { expect(raised(code)).to eq(expected) }
  end

  it "have the data of errors that are values" do
    expect(raised("call_function('dig', [[1]], 0, 'x') rescue raise $!.error_data.issue_code")).to eq("RuntimeError: EXPECTED_INTEGER_INDEX")
  end
end
