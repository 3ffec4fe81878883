# frozen_string_literal: true

# Outside of all modules, so that a template sees the constants of the wrapper and of the top level only.
Puppetfn::EVALUATE_TEMPLATE = ->(wrapper, code, path, line) { wrapper.module_eval(code, path, line) }

module Puppetfn
  private_constant :EVALUATE_TEMPLATE

  module Puppet
    module Parser
      # The `self` of a template in ERB: the variables of a scope, and the scope.
      class TemplateWrapper
        include Util

        # @param scope [Scope]
        def initialize(scope)
          # Names that no variable has, since each variable becomes one like these.
          @__scope__ = scope
          @__file__ = nil
        end

        # @return [Scope]
        def scope
          @__scope__
        end

        # @return [String, nil] the path of the template
        def file
          @__file__
        end

        # @param name [String] as functions name templates: a path, or `module/path`
        # @raise [Puppet::ParseError] when there is none
        def file=(name)
          @__file__ = Files.find_template(name, scope.environment)
          raise ParseError, "Could not find template '#{name}'" unless @__file__
        end

        # @param name [String, Symbol]
        # @return [Boolean] whether a variable has a value other than undef
        def has_variable?(name)
          scope.include?(name.to_s)
        end

        # @raise [UnavailableError] without a catalog
        # @return [Array<String>] the classes of the catalog
        def classes
          scope.catalog.classes
        end

        # @raise [UnavailableError] without a catalog
        # @return [Util::TagSet] the tags of the catalog
        def all_tags
          scope.catalog.tags
        end

        # @raise [NotImplementedError] always, as in Puppet
        def tags
          raise NotImplementedError, "Call 'all_tags' instead."
        end

        # @param string [String, nil] the template; by default the content of the file
        # @return [String]
        def result(string = nil)
          render(string || RegularFile.read(file), file)
        end

        # @param template [String]
        # @param path [String, nil] the file that it is from
        # @return [String]
        # @api private
        def render(template, path)
          @__file__ = path
          compiled = self.class.compiled(template, path)
          scope.lend(compiled.variables) do |variables|
            variables.each { |name, value| instance_variable_set(self.class.instance_variable(name), value) }
            compiled.method.bind_call(self)
          end
        end

        # A template as a method, and the names of the variables in it; nil where it may use any.
        Compiled = Struct.new(:method, :variables)
        # Code that can access variables without naming them.
        ANY_VARIABLE = /instance_variable|binding|eval\b|\bself\b|(?<!\.)\binspect\b/
        # The number of cached templates; when it is exceeded, all are dropped.
        MOST = 500
        private_constant :Compiled, :ANY_VARIABLE, :MOST

        @compiled = {}
        @instance_variables = {}
        @lock = Mutex.new

        class << self
          # @param template [String]
          # @param path [String, nil] the file that it is from
          # @return [Compiled] an object whose method renders the template
          # @api private
          def compiled(template, path)
            @lock.synchronize do
              @compiled.clear if @compiled.size >= MOST
              @compiled[[path, template]] ||= Compiled.new(compile(template, path), variables_in(template))
            end
          end

          # @param name [String] of a variable
          # @return [Symbol] of the instance variable that templates have it in
          # @api private
          def instance_variable(name)
            @instance_variables.clear if @instance_variables.size >= 10 * MOST
            @instance_variables[name] ||= :"@#{name.gsub(/\W/, "_")}"
          end

          # Returns the names of the variables that a template uses; nil where it may use any.
          #
          # @param template [String]
          # @return [Array<String>, nil]
          # @api private
          def variables_in(template)
            code = template.scrub.scan(/<%.*?%>/m).join
            code.scan(/@(\w+)/).flatten.uniq unless ANY_VARIABLE.match?(code)
          end

          # Finds constants that files of the environment define.
          #
          # @param name [Symbol]
          # @return [Object]
          def const_missing(name)
            sandbox = Runtime.current&.sandbox
            sandbox&.const_defined?(name, false) ? sandbox.const_get(name, false) : super
          end

          private

          # Makes known which constants and methods a template sees.
          def publish_names
            return if const_defined?(:Facter, false)

            StandardLibrary.publish
            # As in a sandbox.
            const_set(:Puppet, Puppet)
            const_set(:SemanticPuppet, SemanticPuppet)
            const_set(:Facter, Object.const_defined?(:Facter) ? ::Facter : Facter)
          end

          def compile(template, path)
            require "erb"
            publish_names
            erb = ERB.new(template, trim_mode: "-")
            begin
              # The code begins with a comment about its encoding.
              EVALUATE_TEMPLATE.call(self, "def __render__()\n#{erb.src}\nend\n", path || "(erb)", -1)
            rescue SyntaxError
              # A method cannot define a class. Other syntax errors are then reported for the template alone, not for
              # the method.
              erb.filename = path
              define_method(:__render__) { erb.result(__binding__) }
            end
            instance_method(:__render__).tap { remove_method(:__render__) }
          end
        end

        EVALUATE_TEMPLATE.call(self, "def __binding__() = binding", __FILE__, __LINE__)
        private :__binding__

        # @return [String]
        def to_s
          "template[#{file || "inline"}]"
        end
      end
    end
  end
end
