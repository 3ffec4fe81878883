# frozen_string_literal: true

module Puppetfn
  # The parts of Ruby's standard library that functions use without requiring them, because Puppet
  # has loaded them. Here each is loaded when a function first names it.
  #
  # @api private
  module StandardLibrary
    FILES = {
      Base64: "base64", Benchmark: "benchmark", CGI: "cgi", Date: "date", DateTime: "date",
      Delegator: "delegate", Digest: "digest", ERB: "erb", Etc: "etc", FileUtils: "fileutils",
      Find: "find", Forwardable: "forwardable", IPAddr: "ipaddr", JSON: "json", Logger: "logger",
      Net: "net/http", OpenSSL: "openssl", OpenStruct: "ostruct", OptionParser: "optparse", Pathname: "pathname",
      Psych: "psych", Resolv: "resolv", SecureRandom: "securerandom", Set: "set",
      SimpleDelegator: "delegate", Singleton: "singleton", Socket: "socket", StringIO: "stringio",
      StringScanner: "strscan", TCPSocket: "socket", Tempfile: "tempfile", Timeout: "timeout", URI: "uri",
      YAML: "yaml", Zlib: "zlib"
    }.freeze
    private_constant :FILES

    # Makes the names known, once.
    #
    # @return [void]
    def self.publish
      return if @published

      @published = true
      FILES.each { |name, file| Object.autoload(name, file) unless Object.const_defined?(name) }
    end

    # Loads the library that a file is a part of: the part alone would load it by its name, while it is loading itself.
    #
    # @param feature [String] such as `uri/generic`
    # @return [void]
    def self.load_whole(feature)
      first = feature[%r{\A[^/]+/}] or return
      library = FILES.each_value.find { |file| "#{file}/".start_with?(first) }
      require library if library
    end
  end
end
