# frozen_string_literal: true

module Puppetfn
  module Puppet
    Type.newtype(:schedule) do
      desc "When resources are managed that name it."
      apply_to_all

      newparam(:name, namevar: true) { desc "What `schedule` of a resource names." }

      newparam(:range) do
        desc "The hours, as `2 - 4` or `22:30 - 4:15:30`, or several of these."

        validate do |values|
          [values].flatten.each do |value|
            unless value.is_a?(String) && value.match?(/\d+(:\d+){0,2}\s*-\s*\d+(:\d+){0,2}/)
              self.fail("Invalid range value '#{value}'")
            end
          end
        end

        munge do |values|
          (values.is_a?(Array) ? values : [values]).map do |value|
            limits = value.split(/\s*-\s*/).map { |limit| limit.split(":").map(&:to_i) }
            self.fail("Invalid range #{value}") if limits.length != 2

            limits.each { |limit| limit.push(0) while limit.length < 3 }
            check(limits, 0, 23, "hour")
            check(limits, 1, 59, "minute")
            limits
          end
        end

        def check(limits, part, most, name)
          wrong = limits.map { |limit| limit[part] }.find { |number| !number.between?(0, most) }
          raise ArgumentError, "Invalid #{name} '#{wrong}'" if wrong
        end
      end

      newparam(:periodmatch) do
        desc "Whether periods are counted by the clock (`number`) or from the last time (`distance`)."
        newvalues(:number, :distance)
        defaultto :distance
      end

      newparam(:period) do
        desc "How often resources are managed."
        newvalues(:hourly, :daily, :weekly, :monthly, :never)
      end

      newparam(:repeat) do
        desc "How often resources are managed in a period."
        defaultto 1

        validate do |value|
          unless value.is_a?(Integer) || (value.is_a?(String) && value.match?(/^\d+$/))
            raise Puppet::Error, "Repeat must be a number"
          end
          period = @resource[:periodmatch]
          next unless period && period != :distance && value != 1

          raise Puppet::Error, "Repeat must be 1 unless periodmatch is 'distance', not '#{period}'"
        end

        munge { |value| Integer(value) }
      end

      newparam(:weekday) do
        desc "The days of the week, by name or number."

        validate do |values|
          (values.is_a?(Array) ? values : [values]).each do |value|
            raise ArgumentError, "#{value} is not a valid day of the week" unless weekday?(value)
          end
        end

        munge do |values|
          (values.is_a?(Array) ? values : [values]).to_h do |value|
            [value.to_s.match?(/^\d$/) ? value.to_i : %w[sun mon tue wed thu fri sat].index(value[0, 3].downcase), true]
          end
        end

        def weekday?(value)
          case value
          when Integer then value.between?(0, 6)
          when String then value.match?(/^[0-6]$/) || value.match?(/^(Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(day)?$/i)
          end
        end
      end

      def self.instances
        []
      end
    end
  end
end
