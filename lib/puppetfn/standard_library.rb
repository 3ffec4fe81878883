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
      Net: "net/http", Open3: "open3", OpenSSL: "openssl", OpenStruct: "ostruct", OptionParser: "optparse", Pathname: "pathname",
      Psych: "psych", Resolv: "resolv", SecureRandom: "securerandom", Set: "set",
      SimpleDelegator: "delegate", Singleton: "singleton", Socket: "socket", StringIO: "stringio",
      StringScanner: "strscan", TCPSocket: "socket", Tempfile: "tempfile", Timeout: "timeout", URI: "uri",
      YAML: "yaml", Zlib: "zlib"
    }.freeze
    # What some of them give to all objects, and to Dir, once they are loaded.
    METHODS = {
      Object => {to_json: "json", to_yaml: "yaml"},
      Dir.singleton_class => {mktmpdir: "tmpdir", tmpdir: "tmpdir"}
    }.freeze
    private_constant :FILES, :METHODS

    # Makes the names known, once.
    #
    # @return [void]
    def self.publish
      return if @published

      @published = true
      FILES.each { |name, file| Object.autoload(name, file) unless Object.const_defined?(name) }
      METHODS.each do |owner, names|
        names.each { |name, file| owner.include(loading(name, file)) unless owner.method_defined?(name) }
      end
    end

    # Loads all of them that this Ruby has.
    #
    # @return [void]
    def self.load
      FILES.each_value.to_a.uniq.each do |file|
        require file
      rescue LoadError
        # What newer Rubies no longer come with is a gem of its own there.
      end
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

    # Returns a method that loads the library, whose own then comes before it.
    def self.loading(name, file)
      Module.new do
        define_method(name) do |*args, **options, &block|
          Kernel.require(file)
          public_send(name, *args, **options, &block)
        end
      end
    end
    private_class_method :loading
  end
end
