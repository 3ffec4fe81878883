# frozen_string_literal: true

module Puppetfn
  module Puppet
    # A class, or a resource of a defined type: a mere container.
    Type.newtype(:component) do
      newparam(:name, namevar: true) { desc "What the component is called." }

      def initialize(*arguments)
        @extra_parameters = {}
        super
      end

      def [](name)
        self.class.valid_parameter?(name) ? super : @extra_parameters[name.to_sym]
      end

      def []=(name, value)
        self.class.valid_parameter?(name) ? super : @extra_parameters[name.to_sym] = value
      end

      def title=(title)
        @reference = Resource.new(title)
      end

      def ref
        @reference.to_s
      end
      alias_method :title, :ref
      alias_method :to_s, :ref

      def reference
        [@reference.type, @reference.title.to_s]
      end

      def pathbuilder
        [*parent&.pathbuilder, @reference.type == "Class" ? @reference.title : @reference.to_s]
      end

      def set_sensitive_parameters(_names); end
    end
  end
end
