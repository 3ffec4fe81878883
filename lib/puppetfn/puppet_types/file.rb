# frozen_string_literal: true

require_relative "file/content"
require_relative "file/source"

module Puppetfn
  module Puppet
    Type.newtype(:file) do
      include Util::SymbolicFileMode
      include Util::Checksums

      desc "A file, a directory or a link."
      feature :manages_symlinks, "The provider can make symbolic links."

      # Paths that expansion does not change.
      plain_path = %r{\A(?:/(?!\.)[^/]+)+\z}

      # Declares a parameter as the path of a file.
      path = lambda do |parameter|
        parameter.validate do |value|
          fail(Puppet::Error, "File paths must be fully qualified, not '#{value}'") unless Util.absolute_path?(value)
        end

        parameter.munge do |value|
          next value if plain_path.match?(value)

          expanded = ::File.expand_path(value)
          next expanded if !expanded.start_with?("//") || ::File.basename(value) == "/"

          ::File.join(::File.split(expanded))
        end
      end

      # Declares a parameter that switches something on or off.
      switch = ->(name, text, default) do
        newparam(name, boolean: true, parent: Parameter::Boolean) do
          desc text
          defaultto default
        end
      end

      newparam(:path, namevar: true, &path)

      newparam(:backup) do
        desc "What the file is kept as before it is replaced: an extension, or a `filebucket`."
        pure
        defaultto false

        munge do |value|
          value = value.shift if value.is_a?(Array)
          case value
          when false, "false", :false then false
          when true, "true", ".puppet-bak", :true then ".puppet-bak"
          when String then value
          else self.fail("Invalid backup type #{value.inspect}")
          end
        end
      end

      newparam(:recurse) do
        desc "Whether the content of a directory is managed, or that of its source (`remote`)."
        newvalues(:true, :false, :remote)
        pure
        validate { |_value| nil }

        munge do |value|
          self.fail("Invalid recurse value #{value.inspect}") unless %w[true false remote].include?(value.to_s)

          {true: true, false: false, remote: :remote}.fetch(super(value))
        end
      end

      newparam(:recurselimit) do
        desc "How deep the content of a directory is managed."
        pure
        newvalues(/^[0-9]+$/)

        munge do |value|
          case super(value)
          when Integer then value
          when /^\d+$/ then Integer(value)
          else self.fail("Invalid recurselimit value #{value.inspect}")
          end
        end
      end

      newparam(:max_files) do
        desc "How many files there may be in a directory whose content is managed."
        defaultto 0
        newvalues(/^[0-9]+$/, /^-1$/)
      end

      switch.(:replace, "Whether a file is replaced that is there with other content.", :true)
      switch.(:force, "Whether directories may be removed.", false)

      newparam(:ignore) do
        desc "Patterns of names that are left alone."

        validate do |value|
          devfail("Ignore must be a string or an Array") unless value.is_a?(Array) || value.is_a?(String) || value == false
        end
      end

      newparam(:links) do
        desc "Whether links themselves are managed, or what they lead to."
        newvalues(:follow, :manage)
        defaultto :manage
      end

      switch.(:purge, "Whether what the catalog does not have is removed from the directory.", :false)

      newparam(:sourceselect) do
        desc "Whether the first of several sources counts, or all."
        defaultto :first
        newvalues(:first, :all)
      end

      switch.(:show_diff, "Whether differences are shown.", :true)
      newparam(:staging_location, &path)
      newparam(:validate_cmd) { desc "A command that checks new content." }

      newparam(:validate_replacement) do
        desc "What stands for the file in that command."
        defaultto "%"
      end

      provide(:posix) do
        mk_resource_methods
        has_features :manages_symlinks
        confine feature: :posix
        defaultfor feature: :posix
      end

      provide(:windows) do
        mk_resource_methods
        has_features :manages_symlinks
        defaultfor "os.name" => :windows
      end

      OwnTypes::FileSource.define_in(self)
      OwnTypes::FileContent.define_in(self)

      autorequire(:file) do
        directory = @parameters.value(:path)
        until (above = ::File.dirname(directory)) == directory
          directory = above
          break parent = directory if catalog.resource(self.class, directory)
        end
        target = @parameters.value(:target)
        target ? [parent, target] : parent
      end

      {user: :owner, group: :group}.each do |type, property|
        autorequire(type) do
          value = @parameters.declared(property)
          value unless value.is_a?(Integer) || (value.is_a?(String) && value.match?(/^\d+$/))
        end
      end

      validate do
        # An audited property without a value is no source.
        if (@parameters.include?(:source) && (@parameters.declared(:content) || @parameters.declared(:target))) ||
           (@parameters.declared(:content) && @parameters.declared(:target))
          self.fail("You cannot specify more than one of content, source, target")
        end
        validate_provider
        validate_content
      end

      def self.title_patterns
        [[%r{^(/|.+:/|.*[^/])/*\Z}m, [[:path]]]]
      end

      # Most titles are paths as they are.
      def self.parse_title(title)
        title.empty? || title.end_with?("/", "\n") ? super : {path: title}
      end

      def self.instances
        []
      end

      def initialize(attributes)
        super
        return if @parameters.value(:ensure)

        if self[:target] then self[:ensure] = :link
        elsif self[:content] then self[:ensure] = :file
        end
      end

      # @return [Resource] the declared resource, with the properties that the file system knows
      def to_resource
        super.tap do |resource|
          current_state.each { |name, value| resource[name] = value if name == :ensure || @parameters.include?(name) }
        end
      end

      # @return [Filebucket, nil] the filebucket for the replaced file
      def bucket
        backup = self[:backup]
        return if !backup || backup.start_with?(".")

        fail("Can not find filebucket for backups without a catalog") unless catalog || backup == "puppet"
        found = catalog&.resource(:filebucket, backup)
        fail("Could not find filebucket #{backup} specified in backup") unless found || backup == "puppet"
        found
      end

      def finish
        bucket
        super
      end

      def ancestors
        above = [self[:path]]
        above << ::File.dirname(above.last) until ::File.dirname(above.last) == above.last
        above.drop(1)
      end

      # The content or source of a file would also be shown by other properties.
      def set_sensitive_parameters(names)
        return super if names.empty?

        newattr(:ensure).sensitive = true if names.include?(:content)
        if names.include?(:source)
          names -= [:source]
          parameter(:source).sensitive = true
          newattr(:content).sensitive = true unless @parameters.include?(:content)
        end
        super(names)
      end

      private

      # Returns the properties of the file, as far as its metadata has them; see the properties in Puppet's `type/file`.
      def current_state
        path = self[:path]
        found = self[:links] == :follow ? ::File.stat(path) : ::File.lstat(path)
        {ensure: found.ftype.to_sym, owner: found.uid, group: found.gid, mode: format("0%o", found.mode & 0o7777),
         type: found.ftype, ctime: found.ctime.to_s, mtime: found.mtime.to_s}
      rescue SystemCallError
        %i[ensure owner group mode type ctime mtime].to_h { |name| [name, :absent] }
      end

      # Elsewhere than on Windows, properties ask the provider for SELinux contexts, which Windows does not have.
      def validate_provider
        chosen = provider.class
        return if chosen.name != :windows || chosen.default? || self[:selinux_ignore_defaults] == :true

        self.fail("The provider windows does not know of SELinux; leave out the provider, or set selinux_ignore_defaults")
      end

      def validate_content
        checksum = @parameters.value(:checksum)
        combined = @parameters.given?(OwnTypes::FileSource::COMBINED) || OwnTypes::FileSource::CHECKSUMS_OF_SOURCES.include?(checksum)
        validate_combination(checksum) if combined
        @parameters[:content]&.sum_up
        validate_checksum_value(checksum) if combined
      end

      def validate_combination(checksum)
        source, recurse = self[:source], self[:recurse]
        self.fail("You cannot specify a remote recursion without a source") if recurse == :remote && !source
        self.fail("You cannot specify source when using checksum 'none'") if checksum == :none && source
        if OwnTypes::FileSource::CHECKSUMS_OF_SOURCES.include?(checksum) && self[:content]
          self.fail("You cannot specify content when using checksum '#{checksum}'")
        end
        return if recurse || !self[:recurselimit]

        warning("Possible error: recurselimit is set but not recurse, no recursion will happen")
      end

      def validate_checksum_value(checksum)
        value = self[:checksum_value] or return
        if checksum && !valid_checksum?(checksum, value)
          self.fail("Checksum value '#{value}' is not a valid checksum type #{checksum}")
        end
        warning("Checksum value is ignored unless content or source are specified") if !self[:content] && !self[:source]
      end
    end
  end
end
