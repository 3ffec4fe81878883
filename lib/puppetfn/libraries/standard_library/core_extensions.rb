# frozen_string_literal: true

module Puppetfn
  module StandardLibrary
    # Methods that Puppet itself adds to all objects (`puppet/util/metaid.rb`, `puppet/util/monkey_patches.rb`,
    # `puppet/gettext/stubs.rb`) and to files.
    module CoreExtensions
      # Evaluates a block with the singleton class of an object.
      module Metaid
        # @return [Object] the block's result
        def meta_eval(&block)
          singleton_class.instance_eval(&block)
        end

        # Defines a method of this object alone.
        #
        # @return [Symbol]
        def meta_def(name, &block)
          meta_eval { define_method(name, &block) }
        end

        # Removes a method of this object alone.
        def meta_undef(name, &block)
          meta_eval { remove_method(name, &block) }
        end

        # Defines a method of a class.
        #
        # @return [Symbol]
        def class_def(name, &block)
          class_eval { define_method(name, &block) }
        end
      end

      # Methods that Ruby removed in version 3.2.
      module Exists
        # @return [Boolean]
        def exists?(path)
          exist?(path)
        end
      end

      # Adds the methods to Ruby's classes, unless something else did.
      #
      # @return [void]
      def self.publish
        Object.include(Metaid) unless Object.method_defined?(:meta_def)
        Object.include(Translation) unless Object.private_method_defined?(:_)
        [File, Dir].each { |files| files.extend(Exists) unless files.respond_to?(:exists?) }
      end
    end
  end
end
