# frozen_string_literal: true

require "digest"
require "time"

module Puppetfn
  module Puppet
    module Util
      # Checksums, as the `file` type has them: `{sha256}e3b0...`.
      module Checksums
        # The digests, and how many digits they have.
        DIGESTS = {sha256: ["SHA256", 64], sha1: ["SHA1", 40], md5: ["MD5", 32], sha224: [nil, 56], sha384: ["SHA384", 96],
                   sha512: ["SHA512", 128]}.freeze
        KNOWN_CHECKSUMS = %i[sha256 sha256lite md5 md5lite sha1 sha1lite sha512 sha384 sha224 mtime ctime none].freeze
        # Number of bytes of a file that a `lite` digest covers.
        LITE = 512
        PREFIXED = /^\{(\w{3,10})\}\S+/
        private_constant :DIGESTS, :LITE

        module_function

        # @return [Array<Symbol>]
        def known_checksum_types
          Target.current.has?(:etag_checksum) ? [*KNOWN_CHECKSUMS, :etag] : KNOWN_CHECKSUMS
        end

        # OpenVox's checksum of a source on a web server: the server decides on the digest, MD5 is computed of contents.
        #
        # @param content [String]
        # @return [String]
        def etag(content)
          Checksums.digest(:md5, content)
        end

        # @param type [Symbol]
        # @param value [String]
        # @return [Boolean] whether a text can be a checksum of a type
        def valid_checksum?(type, value)
          return true if value.is_a?(::Time) && %i[mtime ctime].include?(type.to_sym)
          return false unless value.is_a?(String)

          _, digits = DIGESTS[type.to_s.delete_suffix("lite").to_sym]
          return value.match?(/^\h{#{digits}}$/) if digits
          return value.empty? if type.to_sym == :none

          !::DateTime.parse(value).nil?
        rescue ArgumentError
          false
        end

        # @return [Integer, nil] a number if a text has its type in front
        def checksum?(string)
          string =~ PREFIXED
        end

        # @return [String, nil] a checksum without its type
        def sumdata(checksum)
          checksum[/^\{\w+\}(.+)/, 1]
        end

        # @return [String, nil] the type of a checksum
        def sumtype(checksum)
          checksum[/^\{(\w+)\}/, 1]
        end

        DIGESTS.each_key { |type| define_method(type) { |content| Checksums.digest(type, content) } }

        %i[sha256 sha1 md5].each do |type|
          define_method("#{type}lite") { |content| Checksums.digest(type, content.byteslice(0, LITE)) }
        end

        %i[mtime ctime none].each { |type| define_method(type) { |_content| "" } }

        # @api private
        def self.digest(type, content)
          digest = (@digests ||= {})[type]
          return digest.hexdigest(content) if digest

          name, = DIGESTS.fetch(type)
          return (@digests[type] = ::Digest.const_get(name)).hexdigest(content) if name

          require "openssl"
          ::OpenSSL::Digest.hexdigest("SHA224", content)
        end
      end
    end
  end
end
