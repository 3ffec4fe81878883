# frozen_string_literal: true

# Answers the requests of documents on standard input as Puppet's HTTP handler does, one line of JSON for each.

$LOAD_PATH.unshift(ENV.fetch("PUPPET_LIB")) if ENV.key?("PUPPET_LIB")
require "json"
require "puppet"
require "puppet/file_serving/configuration"
require "puppet/file_serving/content"
require "puppet/file_serving/metadata"
require "puppet/network/http"
require "tmpdir"

# Puppet's handler without a web server. Requests and responses are hashes.
class HashHandler
  include Puppet::Network::HTTP::Handler

  def initialize
    routes = Puppet::Network::HTTP::API::IndirectedRoutes.new
    register([Puppet::Network::HTTP::Route.path(%r{^/puppet/v3/}).any(routes)])
  end

  def headers(_) = {"accept" => "application/json, application/octet-stream"}

  def params(request)
    query = request.fetch("query").group_by(&:first).transform_values { |pairs| pairs.size == 1 ? pairs[0][1] : pairs.map(&:last) }
    decode_params(query.merge("environment" => "production")).merge(request["node"] ? {node: request["node"], authenticated: true} : {})
  end

  def http_method(_) = "GET"

  def path(request) = "/puppet/v3/#{request.fetch("indirection")}/#{request.fetch("key")}"

  def client_cert(_) = nil

  def body(_) = nil

  def set_response(response, body, status = 200)
    response["status"] = status
    response["body"] = body.is_a?(File) ? body.read : body
  rescue SystemCallError => e
    response["status"] = 500
    response["body"] = JSON.generate("message" => "Server Error: #{e.message}", "issue_kind" => "RUNTIME_ERROR")
  end

  def set_content_type(*) = nil
end

# Puppet blocks on a FIFO until a process writes to it. puppetfn's answer is an error.
module RegularContent
  def to_binary
    type = File.stat(full_path).ftype
    raise("Cannot read files of type #{type}") unless %w[file directory].include?(type) || File.identical?(full_path, "/dev/null")

    super
  end
end
Puppet::FileServing::Content.prepend(RegularContent)

Dir.mktmpdir do |directory|
  Puppet.initialize_settings(["--confdir", directory, "--vardir", directory])
  Puppet[:strict] = :error
  logs = []
  Puppet::Util::Log.level = :warning
  Puppet::Util::Log.newdesttype(:kept) { define_method(:handle) { |entry| logs << entry.message } }
  Puppet::Util::Log.newdestination(:kept)
  handler = HashHandler.new
  JSON.parse($stdin.read).each do |document|
    environment = Puppet::Node::Environment.create(:production, document.fetch("modulepath"))
    Puppet[:fileserverconfig] = document.fetch("configuration")
    Puppet[:codedir] = document.fetch("codedir")
    Puppet::FileServing::Configuration.instance_variable_set(:@configuration, nil)
    host, domain = document.fetch("host").split(".", 2)
    local = {"h" => host, "H" => document.fetch("host"), "d" => domain}
    Puppet::FileServing::Mount::File.define_singleton_method(:localmap) { local }
    Puppet.override(environments: Puppet::Environments::Static.new(environment), current_environment: environment) do
      document.fetch("requests").each do |request|
        begin
          handler.process(request, response = {})
        rescue ArgumentError => e
          # Puppet fails to convert the parameters before it can word an error.
          failure = Puppet::Network::HTTP::Error::HTTPServerError.new(e)
          response = {"status" => failure.status, "body" => failure.to_json}
        end
        response["body"] = response["body"].dup.force_encoding(Encoding::UTF_8).scrub
        messages = logs.reject { |message| message.start_with?("Server Error: ") }
        puts JSON.generate("status" => response["status"], "body" => response["body"], "log" => messages)
        logs.clear
      end
    end
  end
end
