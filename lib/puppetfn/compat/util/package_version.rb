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

          # The version of a package of Debian.
          class Debian < Numeric
            include Comparable

            # A text that is not such a version.
            class ValidationFailure < ArgumentError; end

            FORMAT = /\A(?:([0-9]+):)?([.+~0-9a-zA-Z-]+?)(?:-([.+~0-9a-zA-Z]*))?\Z/
            # What versions are compared by, again and again until they differ: earlier for more tildes, by letters, by other
            # characters, and by numbers.
            STEPS = {
              /\A~*/ => ->(text) { -text.length }, /\A[A-Za-z]*/ => :itself.to_proc, /\A[.+-]*/ => :itself.to_proc,
              /\A[0-9]*/ => :to_i.to_proc
            }.freeze
            private_constant :FORMAT, :STEPS

            attr_reader :epoch, :upstream_version, :debian_revision

            # @param version [String]
            # @return [Debian]
            # @raise [ValidationFailure] unless it is a version
            def self.parse(version)
              raise ValidationFailure, "Unable to parse '#{version}' as a string" unless version.is_a?(String)

              epoch, upstream, revision = version.match(FORMAT)&.captures
              raise ValidationFailure, "Unable to parse '#{version}' as a debian version identifier" unless upstream

              new(epoch.to_i, upstream, revision).freeze
            end

            private_class_method :new

            def initialize(epoch, upstream_version, debian_revision)
              super()
              @epoch, @upstream_version, @debian_revision = epoch, upstream_version, debian_revision
            end

            # @return [String]
            def to_s
              "#{"#{@epoch}:" unless @epoch.zero?}#{@upstream_version}#{"-#{@debian_revision}" if @debian_revision}"
            end
            alias inspect to_s

            # @return [Boolean]
            def eql?(other)
              other.is_a?(self.class) && parts == other.parts
            end
            alias == eql?

            # @return [Integer, nil]
            def <=>(other)
              return unless other.is_a?(self.class)

              parts.zip(other.parts).each do |mine, theirs|
                order = mine.is_a?(Integer) ? mine <=> theirs : compare(mine.to_s, theirs.to_s)
                return order unless order.zero?
              end
              0
            end

            protected

            def parts
              [@epoch, @upstream_version, @debian_revision]
            end

            private

            def compare(mine, theirs)
              rest, other_rest = mine.dup, theirs.dup
              until rest.empty? || other_rest.empty?
                STEPS.each do |pattern, key|
                  order = key.call(rest.slice!(pattern)) <=> key.call(other_rest.slice!(pattern))
                  return order unless order.zero?
                end
              end
              return -1 if rest.start_with?("~")

              other_rest.start_with?("~") ? 1 : mine.length <=> theirs.length
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
