# frozen_string_literal: true

module Puppetfn
  module Puppet
    Type.newtype(:tidy) do
      desc "Removes files that are old, large or of a name."
      @isomorphic = false

      newparam(:path, namevar: true) do
        desc "The file or directory."
        munge { |value| File.expand_path(value) }
      end

      newparam(:recurse) do
        desc "Whether files below a directory count, or how deep."
        newvalues(:true, :false, :inf, /^[0-9]+$/)
        validate { |_value| nil }

        munge do |value|
          case super(value)
          when :true, :inf then true
          when :false then false
          when Integer then value
          when /^\d+$/ then Integer(value)
          else raise ArgumentError, "Invalid recurse value #{value.inspect}"
          end
        end
      end

      newparam(:max_files) do
        desc "How many files there may be."
        defaultto 0
        newvalues(/^[0-9]+$/)
      end

      newparam(:matches) do
        desc "Patterns of names."

        munge do |value|
          if @resource[:recurse].to_s.match?(/^(0|false|)$/)
            fail("Tidy can't use matches with recurse 0, false, or undef")
          end
          [value].flatten
        end
      end

      newparam(:backup) { desc "Where files are kept before they are removed." }

      # A number with a unit, by its first letter.
      amount = lambda do |name, default_unit, units|
        lambda do |parameter|
          parameter.munge do |value|
            self.fail("Invalid tidy #{name} #{value}") unless value.is_a?(String) && value.match?(/^[0-9]+\w*$/)

            # A number without a unit has one digit: the last one of more is taken for the unit.
            number, unit = (value.match(/^([0-9]+)(\w)\w*$/) || value.match(/^([0-9]+)$/)).captures
            unit = unit ? unit.downcase.intern : default_unit
            factor = units.fetch(unit) { self.fail("Invalid #{name} unit '#{unit}'") }
            Integer(number) * factor
          end
        end
      end

      newparam(:age, &amount.("age", :d, {s: 1, m: 60, h: 3600, d: 86_400, w: 604_800}))
      newparam(:size, &amount.("size", :k, {b: 1, k: 1024, m: 1024**2, g: 1024**3, t: 1024**4}))

      newparam(:type) do
        desc "Which time of a file is its age."
        newvalues(:atime, :mtime, :ctime)
        defaultto :atime
      end

      newparam(:rmdirs, boolean: true, parent: Parameter::Boolean) { desc "Whether directories are removed that are empty then." }

      def self.instances
        []
      end

      def initialize(attributes)
        super
        self[:backup] = false
      end

      def depthfirst? = true
    end
  end
end
