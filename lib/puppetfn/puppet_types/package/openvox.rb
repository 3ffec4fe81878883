# frozen_string_literal: true

module Puppetfn
  module Puppet
    # The parameter of packages that OpenVox has added.
    Type.type(:package).newparam(:environment) do
      desc "Variables that the commands of the provider get, as `NAME=value`."

      validate do |values|
        Array(values).each do |value|
          raise ArgumentError, "Invalid environment setting '#{value}'" unless value.to_s.match?(/\A\w+=/)
        end
      end
    end
  end
end
