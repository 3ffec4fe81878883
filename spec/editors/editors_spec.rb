# frozen_string_literal: true

require "open3"
require "rbconfig"
require "tmpdir"
require "timeout"

# The language server of the gem, with the editors that there are.
RSpec.describe "puppetfn lsp" do
  files = {
    "metadata.json" => '{"name": "a-web", "version": "1.0.0", "source": "", "author": "a", "license": "", "dependencies": []}',
    "manifests/init.pp" => <<~PUPPET,
      # Serves pages.
      class web (
        Integer $port = 80,
      ) {
        $next = web::add($port)
        file { '/é':
          ensure=>file,
          content => "${next}",
        }
      }
    PUPPET
    "manifests/other.pp" => "class web::other {\n  include web\n}\n",
    "lib/puppet/functions/web/add.rb" => <<~RUBY
      # Adds one.
      Puppet::Functions.create_function(:'web::add') do
        # @param n the number
        dispatch(:add) do
          param "Integer", :n
          return_type "Integer"
        end

        def add(n) = n + 1
      end
    RUBY
  }

  let(:command) { [RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), File.expand_path("../../exe/puppetfn", __dir__), "lsp"] }

  around do |example|
    Dir.mktmpdir do |directory|
      @root = File.join(File.realpath(directory), "web")
      files.each do |path, text|
        FileUtils.mkdir_p(File.dirname(File.join(@root, path)))
        File.write(File.join(@root, path), text)
      end
      example.run
    end
  end

  def message(**content)
    text = JSON.generate({jsonrpc: "2.0", **content})
    "Content-Length: #{text.bytesize}\r\n\r\n#{text}"
  end

  it "works in Neovim, with functions in Ruby" do
    out = File.join(@root, "out.json")
    lenses = File.read(File.expand_path("../../docs/editors.md", __dir__))[/^```lua\n(vim\.lsp\.commands\[.*?)^```/m, 1]
    env = {"PUPPETFN_COMMAND" => JSON.generate(command), "PUPPETFN_ROOT" => @root, "PUPPETFN_OUT" => out, "PUPPETFN_LENSES" => lenses, "HOME" => @root}
    script = File.join(__dir__, "neovim.lua")
    said, status = Open3.capture2e(env, "timeout", "120", "nvim", "--headless", "-u", "NONE", "-n", "-c", "luafile #{script}")
    expect(status).to be_success, said
    result = JSON.parse(File.read(out))

    expect(result["problem"]).to be_nil
    expect(result["hover"]).to include("web::add(Integer n) >> Integer").and include("Adds one.")
    expect(result["definition"]).to eq("file://#{@root}/lib/puppet/functions/web/add.rb")
    expect(result["completion"]).to include("port")
    expect(result["references"]).to eq([["#{@root}/manifests/other.pp", 2]])
    expect(result["wrong"]).to eq([[5, 21, "Notify has no parameter named 'mesage'; did you mean 'message'?"]])
    expect(result).to include("right" => 0, "stopped" => true)
    expect(result["text"].join("\n")).to include("  $following = web::add($port)")
      .and include("    ensure  => file,\n    content => \"${following}\",")
  end

  # script/setup installs pytest-lsp, whose client is pygls.
  it "does all it says it does, for clients that say of themselves what VS Code, Emacs and Neovim do" do
    python = File.expand_path("../../target/python/bin/python", __dir__)
    env = {"PUPPETFN_COMMAND" => JSON.generate(command), "PUPPETFN_MODULES" => "/usr/share/puppet/modules", "PYTHONDONTWRITEBYTECODE" => "1"}
    tests = File.join(__dir__, "clients.py")
    said, status = Open3.capture2e(env, "timeout", "300", python, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests)
    expect(status).to be_success, said
    expect(said).to match(/^\d+ passed/)
  end

  it "ends with the editor that started it" do
    editor = Process.spawn("sleep", "60")
    reader, writer = IO.pipe
    server = Process.spawn(*command, in: reader, out: File::NULL)
    writer.write(message(id: 1, method: "initialize", params: {processId: editor, capabilities: {}, rootUri: "file://#{@root}"}),
      message(method: "initialized", params: {}))
    Process.kill(:KILL, editor)
    Process.wait(editor)

    status = Timeout.timeout(30) { Process.wait2(server).last }
    expect(status.exitstatus).to eq(1)
  ensure
    [reader, writer].each(&:close)
    Process.kill(:KILL, server) unless status
  end
end
