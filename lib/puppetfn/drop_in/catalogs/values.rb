# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Converts values between puppetfn and Puppet, for functions that Puppet has loaded.
      #
      # Data is the same on both sides. Other values have a class on each.
      class Values
        # The errors that both sides have under the same names.
        ERRORS = %w[Puppet::Error Puppet::ParseError Puppet::ParseErrorWithIssue Puppet::PreformattedError Puppet::DevError
                    Puppet::ResourceError Puppet::DataBinding::LookupError].freeze
        LOOKUP_CONTEXT = "Puppet::LookupContext"
        private_constant :ERRORS, :LOOKUP_CONTEXT

        # @return [Compilation]
        attr_reader :compilation

        # @param compilation [Compilation]
        def initialize(compilation)
          @compilation = compilation
          @types = {}
          @same = {}.compare_by_identity
        end

        # @param value [Object] a value of puppetfn
        # @return [Object] the same value of Puppet
        # @raise [Declined] if Puppet has none
        def to_puppet(value)
          case value
          when nil, true, false, String, Integer, Float, Symbol, Regexp, ::URI::Generic then value
          when Array then converted_elements(value) { |element| to_puppet(element) }
          when Hash then converted_pairs(value) { |element| to_puppet(element) }
          when Puppetfn::Type then type_to_puppet(value)
          when Puppetfn::Sensitive then ::Puppet::Pops::Types::PSensitiveType::Sensitive.new(to_puppet(value.unwrap))
          when Puppetfn::Puppet::Resource then resource_to_puppet(value)
          else rich_to_puppet(value)
          end
        end

        # Converts a value that functions must not change in place, as the code would not see it: the error that this is
        # gives the catalog to Puppet.
        #
        # @param value [Object] a value of puppetfn
        # @return [Object] the same value of Puppet
        # @raise (see #to_puppet)
        def seen(value)
          Values.freeze_data(to_puppet(value))
        end

        # @param value [Object] a value of Puppet
        # @return [Object] the same value of puppetfn
        # @raise [Declined] if puppetfn has none
        def from_puppet(value)
          case value
          when nil, true, false, Integer, Float, :undef, :default, Regexp, ::URI::Generic then value
          when String then text(own_class(value, String))
          when Array then converted_elements(own_class(value, Array)) { |element| from_puppet(element) }
          when Hash then converted_pairs(own_class(value, Hash)) { |element| from_puppet(element) }
          when ::Puppet::Pops::Types::PAnyType then type_from_puppet(value)
          when ::Puppet::Pops::Types::PSensitiveType::Sensitive then Puppetfn::Sensitive.new(from_puppet(value.unwrap))
          when ::Puppet::Resource then Puppetfn::Puppet::Resource.new(value.type, value.title.to_s)
          else rich_from_puppet(value)
          end
        end

        # @param block [Puppetfn::Puppet::Pops::Evaluator::PuppetProc, nil] a lambda, as puppetfn passes it
        # @return [::Puppet::Pops::Evaluator::PuppetProc, nil] as Puppet passes it
        def block_to_puppet(block)
          return if block.nil?

          closure = LentClosure.new(block.closure, self)
          ::Puppet::Pops::Evaluator::PuppetProc.new(closure) { |*arguments| closure.call(*arguments) }
        end

        # @param block [Proc, nil] a lambda or a Ruby block, as Puppet passes it
        # @return [Proc, nil] as puppetfn passes it
        def block_from_puppet(block)
          return if block.nil?

          closure = block.closure if block.is_a?(::Puppet::Pops::Evaluator::PuppetProc)
          return closure.lent.to_proc if closure.is_a?(LentClosure)

          # Ruby infers the arguments of a block from its parameters.
          call = ->(arguments) { from_puppet(block.call(*to_puppet(arguments))) }
          case block.arity
          when 0 then proc { call.([]) }
          when 1 then proc { |one| call.([one]) }
          when 2 then proc { |one, two| call.([one, two]) }
          when 3 then proc { |one, two, three| call.([one, two, three]) }
          else proc { |*arguments| call.(arguments) }
          end
        end

        # Runs code of puppetfn for a function of Puppet, which may rescue Puppet's errors.
        #
        # @yieldreturn [Object] a value of puppetfn
        # @return [Object] of Puppet
        def lend
          @compilation.strict_settings.expect_same
          to_puppet(yield)
        rescue Puppetfn::Puppet::Error => e
          # Others, such as the exceptions by which code leaves a block, pass through functions unchanged.
          name = e.class.name.delete_prefix("Puppetfn::")
          raise Object.const_get(ERRORS.include?(name) ? name : "Puppet::Error").new(e.message), cause: e
        end

        # @return [::Puppet::Node::Environment]
        def environment = @compilation.environment

        # Runs a block whose result Puppet caches for as long as it keeps the environment.
        #
        # @yieldreturn [Object]
        # @return [Object] the block's result
        # @raise [Declined] if the block logs: it is run for each catalog here
        def cached
          before = Messages.current&.size
          value = yield
          @compilation.decline("a message about a cached file") if Messages.current&.size != before
          value
        end

        # The title that Puppet has for a resource: its own stage and class are called by a Symbol.
        #
        # @param type [String]
        # @param title [Object]
        # @return [Object]
        def self.title(type, title)
          title.to_s == "main" && %w[Class Stage].include?(type) ? :main : title
        end

        # Freezes strings, hashes and arrays, and their elements.
        #
        # @param value [Object]
        # @return [Object] the value
        def self.freeze_data(value)
          case value
          when String then value.freeze
          when Array then value.each { |element| freeze_data(element) }.freeze
          when Hash then value.each_value { |element| freeze_data(element) }.freeze
          else value
          end
        end

        # Freezes strings, including elements of hashes and arrays: literals are frozen in Puppet, whoever gets them. If
        # a function changes another string, the error gives the catalog to Puppet.
        #
        # @param value [Object]
        # @return [Object] the value
        def self.freeze_strings(value)
          case value
          when String then value.freeze
          when Array then value.each { |element| freeze_strings(element) }
          when Hash then value.each_value { |element| freeze_strings(element) }
          else value
          end
        end

        private

        # Puppet distinguishes subclasses of data classes from these.
        def own_class(value, data_class)
          return value if value.instance_of?(data_class)

          @compilation.decline("a value of the class #{value.class}")
        end

        # Bytes are a Binary in a catalog, even if they are valid UTF-8.
        def text(value)
          @compilation.decline("a String of bytes") if value.encoding == Encoding::BINARY
          value
        end

        # Most collections are the same on both sides. For frozen ones, such as facts, this is remembered.
        def converted_elements(value)
          return value if @same.key?(value)

          changed = false
          elements = value.map { |element| yield(element).tap { |made| changed ||= !made.equal?(element) } }
          changed ? elements : unchanged(value)
        end

        def converted_pairs(value)
          return value if @same.key?(value)

          changed = false
          pairs = value.to_h do |key, element|
            made = [yield(key), yield(element)]
            changed ||= !(made.first.equal?(key) && made.last.equal?(element))
            made
          end
          changed ? pairs : unchanged(value)
        end

        def unchanged(value)
          @same[value] = true if value.frozen?
          value
        end

        def type_to_puppet(type)
          text = text_of(type)
          @types[text] ||= ::Puppet::Pops::Types::TypeParser.singleton.parse(text, @compilation.loaders.private_environment_loader)
        rescue StandardError => e
          @compilation.decline("the type #{type}: #{e.class}")
        end

        def type_from_puppet(type)
          text = text_of(type, TypeTexts.of(type))
          made = @compilation.runtime.parse_type(text)
          @compilation.decline("the type #{type}") if made.unknown_name && !text.include?("TypeReference[")
          made
        rescue Declined
          raise
        rescue StandardError => e
          @compilation.decline("the type #{type}: #{e.class}")
        end

        # Returns a text by which both sides know a type: its name, where its text would be the definition of another type.
        def text_of(type, text = type.to_s)
          name = type.name if type.respond_to?(:name)
          name && text.start_with?("#{name} = ", "Object[{", "TypeSet[{") ? name : text
        end

        # References in parameters of resources become Puppet::Resource, other references types.
        def resource_to_puppet(resource)
          factory = ::Puppet::Pops::Types::TypeFactory
          type = resource.type == "Class" ? factory.host_class(resource.title) : factory.resource(resource.type, resource.title)
          ::Puppet::Pops::Evaluator::Runtime3Converter.convert(type, @compilation.compiler.topscope, nil)
        end

        def rich_to_puppet(value)
          case value
          when Puppetfn::Timestamp then ::Puppet::Pops::Time::Timestamp.new(value.nsecs)
          when Puppetfn::Timespan then ::Puppet::Pops::Time::Timespan.new(value.nsecs)
          when Puppetfn::SemVer then ::SemanticPuppet::Version.parse(value.to_s)
          when Puppetfn::SemVerRange then ::SemanticPuppet::VersionRange.parse(value.to_s)
          when Puppetfn::Binary then ::Puppet::Pops::Types::PBinaryType::Binary.from_base64(value.to_s)
          when Puppetfn::PuppetObject then object_to_puppet(value)
          else @compilation.decline("a value of the class #{value.class}")
          end
        end

        def rich_from_puppet(value)
          case value
          when ::Puppet::Pops::Time::Timestamp then Puppetfn::Timestamp.new(value.nsecs)
          when ::Puppet::Pops::Time::Timespan then Puppetfn::Timespan.new(value.nsecs)
          when ::SemanticPuppet::Version then Puppetfn::SemVer.parse(value.to_s)
          when ::SemanticPuppet::VersionRange then Puppetfn::SemVerRange.parse(value.to_s)
          when ::Puppet::Pops::Types::PBinaryType::Binary then Puppetfn::Binary.from_base64(value.to_s)
          when LentLookupContext then value.lent
          when ::Puppet::Pops::Types::PuppetObject then object_from_puppet(value)
          else @compilation.decline("a value of the class #{value.class}")
          end
        end

        def object_to_puppet(object)
          type = object._pcore_type
          return LentLookupContext.new(object, self) if type.name == LOOKUP_CONTEXT

          type_to_puppet(type).from_hash(to_puppet(object._pcore_init_hash))
        rescue Puppetfn::Puppet::Error, ::Puppet::Error, ArgumentError, NoMethodError => e
          @compilation.decline("an object of the type #{type}: #{e.class}")
        end

        def object_from_puppet(object)
          type = object._pcore_type
          @compilation.runtime.call_function("new", type_from_puppet(type), from_puppet(object._pcore_init_hash))
        rescue Puppetfn::Puppet::Error, ::Puppet::Error, ArgumentError, NoMethodError => e
          @compilation.decline("an object of the type #{type}: #{e.class}")
        end
      end
    end
  end
end
