# frozen_string_literal: true

require "fileutils"
require "tmpdir"
require_relative "fake_service"
require_relative "server"

# `@server`, a Puppet server with files in `@directory`.
RSpec.shared_context "with a Puppet server" do |files|
  before(:all) do
    @directory = Dir.mktmpdir("terminus")
    @server = TerminusSpec::Server.new(@directory, files)
  end

  after(:all) do
    @server.stop
    FileUtils.rm_rf(@directory)
  end
end

# `@service`, a compile service beside it.
RSpec.shared_context "with a Puppet server and a compile service" do |files|
  include_context "with a Puppet server", files

  before(:all) { @service = TerminusSpec::FakeService.new(File.join(@directory, "socket")) }

  after(:all) { @service.stop }
end
