# frozen_string_literal: true

require "fileutils"
require "openssl"

# A certificate authority in a directory laid out as Puppet's `ssldir`.
class Certificates
  DAY = 24 * 60 * 60

  # @param directory [String]
  # @param name [String] the common name of the authority
  def initialize(directory, name = "Puppet CA: test")
    @directory = directory
    @serial = 1
    %w[certs private_keys].each { |folder| FileUtils.mkdir_p(File.join(directory, folder)) }
    @key = OpenSSL::PKey::EC.generate("prime256v1")
    @authority = unsigned(name, @key)
    @authority.issuer = @authority.subject
    extend_with(@authority, @authority, "basicConstraints" => "critical,CA:TRUE", "keyUsage" => "critical,keyCertSign,cRLSign",
      "subjectKeyIdentifier" => "hash")
    @authority.sign(@key, "SHA256")
    write("certs/ca.pem", @authority)
    revoke
  end

  # Writes a certificate and its key.
  #
  # @param extensions [Hash{String=>String}] texts by their OIDs
  # @param key [OpenSSL::PKey::PKey] of the client; only a private one is written
  # @return [OpenSSL::X509::Certificate]
  def issue(name, alternatives: [], extensions: {}, until_time: Time.now + DAY, key: OpenSSL::PKey::EC.generate("prime256v1"))
    certificate = unsigned(name, key, until_time)
    certificate.issuer = @authority.subject
    extend_with(certificate, @authority, "keyUsage" => "critical,digitalSignature,keyEncipherment",
      "extendedKeyUsage" => "serverAuth,clientAuth", "authorityKeyIdentifier" => "keyid:always")
    extend_with(certificate, @authority, "subjectAltName" => alternatives.join(",")) unless alternatives.empty?
    extensions.each { |oid, text| certificate.add_extension(OpenSSL::X509::Extension.new(oid, OpenSSL::ASN1::UTF8String(text).to_der, false)) }
    certificate.sign(@key, "SHA256")
    write("private_keys/#{name}.pem", key) if key.private?
    write("certs/#{name}.pem", certificate)
    certificate
  end

  # Replaces the list of revoked certificates.
  def revoke(*certificates)
    list = OpenSSL::X509::CRL.new
    list.version = 1
    list.issuer = @authority.subject
    list.last_update = Time.now - DAY
    list.next_update = Time.now + DAY
    certificates.each do |certificate|
      revoked = OpenSSL::X509::Revoked.new
      revoked.serial = certificate.serial
      revoked.time = Time.now - 60
      list.add_revoked(revoked)
    end
    factory = OpenSSL::X509::ExtensionFactory.new(@authority)
    factory.crl = list
    list.add_extension(factory.create_extension("authorityKeyIdentifier", "keyid:always"))
    list.add_extension(OpenSSL::X509::Extension.new("crlNumber", OpenSSL::ASN1::Integer(@serial += 1)))
    list.sign(@key, "SHA256")
    write("crl.pem", list)
  end

  # @return [Hash{Symbol=>Object}] options of Net::HTTP for a client, without a certificate if there is no name
  def client(name)
    options = {use_ssl: true, ca_file: path("certs/ca.pem")}
    return options unless name

    options.merge(cert: OpenSSL::X509::Certificate.new(File.read(path("certs/#{name}.pem"))),
      key: OpenSSL::PKey.read(File.read(path("private_keys/#{name}.pem"))))
  end

  # @param name [String] of a file in the directory
  # @return [String]
  def path(name) = File.join(@directory, name)

  private

  def write(name, object)
    File.write("#{path(name)}.new", object.respond_to?(:private_to_pem) ? object.private_to_pem : object.to_pem)
    File.rename("#{path(name)}.new", path(name))
  end

  def unsigned(name, key, until_time = Time.now + DAY)
    certificate = OpenSSL::X509::Certificate.new
    certificate.version = 2
    certificate.serial = @serial += 1
    certificate.subject = OpenSSL::X509::Name.new([["CN", name]])
    certificate.not_before = Time.now - 2 * DAY
    certificate.not_after = until_time
    certificate.public_key = key
    certificate
  end

  def extend_with(certificate, issuer, extensions)
    factory = OpenSSL::X509::ExtensionFactory.new(issuer, certificate)
    extensions.each do |name, value|
      is_critical = value.start_with?("critical,")
      certificate.add_extension(factory.create_extension(name, value.delete_prefix("critical,"), is_critical))
    end
  end
end
