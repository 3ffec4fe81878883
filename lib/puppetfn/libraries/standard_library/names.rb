# frozen_string_literal: true

module Puppetfn
  module StandardLibrary
    # Constants that a real Puppet has loaded, by the module that has them, and the features to require for them.
    # `rake libraries` writes them.
    CONSTANTS = {
      "Dir" => {
        Tmpname: "tmpdir"
      },
      "Object" => {
        Addrinfo: "socket",
        Base64: "base64",
        BasicSocket: "socket",
        Benchmark: "benchmark",
        CGI: "cgi",
        Concurrent: "concurrent",
        Date: "date",
        DateTime: "date",
        DeepMerge: "deep_merge/core",
        Delegator: "delegate",
        Digest: "digest",
        ERB: "erb",
        Etc: "etc",
        FileUtils: "fileutils",
        Find: "find",
        Forwardable: "forwardable",
        GetoptLong: "getoptlong",
        Hiera: "hiera",
        Hocon: "hocon",
        IPAddr: "ipaddr",
        IPSocket: "socket",
        JSON: "json",
        Logger: "logger",
        Net: "net/http",
        Open3: "open3",
        OpenSSL: "openssl",
        OpenStruct: "ostruct",
        OptParse: "optparse",
        OptionParser: "optparse",
        ParseError: "racc/parser",
        Pathname: "pathname",
        Psych: "psych",
        Racc: "racc/parser",
        Resolv: "resolv",
        Ripper: "ripper",
        ScanError: "strscan",
        SecureRandom: "securerandom",
        Set: "set",
        SimpleDelegator: "delegate",
        SingleForwardable: "forwardable",
        Singleton: "singleton",
        Socket: "socket",
        SocketError: "socket",
        SortedSet: "set",
        StringIO: "stringio",
        StringScanner: "strscan",
        Syslog: "syslog",
        TCPServer: "socket",
        TCPSocket: "socket",
        TSort: "tsort",
        Timeout: "timeout",
        UDPSocket: "socket",
        UNIXServer: "socket",
        UNIXSocket: "socket",
        URI: "uri",
        YAML: "yaml",
        Zlib: "zlib"
      },
      "Random::Formatter" => {
        ALPHANUMERIC: "random/formatter"
      },
      "Struct" => {
        Group: "etc",
        Passwd: "etc"
      }
    }.freeze

    # Methods that libraries add to Ruby's own modules, and the features to require for them. A dot after a module
    # marks its singleton class.
    METHODS = {
      "Class" => {
        json_creatable?: "json"
      },
      "Dir." => {
        mktmpdir: "tmpdir",
        tmpdir: "tmpdir"
      },
      "Enumerable" => {
        to_set: "set"
      },
      "IO" => {
        nonblock: "io/nonblock",
        "nonblock=": "io/nonblock",
        nonblock?: "io/nonblock",
        nread: "io/wait",
        pathconf: "etc",
        ready?: "io/wait",
        wait: "io/wait",
        wait_priority: "io/wait",
        wait_readable: "io/wait",
        wait_writable: "io/wait"
      },
      "Integer" => {
        to_bn: "openssl"
      },
      "Kernel" => {
        JSON: "json",
        Pathname: "pathname",
        URI: "uri",
        j: "json",
        jj: "json"
      },
      "Object" => {
        DelegateClass: "delegate",
        Digest: "digest",
        to_json: "json",
        to_yaml: "psych"
      },
      "Object." => {
        yaml_tag: "psych"
      },
      "Random::Formatter" => {
        alphanumeric: "random/formatter",
        base64: "random/formatter",
        hex: "random/formatter",
        random_bytes: "random/formatter",
        urlsafe_base64: "random/formatter",
        uuid: "random/formatter"
      },
      "String" => {
        to_json_raw: "json",
        to_json_raw_object: "json"
      },
      "String." => {
        json_create: "json"
      },
      "Time" => {
        httpdate: "time",
        iso8601: "time",
        rfc2822: "time",
        rfc822: "time",
        to_date: "date",
        to_datetime: "date",
        to_time: "date",
        xmlschema: "time"
      },
      "Time." => {
        httpdate: "time",
        iso8601: "time",
        parse: "time",
        rfc2822: "time",
        rfc822: "time",
        strptime: "time",
        xmlschema: "time",
        zone_offset: "time"
      }
    }.freeze
    private_constant :CONSTANTS, :METHODS
  end
end
