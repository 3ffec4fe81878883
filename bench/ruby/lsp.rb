# frozen_string_literal: true

# Measures the language server on the modules of Debian: how long it takes to answer while somebody types in a file of 2,000
# lines, until it has said what is wrong with all files, and how much memory it has.
#   ruby bench/ruby/lsp.rb [--check] [DIRECTORY [MODULES]]

require "etc"
require "io/wait"
require "json"
require "rbconfig"
require "tmpdir"
require "fileutils"

# An editor that talks to a server.
class Editor
  attr_reader :process

  def initialize(root)
    command = [RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), File.expand_path("../../exe/puppetfn", __dir__), "lsp"]
    input, @write = IO.pipe(binmode: true)
    @read, output = IO.pipe(binmode: true)
    @process = Process.spawn(*command, in: input, out: output)
    [input, output].each(&:close)
    @last = 0
    ask("initialize", processId: Process.pid, capabilities: {}, rootUri: "file://#{root}")
    tell("initialized", {})
  end

  def tell(method, params)
    send(method: method, params: params)
  end

  def ask(method, params)
    send(id: @last += 1, method: method, params: params)
    loop do
      message = receive
      return message["result"] if message["id"] == @last && !message.key?("method")
    end
  end

  # Waits until something was said of a file.
  def diagnosed(uri)
    loop do
      message = receive
      return message["params"]["diagnostics"] if message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri
    end
  end

  # Waits until the server has nothing left to do, and reads what it says.
  #
  # @return [Float] the processor time that it has taken so far, in seconds
  def settle
    before = nil
    while before != (now = processor_seconds)
      before = now
      receive while @read.wait_readable(1)
    end
    now
  end

  def processor_seconds
    File.read("/proc/#{@process}/stat").split.values_at(13, 14).sum(&:to_i) / Etc.sysconf(Etc::SC_CLK_TCK).to_f
  end

  def memory
    Integer(File.read("/proc/#{@process}/status")[/^VmRSS:\s+(\d+)/, 1]) / 1024.0
  end

  def stop
    ask("shutdown", nil)
    tell("exit", nil)
    Process.wait(@process)
  end

  private

  def send(**content)
    text = JSON.generate({jsonrpc: "2.0", **content})
    @write.write("Content-Length: #{text.bytesize}\r\n\r\n#{text}")
  end

  def receive
    header = @read.gets("\r\n\r\n") or abort("the server is gone")
    JSON.parse(@read.read(Integer(header[/Content-Length: (\d+)/i, 1])))
  end
end

# A class of so many lines.
def long_class(lines)
  body = (1..).lazy.flat_map do |number|
    ["  $value#{number} = $port + #{number}", "  file { \"/tmp/${value#{number}}\":", "    ensure  => file,", "    content => \"${value#{number}} ${facts['os']['family']}\",",
      "    mode    => '0644',", "  }", ""]
  end
  ["class long(", "  Integer $port = 80,", ") {", *body.first(lines - 4), "}", ""].join("\n")
end

def seconds
  started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  yield
  Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
end

check = ARGV.delete("--check")
modules, limit = ARGV
modules ||= "/usr/share/puppet/modules.available"
Dir.mktmpdir do |directory|
  root = File.join(File.realpath(directory), "environment")
  FileUtils.mkdir_p(File.join(root, "modules"))
  Dir.glob("#{modules}/*/metadata.json").sort.first(Integer(limit || 50)).each do |metadata|
    name = JSON.parse(File.read(metadata))["name"].split(%r{[-/]}).last
    FileUtils.cp_r(File.realpath(File.dirname(metadata)), File.join(root, "modules", name))
  end
  FileUtils.mkdir_p(File.join(root, "modules/long/manifests"))
  path = File.join(root, "modules/long/manifests/init.pp")
  text = long_class(2_000)
  File.write(path, text)
  File.write(File.join(root, "environment.conf"), "modulepath = modules\n")
  uri = "file://#{path}"
  document = {uri: uri}
  editor = nil
  count = Dir.glob("#{root}/**/*.{pp,epp}").size

  first = seconds do
    editor = Editor.new(root)
    # What is asked is answered after all files were looked at.
    editor.ask("workspace/symbol", query: "long")
  end
  checked = editor.settle
  editor.tell("textDocument/didOpen", textDocument: {uri: uri, languageId: "puppet", version: 1, text: text})
  editor.diagnosed(uri)

  line = 1_000
  column = 0
  editor.tell("textDocument/didChange", textDocument: {uri: uri, version: 2},
    contentChanges: [{range: {start: {line: line, character: 0}, end: {line: line, character: 0}}, text: "\n"}])
  answers = Hash.new { |hash, key| hash[key] = [] }
  ("  $other = $value10 + $port".chars * 4).each_with_index do |letter, index|
    at = {line: line, character: column}
    editor.tell("textDocument/didChange", textDocument: {uri: uri, version: index + 3}, contentChanges: [{range: {start: at, end: at}, text: letter}])
    column += 1
    at = {line: line, character: column}
    answers["completion"] << seconds { editor.ask("textDocument/completion", textDocument: document, position: at) }
    {"hover" => at, "signatureHelp" => at, "references" => {line: 1, character: 12}}.each do |request, position|
      answers[request] << seconds do
        editor.ask("textDocument/#{request}", textDocument: document, position: position, context: {includeDeclaration: true})
      end
    end
    answers["semanticTokens"] << seconds { editor.ask("textDocument/semanticTokens/full", textDocument: document) }
  end
  memory = editor.memory
  editor.stop

  slowest = 0
  puts format("%d files of %d modules: %.2f s until all were read; %.2f s of processor time until all were checked, %.0f MB", count,
    Dir.children(File.join(root, "modules")).size, first, checked, memory)
  answers.each do |name, times|
    times.sort!
    late = times[(times.size * 0.95).to_i] * 1_000
    slowest = [slowest, late].max
    puts format("  %-16s median %5.1f ms, 95th percentile %5.1f ms", name, times[times.size / 2] * 1_000, late)
  end
  # Wide, since machines differ; the figures are for the README.
  abort("too slow or too large") if check && (slowest > 100 || first > 10 || memory > 400)
end
