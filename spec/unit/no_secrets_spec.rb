# frozen_string_literal: true

require "json"
require "open3"
require "openssl"
require "rbconfig"
require_relative "../support/module_tree"

# Catalogs and data of encrypted secrets, on a machine without the keys.
RSpec.describe "--no-secrets" do
  include ModuleTree

  keys = lambda do
    key = OpenSSL::PKey::RSA.new(2048)
    certificate = OpenSSL::X509::Certificate.new
    certificate.serial, certificate.version, certificate.public_key = 1, 2, key.public_key
    certificate.subject = certificate.issuer = OpenSSL::X509::Name.parse("/CN=web")
    certificate.not_before, certificate.not_after = Time.now - 60, Time.now + 86_400
    [key, certificate.sign(key, OpenSSL::Digest.new("SHA256"))]
  end
  encrypt = lambda do |text, certificate|
    der = OpenSSL::PKCS7.encrypt([certificate], text, OpenSSL::Cipher.new("aes-256-cbc"), OpenSSL::PKCS7::BINARY).to_der
    "ENC[PKCS7,#{[der].pack("m0")}]"
  end

  before(:all) do
    @key, @certificate = keys.call
    @cipher = %i[password other list].to_h { |name| [name, encrypt.call("plain #{name}", @certificate)] }
  end

  # As the module does it: with keys of the server and the certificate of the node.
  node_encrypt = <<~RUBY
    require "openssl"
    Puppet::Functions.create_function(:node_encrypt) do
      dispatch(:encrypt) { param "String", :content }
      dispatch(:encrypt_sensitive) { param "Sensitive", :content }

      def encrypt(content)
        key = OpenSSL::PKey::RSA.new(File.read(Puppet.settings[:hostprivkey]))
        certificate = OpenSSL::X509::Certificate.new(File.read(Puppet.settings[:hostcert]))
        signed = OpenSSL::PKCS7.sign(certificate, key, content, [], OpenSSL::PKCS7::BINARY)
        OpenSSL::PKCS7.encrypt([certificate], signed.to_der, OpenSSL::Cipher.new("AES-128-CFB"), OpenSSL::PKCS7::BINARY).to_s
      end

      def encrypt_sensitive(content) = encrypt(content.unwrap)
    end
  RUBY
  node_decrypt = <<~RUBY
    Puppet::Functions.create_function(:node_decrypt) do
      dispatch(:decrypt) { param "String", :content }

      def decrypt(_content) = raise(ArgumentError, "there is no key of the node")
    end
  RUBY

  around do |example|
    files = {
      "hiera.yaml" => <<~YAML,
        version: 5
        hierarchy:
          - name: secrets
            path: secrets.eyaml
            lookup_key: eyaml_lookup_key
            options: {pkcs7_private_key: keys/private.pem, pkcs7_public_key: keys/public.pem}
      YAML
      "data/secrets.eyaml" => data(@cipher),
      "manifests/site.pp" => <<~PUPPET,
        file { '/etc/password': content => lookup('password') }
        file { '/etc/sensitive': content => lookup('sensitive') }
        file { '/etc/deferred': content => Deferred('node_decrypt', [node_encrypt(Sensitive('plain node'))]) }
      PUPPET
      "modules/node_encrypt/lib/puppet/functions/node_encrypt.rb" => node_encrypt,
      "modules/node_encrypt/lib/puppet/functions/node_decrypt.rb" => node_decrypt,
      "modules/old/lib/puppet/parser/functions/old_secret.rb" =>
        "Puppet::Parser::Functions.newfunction(:old_secret, type: :rvalue) { |given| function_node_encrypt([given.first]) }",
      "modules/old/lib/puppet/parser/functions/node_encrypt.rb" =>
        "Puppet::Parser::Functions.newfunction(:node_encrypt, type: :rvalue, arity: 1) { |_| raise 'no key' }"
    }
    with_modules(files.transform_keys { |path| "environment/#{path}" }) do |root|
      @root = root
      @environment = "#{root}/environment"
      Dir.chdir(@environment) { example.run }
    end
  end

  def data(cipher)
    <<~YAML
      lookup_options: {sensitive: {convert_to: Sensitive}}
      password: "#{cipher[:password]}"
      same: >
        #{cipher[:password].scan(/.{1,60}/).join("\n  ")}
      sensitive: #{cipher[:other]}
      within: "user:#{cipher[:password]}@host"
      nested: {list: ["#{cipher[:list]}", clear]}
      gpg: ENC[GPG,aGVsbG8=]
      cut: "ENC[PKCS7,not ciphertext!]"
    YAML
  end

  def puppetfn(*arguments)
    command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), *arguments]
    Open3.capture3(*command, chdir: @environment).then { |out, err, status| [out, err, status.exitstatus] }
  end

  def runtime(**options)
    Puppetfn::Runtime.new(environment: @environment, **options)
  end

  def write_keys
    FileUtils.mkdir_p("#{@environment}/keys")
    File.write("#{@environment}/keys/private.pem", @key.to_pem)
    File.write("#{@environment}/keys/public.pem", @certificate.to_pem)
  end

  help = /^help: without keys, `--no-secrets` replaces encrypted data with placeholders$/

  describe "data of hiera-eyaml" do
    names = %w[password same within nested gpg cut]

    it "is decrypted with the keys, and without them an error that names the option" do
      expect(puppetfn("lookup", "password", "--environment", ".")).to match(["", /hiera-eyaml backend error decrypting .*#{help}/m, 1])
      write_keys
      expect(puppetfn("lookup", "password", "--environment", ".")).to eq(["--- plain password\n", "", 0])
    end

    it "is an error that names the option and the plugin's gem where hiera-eyaml lacks the plugin" do
      expect(puppetfn("lookup", "gpg", "--environment", "."))
        .to match(["", %r{cannot load such file -- hiera/backend/eyaml/encryptors/gpg.*in the gem 'hiera-eyaml-gpg'.*#{help}}m, 1])
    end

    it "has placeholders that tell secrets apart and show none" do
      found = names.to_h { |name| [name, runtime(secrets: false).lookup(name)] }
      password = found["password"]
      expect(password).to match(/\Anosecret[0-9a-f]{12}\z/)
      expect(found).to match(
        "password" => password, "same" => password, "within" => "user:#{password}@host",
        "nested" => {"list" => [a_string_matching(/\Anosecret\h{12}\z/).and(satisfy { |list| list != password }), "clear"]},
        "gpg" => /\Anosecret\h{12}\z/, "cut" => "ENC[PKCS7,not ciphertext!]"
      )
    end

    it "has the same placeholders where the keys are" do
      without = names.map { |name| runtime(secrets: false).lookup(name) }
      write_keys
      expect(names.map { |name| runtime(secrets: false).lookup(name) }).to eq(without)
    end

    it "stays sensitive" do
      found = runtime(secrets: false).lookup("sensitive")
      expect(found).to be_a(Puppet::Pops::Types::PSensitiveType::Sensitive)
      expect(found.unwrap).to match(/\Anosecret\h{12}\z/)
    end

    it "is not encrypted where a line does not end what it begins, as for Puppet" do
      File.write("#{@environment}/data/secrets.eyaml", "lines: |\n  ENC[PKCS7,\n  aGVsbG8=]\n")
      expect([runtime.lookup("lines"), runtime(secrets: false).lookup("lines")]).to all(eq("ENC[PKCS7,\naGVsbG8=]\n"))
    end

    it "needs neither Ruby nor hiera-eyaml" do
      found, _, code = puppetfn("lookup", "password", "--environment", ".", "--no-secrets", "--no-ruby")
      expect([found, code]).to match([/\A--- nosecret\h{12}\n\z/, 0])
    end
  end

  describe "what the functions of node_encrypt return" do
    it "is a placeholder that tells texts apart and shows none" do
      code = "[node_encrypt('plain node'), node_encrypt(Sensitive('plain node')), node_encrypt('another')]"
      first, second, other = runtime(secrets: false).evaluate_string(code)
      expect(first).to match(/\A-----BEGIN PKCS7-----\nnosecret\h{6}\n-----END PKCS7-----\n\z/)
      expect(second).to eq(first)
      expect(other).not_to eq(first)
    end

    it "is sensitive where it is decrypted" do
      found = runtime(secrets: false).evaluate_string("node_decrypt('cipher')")
      expect(found).to be_a(Puppet::Pops::Types::PSensitiveType::Sensitive)
      expect(found.unwrap).to match(/\Anosecret\h{12}\z/)
      expect { runtime.evaluate_string("node_decrypt('cipher')") }.to raise_error(/there is no key of the node/)
    end

    it "is the same for functions in Ruby that call them" do
      made = runtime(secrets: false)
      expect(made.evaluate_string("old_secret('plain node')")).to eq(made.call_function("node_encrypt", "plain node"))
    end

    it "is the error of these functions for other arguments" do
      expect { runtime(secrets: false).evaluate_string("node_encrypt(1)") }
        .to raise_error(/'node_encrypt' parameter 'content' expects a value of type String or Sensitive, got Integer/)
      expect { runtime(secrets: false).evaluate_string("node_encrypt(Sensitive(1))") }.to raise_error(/Can only encrypt strings/)
    end

    it "is there only where a module has the functions" do
      FileUtils.rm_rf("#{@environment}/modules/node_encrypt")
      expect { runtime(secrets: false).evaluate_string("node_decrypt('a')") }.to raise_error(/Unknown function: 'node_decrypt'/)
    end

    it "without the keys is an error that names the option" do
      expect(puppetfn("eval", "node_encrypt('a')", "--environment", ".", "--setting", "ssldir=#{@root}/none"))
        .to match(["", %r{No such file or directory @ rb_sysopen - #{@root}/none/private_keys/.*#{help}}m, 1])
    end
  end

  describe "catalogs" do
    it "are compiled without the keys" do
      expect(puppetfn("compile", "web", "--environment", ".")).to match(["", /hiera-eyaml backend error decrypting .*#{help}/m, 1])
      out, _, code = puppetfn("compile", "web", "--environment", ".", "--no-secrets")
      expect(code).to eq(0)
      expect(out).not_to include("plain")
      content = JSON.parse(out)["resources"].select { |resource| resource["type"] == "File" }.to_h { |file| [file["title"], file] }
      expect(content["/etc/password"]["parameters"]["content"]).to match(/\Anosecret/)
      expect(content["/etc/sensitive"]).to include("sensitive_parameters" => ["content"])
      expect(content["/etc/deferred"]["parameters"]["content"])
        .to include("__ptype" => "Deferred", "name" => "node_decrypt", "arguments" => [/BEGIN PKCS7-----\nnosecret/])
    end

    it "are the same where the project says it" do
      File.write("#{@environment}/puppetfn.toml", "secrets = false\n")
      said, _, code = puppetfn("compile", "web", "--environment", ".")
      expect([said.scan("nosecret").size, code]).to eq([3, 0])
    end

    it "differ if the encrypted data does, and else not" do
      FileUtils.cp_r(@environment, "#{@root}/changed")
      facts = "#{@root}/facts"
      FileUtils.mkdir_p(facts)
      File.write("#{facts}/web.json", "{}")
      diff = -> { puppetfn("diff", @environment, "#{@root}/changed", "--nodes", facts, "--no-secrets", "--jobs", "1") }
      expect(diff.call.last).to eq(0)

      File.write("#{@root}/changed/data/secrets.eyaml", data(@cipher.merge(password: @cipher[:list])))
      out, _, code = diff.call
      expect([out, code]).to match([/~ File\[\/etc\/password\].*nosecret\h{12}.*nosecret\h{12}/m, 2])

      _, err, code = puppetfn("diff", @environment, "#{@root}/changed", "--nodes", facts, "--jobs", "1")
      expect([err, code]).to match([help, 1])
    end
  end

  it "is an option of unit suites" do
    spec = "#{@environment}/modules/node_encrypt/spec/functions/node_encrypt_spec.rb"
    FileUtils.mkdir_p(File.dirname(spec))
    File.write(spec, "describe('node_encrypt') { it { is_expected.to run.with_params('a').and_return(/nosecret/) } }\n")
    File.write("#{@environment}/modules/node_encrypt/metadata.json", ModuleTree.metadata("a-node_encrypt"))
    test = lambda do |*options|
      command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), "test", *options]
      Open3.capture2e(*command, chdir: "#{@environment}/modules/node_encrypt").last.exitstatus
    end
    expect([test.call("--no-secrets"), test.call]).to eq([0, 1])
  end
end
