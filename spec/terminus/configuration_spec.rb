# frozen_string_literal: true

require "parser/ruby25"
require_relative "shared_contexts"

RSpec.describe "puppetfn.conf" do
  include_context "with a Puppet server", {"enc/web1.yaml" => "{}", "environments/production/manifests/site.pp" => ""}

  def error(text) = @server.configure(text).error&.delete_prefix("Puppet::Error: #{@directory}/conf/puppetfn.conf: ")

  it "may have every setting, comments and spaces" do
    expect(error("# A comment\n; another\n\n [main] \n  socket = /run/x y.sock \nmode=shadow\nenvironments = a, b c\nconnect_timeout = 500\nread_timeout = 1.5s\n" \
                 "timeout = 2m\nretry_after = 0\nmax_answer_size = 1GB\ndifferences_file = /var/log/x\n")).to be_nil
    expect(error("")).to be_nil
  end

  it "has errors that name the file and the setting" do
    errors = {
      "[main]\nmode = maybe\n" => '[main] mode has to be one of use, shadow, off, not "maybe"',
      "[main]\nsocket = puppetfn.sock\n" => '[main] socket has to be an absolute path, not "puppetfn.sock"',
      "[main]\nsocket =\n" => '[main] socket has to be an absolute path, not ""',
      "[main]\nsocket = /#{"x" * 107}\n" => "[main] socket has to be a path of at most 107 bytes, not \"/#{"x" * 107}\"",
      "[main]\ntimeout = soon\n" => '[main] timeout has to be a time, such as 30s or 2m, not "soon"',
      "[main]\nread_timeout = 0\n" => '[main] read_timeout has to be a time longer than none, not "0"',
      "[main]\nretry_after = -1\n" => '[main] retry_after has to be a time, such as 30s or 2m, not "-1"',
      "[main]\nmax_answer_size = 0\n" => '[main] max_answer_size has to be a size, such as 64MB, not "0"',
      "[main]\ndifferences_file = log\n" => '[main] differences_file has to be an absolute path, not "log"',
      "[main]\n\nsocked = /x\n" => "line 3: there is no setting socked; there are socket, mode, environments, connect_timeout, read_timeout, timeout, retry_after, max_answer_size, differences_file",
      "[server]\n" => "line 1: the only section is [main], not [server]",
      "mode = use\n" => "line 1: the setting mode is in no section: put [main] before it",
      "[main]\nmode: use\n" => "line 2: neither a section, such as [main], nor a setting, such as mode = use"
    }
    expect(errors.keys.to_h { |text| [text, error(text)] }).to eq(errors)
  end
end

RSpec.describe "the files of the catalog terminus" do
  root = File.expand_path("../../lib", __dir__)
  files = Dir.glob("{puppet/**/*.rb,puppetfn/terminus/**/*.rb}", base: root)

  it "are Ruby 2.5, which JRuby 9.2 is, and need nothing else of puppetfn" do
    errors = files.reject { |file| Parser::Ruby25.parse(File.read(File.join(root, file)), file) }
    needed = files.flat_map do |file|
      text = File.read(File.join(root, file))
      own = text.scan(/^require_relative "(.+)"/).flatten.map { |path| "#{File.expand_path(path, "/#{File.dirname(file)}")}.rb".delete_prefix("/") }
      own.reject { |path| files.include?(path) } + text.scan(/^ *require "(.+)"/).flatten
    end
    expect([errors, needed.uniq.sort]).to eq([[], %w[json puppet/indirector/catalog/compiler puppet/resource/catalog socket time]])
  end

  # Ruby's newer methods, which JRuby 9.2 does not have.
  it "call no methods that came after Ruby 2.5" do
    newer = /\.(?:filter_map|filter|tally|then|sum \{|to_h \{|each_entry|except|intersect\?|compare_by|union|difference|deconstruct|delete_prefix!|step\(by|unpack1\(.*offset)\b|\bto_h \{|\bto_h do/
    found = files.flat_map { |file| File.readlines(File.join(root, file)).grep(newer).map { |line| "#{file}: #{line}" } }
    expect(found).to eq([])
  end
end
