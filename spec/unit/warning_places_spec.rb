# frozen_string_literal: true

require "open3"
require "tmpdir"

# Warnings of the command have the places that Puppet 8.11 gives them.
RSpec.describe "puppetfn compile" do
  def warnings(code, *options) = log(code, *options).grep(/\AWarning/)

  def log(code, *options)
    Dir.mktmpdir do |directory|
      manifest = "#{directory}/site.pp"
      File.write(manifest, code)
      command = [RbConfig.ruby, "-I#{File.expand_path("../../lib", __dir__)}", File.expand_path("../../exe/puppetfn", __dir__)]
      _, log, = Open3.capture3(*command, "compile", "web1", "--manifest", manifest, *options)
      log.lines(chomp: true).map { |line| line.sub(directory, "") }
    end
  end

  it "places warnings about exported resources" do
    expect(warnings("@@notify { 'a': }\n Notify<<| |>>")).to eq([
      "Warning: You cannot collect exported resources without storeconfigs being set; the export is ignored " \
      "(file: /site.pp, line: 1, column: 1)",
      "Warning: You cannot collect exported resources without storeconfigs being set; the collection will be ignored " \
      "(file: /site.pp, line: 2, column: 2)"
    ])
  end

  it "places warnings of the parser and of operators" do
    expect(warnings("$a = \"\\q\"\n$b = '1' + 1", "--strict", "warning")).to eq([
      "Warning: Unrecognized escape sequence '\\q' (file: /site.pp, line: 1, column: 10)",
      "Warning: The string '1' was automatically coerced to the numerical value 1 (file: /site.pp, line: 2, column: 6)"
    ])
  end

  it "places a wrong escape sequence behind the dollar or quote that comes next, as the lexer of Puppet" do
    code = <<~'PUPPET'
      $x = 1
      $a = "a\/b $ c\/d $x e\/f ${1} $ \/g"
      $b = "\1 ($)\2 \/"
    PUPPET
    expect(warnings(code, "--strict", "warning")).to eq([
      "Warning: Unrecognized escape sequence '\\/' (file: /site.pp, line: 2, column: 13)",
      "Warning: Unrecognized escape sequence '\\/' (file: /site.pp, line: 2, column: 20)",
      "Warning: Unrecognized escape sequence '\\/' (file: /site.pp, line: 2, column: 29)",
      "Warning: Unrecognized escape sequence '\\/' (file: /site.pp, line: 2, column: 38)",
      "Warning: Unrecognized escape sequence '\\1' (file: /site.pp, line: 3, column: 12)",
      "Warning: Unrecognized escape sequence '\\2' (file: /site.pp, line: 3, column: 19)",
      "Warning: Unrecognized escape sequence '\\/' (file: /site.pp, line: 3, column: 19)"
    ])
  end

  it "prints a mismatch once, in Puppet's words" do
    expect(log("$x = upcase('a', 'b')")).to eq([
      "Error: Evaluation Error: Error while evaluating a Function Call, 'upcase' expects 1 argument, got 2 " \
      "(file: /site.pp, line: 1, column: 6) on node web1"
    ])
  end
end
