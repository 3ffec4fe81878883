# frozen_string_literal: true

module Puppetfn
  # Libraries of Ruby that a module needs and that are not installed, for the command to tell who needs them.
  #
  # @api private
  module MissingLibrary
    # The path of a function in a module.
    FUNCTION = %r{/lib/puppet/(?:parser/)?functions/(.+)\.rb\z}
    # Code that belongs to no module: this library, and Ruby's own.
    OF_NO_MODULE = %r{\A(?:<internal:|#{Regexp.escape(File.dirname(__dir__))}/)}
    # The gems of libraries that functions of published modules need. The name of a library does not tell its gem; nil for libraries
    # whose parts are in gems of their own.
    GEMS = {
      "augeas" => "ruby-augeas", "aws-sdk-core" => "aws-sdk-core", "bcrypt" => "bcrypt", "deep_merge" => "deep_merge",
      "fast_gettext" => "fast_gettext", "hiera" => "hiera", "hiera/backend/eyaml" => "hiera-eyaml",
      "hiera/backend/eyaml/encryptors" => nil, "hiera/backend/eyaml/encryptors/gpg" => "hiera-eyaml-gpg",
      "hiera/backend/eyaml/encryptors/plaintext" => "hiera-eyaml-plaintext", "hocon" => "hocon",
      "httparty" => "httparty", "inifile" => "inifile", "iniparse" => "iniparse", "ipaddress" => "ipaddress", "jmespath" => "jmespath",
      "mysql2" => "mysql2", "net/ldap" => "net-ldap", "net/ssh" => "net-ssh", "netaddr" => "netaddr", "nokogiri" => "nokogiri",
      "pg" => "pg", "puppet/resource_api" => "puppet-resource_api", "redis" => "redis", "rest-client" => "rest-client",
      "rest_client" => "rest-client", "toml" => "toml", "toml-rb" => "toml-rb", "vault" => "vault", "xmlsimple" => "xml-simple"
    }.freeze
    private_constant :FUNCTION, :OF_NO_MODULE, :GEMS

    # @param exception [Exception]
    # @return [String, nil] the dependent of the library, and its gem if known; nil where no library is missing
    def self.explain(exception)
      return unless exception.is_a?(LoadError) && exception.path && !File.absolute_path?(exception.path)

      files = exception.backtrace_locations.to_a.map(&:path).grep_v(OF_NO_MODULE)
      file = files.grep(FUNCTION).first || files.first
      name = file.to_s[FUNCTION, 1]&.gsub("/", "::")
      gem = gem_of(exception.path)
      "#{name ? "the function '#{name}' (#{file})" : file} needs the library '#{exception.path}', which is not installed" \
        "#{"; it is in the gem '#{gem}': gem install #{gem}" if gem}"
    end

    # @param library [String] as it is required
    # @return [String, nil] the gem that has it, also as a part of a library that is known
    def self.gem_of(library)
      parts = library.split("/")
      GEMS[parts.size.downto(1).map { |size| parts.first(size).join("/") }.find { |part| GEMS.key?(part) }]
    end
    private_class_method :gem_of
  end
end
