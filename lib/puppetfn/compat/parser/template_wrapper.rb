# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Parser
      # What a template in ERB sees as `self`: the variables of a scope, and the scope.
      class TemplateWrapper
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
        # @return [Array<String>] the tags of the catalog
        def all_tags
          scope.catalog.tags
        end

        # @raise [NotImplementedError] always, as in Puppet
        def tags
          raise NotImplementedError, "Call 'all_tags' instead."
        end

        # @param string [String, nil] the template; else it is what is in the file
        # @return [String]
        def result(string = nil)
          render(string || File.read(file, encoding: Encoding::UTF_8), file)
        end

        # @param template [String]
        # @param path [String, nil] the file that it is from
        # @return [String]
        # @api private
        def render(template, path)
          @__file__ = path
          require "erb"
          erb = ERB.new(template, trim_mode: "-")
          erb.filename = path
          scope.lend do |variables|
            variables.each { |name, value| instance_variable_set("@#{name.gsub(/\W/, "_")}", value) }
            erb.result(binding)
          end
        end

        # @return [String]
        def to_s
          "template[#{file || "inline"}]"
        end
      end
    end
  end
end
