# frozen_string_literal: true

module Puppetfn
  module OwnTypes
    # Where the content of a `file` comes from, and how it is compared.
    module FileSource
      # The beginning of an absolute URI.
      SCHEME = /\A[A-Za-z][A-Za-z0-9+.-]*:/
      SCHEMES = %w[file puppet http https].freeze
      # Without any of them, no combination needs a check.
      COMBINED = %i[source target recurse recurselimit checksum_value].freeze
      # Checksums by which given content cannot be compared.
      CHECKSUMS_OF_SOURCES = %i[none ctime mtime].freeze

      # @param type [Class<Puppet::Type>]
      def self.define_in(type)
        define_checksum(type)
        define_source(type)

        type.newparam(:source_permissions) do
          desc "Whether owner, group and mode come from the source, too."
          defaultto :ignore
          pure
          newvalues(:use, :use_when_creating, :ignore)

          munge do |value|
            value = value ? value.to_sym : :ignore
            if value != :ignore && @resource.line && !Target.current.has?(:source_permissions)
              Puppet.puppet_deprecation_warning("The `source_permissions` parameter is deprecated. Explicitly set `owner`, `group`, " \
                                                "and `mode`.", file: @resource.file.to_s, line: @resource.line)
            end
            value
          end
        end
      end

      def self.define_checksum(type)
        type.newparam(:checksum) do
          include Puppet::Util::Checksums

          desc "How content is compared."
          newvalues(*Puppet::Util::Checksums.known_checksum_types)
          defaultto :sha256
          pure
          validate { |_value| nil }

          # @param content [String]
          # @param kind [Symbol] the kind of checksum
          # @return [String] the checksum with its type in front
          def sum(content, kind = self.kind)
            "{#{kind}}#{send(kind, content)}"
          end

          # @return [Symbol] the kind of checksum
          def kind
            value || :sha256
          end
        end
      end

      def self.define_source(type)
        type.newparam(:source) do
          desc "Where the content is: a path, or a URI of a server."

          validate do |sources|
            [sources].flatten.each do |source|
              validate_uri(source) unless Puppet::Util.absolute_path?(source)
              unless Puppet::Util.absolute_path?(source) || source.match?(SCHEME)
                self.fail("Cannot use relative URLs '#{source}'")
              end
            end
          end

          munge do |sources|
            (sources.is_a?(Array) ? sources : [sources]).map do |source|
              source = source.sub(%r{/+$}, "")
              Puppet::Util.absolute_path?(source) ? Puppet::Util.uri_unescape(Puppet::Util.path_to_uri(source).to_s) : source
            end
          end

          private

          def validate_uri(source)
            uri = parse(source)
            return unless uri.absolute?

            self.fail("Cannot use opaque URLs '#{source}'") unless uri.hierarchical?
            return if SCHEMES.include?(uri.scheme)

            self.fail("Cannot use URLs of type '#{uri.scheme}' as source for fileserving")
          end

          def parse(source)
            ::URI.parse(Puppet::Util.uri_encode(source))
          rescue StandardError => e
            self.fail(Puppet::Error, "Could not understand source #{source}: #{e}", e)
          end
        end
      end
      private_class_method :define_checksum, :define_source
    end
  end
end
