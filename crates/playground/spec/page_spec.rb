# frozen_string_literal: true

require "socket"
require_relative "../../../spec/support/browser"

# The page in a browser. `rake playground_test` builds it and runs this.
RSpec.describe "the playground" do
  include Browser

  directory = File.join(ENV.fetch("CARGO_TARGET_DIR", File.expand_path("../../../target", __dir__)), "playground-page")

  before(:context) do
    @port = TCPServer.open("127.0.0.1", 0) { |server| server.addr[1] }
    @server = Process.spawn("python3", "-m", "http.server", @port.to_s, "--bind", "127.0.0.1", "--directory", directory, %i[out err] => File::NULL)
    50.times do
      break if TCPSocket.open("127.0.0.1", @port).close.nil?
    rescue StandardError
      sleep 0.1
    end
  end

  after(:context) do
    Process.kill(:TERM, @server)
    Process.wait(@server)
  end

  # Opens the page, and waits until it shows a result.
  def open_page(session, fragment = "")
    session.open("http://127.0.0.1:#{@port}/index.html#{fragment}")
    wait(session, "document.getElementById('result').textContent !== ''")
  end

  def wait(session, condition)
    200.times { return if session.run(condition) || sleep(0.1).nil? }
    raise "the page does not show this: #{condition}"
  end

  # Enters code and chooses a tab.
  def enter(session, code, tab)
    session.run(<<~JS)
      document.getElementById("code").value = #{code.to_json};
      document.getElementById("code").dispatchEvent(new Event("input"));
      document.querySelector("[data-tab=#{tab}]").click();
    JS
  end

  def text(session, id)
    session.run("document.getElementById('#{id}').textContent")
  end

  it "shows values, mistakes, catalogs and graphs of examples and of entered code" do
    browse do |session|
      open_page(session)
      expect(text(session, "result")).to include("https listens on 443")
      expect(text(session, "version")).to match(/puppetfn \d/)

      enter(session, "notice('seen')\n1 + 2", "evaluate")
      wait(session, "document.getElementById('result').textContent === '3'")
      expect(text(session, "log")).to eq("notice: seen")

      enter(session, "file { '/etc/motd':\n  ensrue => file,\n}", "check")
      wait(session, "document.querySelectorAll('#problems li.error').length === 1")
      expect(text(session, "problems")).to include("ensrue", "line 2, column 3")
      expect(session.run("document.querySelector('#lines .error').textContent")).to eq("2")

      enter(session, "file { '/a': } -> notify { 'b': }", "graph")
      wait(session, "document.querySelector('#result svg') !== null")
      expect(text(session, "result")).to include("Notify[b]")
      expect(session.complaints).to eq([])
    end
  end

  it "formats code, and shares it by a link" do
    browse do |session|
      open_page(session)
      enter(session, "$a=[1,2]\n$a[1]", "infer")
      session.run("document.getElementById('format').click()")
      wait(session, "document.getElementById('code').value.startsWith('$a = [')")
      session.run("document.getElementById('share').click()")
      wait(session, "location.hash.length > 10")
      fragment = session.run("location.hash")
      open_page(session, fragment)
      expect(session.run("document.getElementById('code').value")).to eq("$a = [1, 2]\n$a[1]\n")
      expect(text(session, "result")).to eq("Integer[2, 2]")
    end
  end

  it "goes on after code that does not end, or nests too deep, and after facts that are not JSON" do
    browse do |session|
      open_page(session)
      enter(session, "function f($x) { f($x + 1) } f(1)", "evaluate")
      wait(session, "document.getElementById('problems').textContent.includes('calls')")
      enter(session, "Integer[1, 10000000].each |$n| { Integer[1, 10000000].each |$m| { $m } }", "evaluate")
      wait(session, "/limit 'fuel'|ended after/.test(document.getElementById('problems').textContent)")
      enter(session, "#{"[" * 100}1#{"]" * 100}", "evaluate")
      wait(session, "document.getElementById('result').textContent.startsWith('[')")
      session.run("document.getElementById('facts').value = '['; document.getElementById('facts').dispatchEvent(new Event('input'))")
      wait(session, "document.getElementById('problems').textContent.includes('The facts are not JSON')")
      session.run("document.getElementById('facts').value = ''; document.getElementById('facts').dispatchEvent(new Event('input'))")
      enter(session, "'again'", "evaluate")
      wait(session, "document.getElementById('result').textContent === \"'again'\"")
    end
  end
end
