# frozen_string_literal: true

require "set"

module Puppetfn
  module RSpec
    # Which functions, signatures, type aliases and their branches of a module examples have reached.
    #
    # A signature is reached by a call that it accepts; a branch of an alias - a type of a Variant, a value of an
    # Enum or a pattern - by a value that a spec of the alias allows.
    #
    # @api private
    module FunctionCoverage
      # Notes calls of functions in Ruby.
      module Calls
        def call(scope, *args, &block)
          FunctionCoverage.called(self.class.name, self.class.signatures, args, block)
          super
        end
      end

      # Notes calls of functions in the Puppet language that come from Ruby.
      module CodeCalls
        def call(scope, *args, &block)
          FunctionCoverage.called(name, signatures, args, block)
          super
        end
      end

      class << self
        # Notes reached functions and types from now on.
        #
        # @return [void]
        def start
          @reached = Set.new
          Function.prepend(Calls)
          CodeFunction.prepend(CodeCalls)
        end

        # @return [Boolean]
        def active?
          !@reached.nil?
        end

        # @param key [Array(String), Array(String, Integer)] a name, or a name and the index of a signature or branch
        # @return [Boolean]
        def reached?(*key)
          @reached.include?(key)
        end

        # @param name [String] of a function
        # @param signatures [Array<Signature>]
        # @param args [Array<Object>]
        # @param block [Proc, nil]
        # @return [void]
        def called(name, signatures, args, block)
          @reached << [name]
          index = signatures.index { |signature| signature.callable_with?(args, block) }
          @reached << [name, index] if index
        end

        # Notes the functions in the Puppet language that code has called: each has one signature.
        #
        # @param names [Array<String>]
        # @return [void]
        def called_by_code(names)
          names.each { |name| @reached << [name] << [name, 0] }
        end

        # @param type [Type] an alias
        # @param value [Object] is of the type
        # @return [void]
        def allowed(type, value)
          @reached << [type.name]
          Branches.of(type).each_with_index do |branch, index|
            @reached << [type.name, index] if branch.instance?(value)
          end
        end

        # @return [Set, nil] the coverage since the last call
        def take
          @reached.tap { @reached = Set.new } if active?
        end

        # @param reached [Set, nil] the coverage of another process
        # @return [void]
        def merge(reached)
          @reached.merge(reached) if reached
        end
      end

      # The branches of a type alias.
      module Branches
        # @param type [Type] an alias
        # @return [Array<Type>] none where it has only one
        def self.of(type)
          resolved = type.resolved_type
          resolved = resolved.optional_type if resolved.is_a?(Puppet::Pops::Types::POptionalType) && resolved.optional_type
          case resolved
          when Puppet::Pops::Types::PVariantType then resolved.types
          when Puppet::Pops::Types::PEnumType then resolved.values.map { |value| Type.parse("Enum['#{value}']") }
          when Puppet::Pops::Types::PPatternType then resolved.patterns.map { |pattern| Type.parse("Pattern[#{pattern}]") }
          else []
          end
        end
      end

      # Reports the coverage of a module.
      class Report
        # @param module_name [String]
        # @param root [String] the directory of the module
        # @param modulepath [Array<String>]
        def initialize(module_name, root, modulepath)
          @module_name = module_name
          @root = File.realpath(root)
          @runtime = Runtime.new(modulepath: modulepath)
          @counts = Hash.new { |counts, kind| counts[kind] = [0, 0] }
          @missing = []
        end

        # @return [String] one line for the counts, and one for each gap
        def to_s
          functions.each { |name, path| look_at_function(name, path) }
          aliases.each { |name| look_at_alias(name) }
          counts = @counts.map { |kind, (reached, all)| "#{reached} of #{all} #{kind}" }
          counts = ["nothing to reach"] if counts.empty?
          ["Coverage of #{@module_name}: #{counts.join(", ")}", *@missing.map { |line| "  not reached: #{line}" }].join("\n")
        end

        private

        def functions
          @runtime.loader.function_files.select { |_, path| File.realpath(path).start_with?("#{@root}/") }.sort
        end

        def aliases
          @runtime.loader.type_names.select { |name| name.downcase.start_with?("#{@module_name}::") }
        end

        def look_at_function(name, path)
          return @missing << "#{name}() (#{relative(path)})" unless count("functions", name)

          signatures = @runtime.function_signature(name)&.signatures || []
          return if signatures.size < 2

          signatures.each_with_index do |signature, index|
            @missing << "#{name}#{signature}" unless count("signatures", name, index)
          end
        end

        def look_at_alias(name)
          type = @runtime.parse_type(name)
          return @missing << type.name unless count("type aliases", type.name)

          Branches.of(type).each_with_index do |branch, index|
            @missing << "#{type.name}: #{branch}" unless count("branches", type.name, index)
          end
        rescue Puppet::Error => e
          @missing << "#{name} (#{e.message})"
        end

        # Counts something, and whether it was reached.
        def count(kind, *key)
          reached = FunctionCoverage.reached?(*key)
          counts = @counts[kind]
          counts[0] += 1 if reached
          counts[1] += 1
          reached
        end

        def relative(path)
          File.realpath(path).delete_prefix("#{@root}/")
        end
      end
    end
  end
end
