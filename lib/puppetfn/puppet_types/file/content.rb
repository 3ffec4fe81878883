# frozen_string_literal: true

module Puppetfn
  module OwnTypes
    # The properties of a `file`: its kind, content, owner and mode.
    module FileContent
      # Looked up by the system where it knows them.
      SELINUX = %i[seluser selrole seltype selrange].freeze
      private_constant :SELINUX

      # @param type [Class<Puppet::Type>]
      def self.define_in(type)
        define_content(type)
        define_kind(type)
        define_permissions(type)
        type.newproperty(:type) { FileContent.read_only(self, "type") }
        define_selinux(type)
        %w[ctime mtime].each { |name| type.newproperty(name) { FileContent.read_only(self, name) } }
      end

      def self.define_content(type)
        type.newproperty(:content) do
          include Puppet::Util::Checksums

          # @return [String, nil] the content of the file, where the value is its checksum
          attr_reader :actual_content

          desc "What is in the file."

          munge do |value|
            next value if value == :absent || (value.is_a?(String) && checksum?(value) && taken_as_checksum?)

            @actual_content = value.is_a?(Puppet::Pops::Types::PBinaryType::Binary) ? value.binary_buffer : value
            @summed_as = @checksum.kind
            @checksum.sum(@actual_content, @summed_as)
          end

          # Returns true if a text that looks like a checksum is one, rather than the content.
          #
          # @return [Boolean]
          def taken_as_checksum?
            !Target.current.has?(:checksum_content) || !@actual_content.nil? || !resource.parameter(:source).nil?
          end

          # Replaces the value by its checksum, whose kind is known once all other values are set.
          #
          # @return [void]
          def sum_up
            return unless @actual_content
            return @shouldorig = @should if @should.size == 1 && @checksum.kind == @summed_as

            self.value = @checksum.sum(@actual_content)
          end

          def should=(value)
            @checksum = @resource.newattr(:checksum)
            return super unless value.is_a?(String) # rubocop:disable Lint/ReturnInVoidContext

            value = value.b
            @shouldorig = [value]
            @should = [munge(value)]
          end

          # @return [Integer]
          def length
            actual_content&.length || 0
          end
        end

        type.newproperty(:checksum_value) { desc "The checksum of what is in the source." }
      end

      def self.define_kind(type)
        type.newproperty(:target) do
          desc "What a link leads to."
          newvalue(:notlink)
          newvalue(/./)
        end

        type.ensurable do
          desc "Whether the file is there, and of what kind it is."
          nodefault
          pure(:absent, :file, :present, :directory)
          newvalue(:absent)
          aliasvalue(:false, :absent)
          newvalue(:file, event: :file_created)
          newvalue(:present, event: :file_created)
          newvalue(:directory, event: :directory_created)
          newvalue(:link, event: :link_created, required_features: :manages_symlinks)
          newvalue(/./)

          # Any other value is the target of a link.
          munge do |value|
            kind = super(value)
            unless kind.is_a?(Symbol)
              resource[:target] = kind
              kind = :link
            end
            resource[:links] = :manage if kind == :link && resource[:links] != :follow
            kind
          end
        end
      end

      def self.define_permissions(type)
        type.newproperty(:owner) { desc "The user that the file belongs to." }

        type.newproperty(:group) do
          desc "The group that the file belongs to."
          pure
          validate { |group| raise Puppet::Error, "Invalid group name '#{group.inspect}'" unless group && group != "" }
        end

        type.newproperty(:mode) do
          include Puppet::Util::SymbolicFileMode

          desc "The mode, as octal digits or `u=rw,go=r`."
          pure

          validate do |value|
            unless value.is_a?(String)
              raise Puppet::Error, "The file mode specification must be a string, not '#{value.class.name}'"
            end
            raise Puppet::Error, "The file mode specification is invalid: #{value.inspect}" unless valid_symbolic_mode?(value)
          end

          munge { |value| normalize_symbolic_mode(value) }
          unmunge { |value| display_mode(value) if value }
        end
      end

      def self.define_selinux(type)
        type.newparam(:selinux_ignore_defaults) do
          desc "Whether nothing is looked up for SELinux."
          newvalues(:true, :false)
          defaultto :false
        end

        SELINUX.each do |name|
          type.newproperty(name) do
            desc "A part of the context that SELinux gives the file."
            # Puppet looks it up on the node, which is not asked here.
            defaultto false
          end
        end
      end

      # Makes a property read-only.
      #
      # @api private
      def self.read_only(property, name)
        property.desc("The #{name} of the file.")
        property.validate { |_value| fail("#{name} is read-only") }
      end
      private_class_method :define_content, :define_kind, :define_permissions, :define_selinux
    end
  end
end
