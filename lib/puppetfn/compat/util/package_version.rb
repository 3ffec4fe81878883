# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      module Package
        # Versions and ranges of versions, which providers of packages compare.
        module Version
          # A version of a Ruby gem.
          class Gem < ::Gem::Version
            # A text that is not a version of a gem.
            class ValidationFailure < ArgumentError
              # @param version [Object]
              def initialize(version)
                super("#{version} is not a valid ruby gem version.")
              end
            end

            # @param version [String]
            # @return [Gem]
            # @raise [ValidationFailure] unless it is a version
            def self.parse(version)
              raise ValidationFailure, version unless version.is_a?(String) && version.match?(ANCHORED_VERSION_PATTERN)

              new(version)
            end
          end

          # The versions that a text such as `>=1.0.0 <2.0.0` allows.
          class Range
            # A text that is not a range.
            class ValidationFailure < ArgumentError; end

            # The versions on one side of a version, or that version.
            class Simple
              # @param version [Comparable]
              def initialize(version)
                @version = version
              end

              # @return [String]
              def to_s
                "#{self.class::SIGN}#{@version}"
              end

              # @param version [Comparable]
              # @return [Boolean]
              def include?(version)
                version.public_send(self.class::COMPARISON, @version)
              end
            end

            SIGNS = {"Eq" => ["", :==], "Gt" => [">", :>], "GtEq" => [">=", :>=], "Lt" => ["<", :<], "LtEq" => ["<=", :<=]}.freeze
            SIGNS.each do |name, (sign, comparison)|
              simple = const_set(name, Class.new(Simple))
              simple.const_set(:SIGN, sign)
              simple.const_set(:COMPARISON, comparison)
            end
            private_constant :SIGNS

            # The versions in both of two ranges.
            class MinMax
              # @param min [Simple]
              # @param max [Simple]
              def initialize(min, max)
                @min, @max = min, max
              end

              # @return [String]
              def to_s
                "#{@min} #{@max}"
              end

              # @return [String] the range as RubyGems writes it
              def to_gem_version
                "#{@min}, #{@max}"
              end

              # @param version [Comparable]
              # @return [Boolean]
              def include?(version)
                @min.include?(version) && @max.include?(version)
              end
            end

            # @param range_string [String] one version or inequality, or two, the lower bound first
            # @param version_class [Class] parses the versions
            # @return [Simple, MinMax]
            # @raise [ValidationFailure] unless it is a range
            def self.parse(range_string, version_class)
              raise ValidationFailure, "Unable to parse '#{range_string}' as a string" unless range_string.is_a?(String)

              bounds = range_string.split(/\s+/).map { |text| bound(text, version_class) }
              bounds.one? ? bounds.first : MinMax.new(*bounds.first(2).values_at(0, 1))
            end

            # @api private
            def self.bound(text, version_class)
              sign, version = text.match(/\A([<>=]*)(.+)\Z/)&.captures
              raise ValidationFailure, "Unable to parse '#{text}' as a version range identifier" unless version

              name, = SIGNS.find { |_, (known, _)| known == sign }
              raise ValidationFailure, "Operator '#{sign}' is not implemented" unless name

              const_get(name).new(version_class.parse(version))
            end
            private_class_method :bound
          end
        end
      end
    end
  end
end
