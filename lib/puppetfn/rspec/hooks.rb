# frozen_string_literal: true

module Puppetfn
  module RSpec
    # Directories of groups that declare no type.
    PLACES = {
      function: %r{spec[\\/]functions}, type_alias: %r{spec[\\/]type_aliases}, class: %r{spec[\\/]classes},
      define: %r{spec[\\/]defines}, host: %r{spec[\\/]hosts}, type: %r{spec[\\/]types}
    }.freeze

    # The kinds of groups, by the type that they declare.
    KINDS = PLACES.to_h { |kind, _| [kind.name, kind] }.merge("puppet_function" => :function).freeze
    private_constant :KINDS

    class << self
      # Returns the kind of a group or example: by its type, or else by its place.
      #
      # @api private
      # @param metadata [Hash]
      # @return [Symbol, nil]
      def kind(metadata)
        type = metadata[:type]
        return KINDS[type.to_s] unless type.nil?

        PLACES.each { |kind, place| return kind if place.match?(metadata[:file_path]) }
        nil
      end

      # @api private
      # @param configuration [::RSpec::Core::Configuration]
      # @return [void]
      def configure(configuration)
        # RSpec asks each filter for each example, unless all of them compare with a value. Spec helpers may give types to
        # groups that have none, and other types to groups that have one.
        [{}, {type: true}, *KINDS.keys.map { |type| {type: type} }].each do |filter|
          configuration.define_derived_metadata(filter) { |metadata| metadata[:puppetfn_kind] = kind_beyond_group(metadata) }
        end
        {
          function: FunctionExampleGroup, type_alias: TypeAliasExampleGroup, type: TypeExampleGroup,
          class: ClassExampleGroup, define: DefineExampleGroup, host: HostExampleGroup
        }.each { |kind, mixin| configuration.include(mixin, puppetfn_kind: kind) }
        configuration.before(:suite) { Heap.make_room if !Heap.growing? && ::RSpec.world.example_count >= Heap::MANY }
        configuration.on_example_group_definition { Heap.check }
        configuration.before(:suite) { Setup.safe_setup_directories if ::RSpec.configuration.setup_fixtures? }
        configuration.after(:suite) { ExampleRuntime.clean_up }
        # Frames of puppetfn do not help readers of a failure.
        configuration.backtrace_exclusion_patterns << %r{\A#{Regexp.escape(File.expand_path("..", __dir__))}/}
        # These hooks run before all others, and after them.
        configuration.prepend_before do
          Heap.check
          runtime = ExampleRuntime.for(self)
          is_a?(Support) ? runtime.enter_node(self) : runtime.enter
        end
        configuration.append_after { ExampleRuntime.current.leave }
      end

      private

      # Returns the kind of a group, or of an example whose kind differs from its group's. RSpec sets constants in each example that
      # has modules of its own, which invalidates Ruby's constant caches.
      def kind_beyond_group(metadata)
        own = kind(metadata)
        group = metadata.fetch(:example_group, nil)
        own unless group && group[:puppetfn_kind] == own
      end
    end

    # Specs depend on libraries that Puppet has loaded, as functions do.
    StandardLibrary.publish
    ExampleRuntime.between_examples.enter
    configure(::RSpec.configuration)
  end
end
