# frozen_string_literal: true

module Puppetfn
  module RSpec
    # Where groups are that say nothing about their type.
    PLACES = {
      function: %r{spec[\\/]functions}, type_alias: %r{spec[\\/]type_aliases}, class: %r{spec[\\/]classes},
      define: %r{spec[\\/]defines}, host: %r{spec[\\/]hosts}, type: %r{spec[\\/]types}
    }.freeze

    class << self
      # Has groups be of a kind: those of one of the types, and those that are at the place.
      #
      # @api private
      def include_in_groups(configuration, mixin, types, place)
        types.each { |type| configuration.include(mixin, type: type) }
        configuration.include(mixin, file_path: ->(path, metadata) { metadata[:type].nil? && place.match?(path) })
      end

      # @api private
      def configure(configuration)
        include_in_groups(configuration, FunctionExampleGroup, %i[puppet_function function], PLACES[:function])
        include_in_groups(configuration, TypeAliasExampleGroup, %i[type_alias], PLACES[:type_alias])
        include_in_groups(configuration, TypeExampleGroup, %i[type], PLACES[:type])
        include_in_groups(configuration, ClassExampleGroup, %i[class], PLACES[:class])
        include_in_groups(configuration, DefineExampleGroup, %i[define], PLACES[:define])
        include_in_groups(configuration, HostExampleGroup, %i[host], PLACES[:host])
        configuration.before(:suite) { Setup.safe_setup_directories if ::RSpec.configuration.setup_fixtures? }
        configuration.after(:suite) { ExampleRuntime.clean_up }
        # Where puppetfn calls a function is of no use to who reads why it has failed.
        configuration.backtrace_exclusion_patterns << %r{\A#{Regexp.escape(File.expand_path("..", __dir__))}/}
        # These come before all others, and after them.
        configuration.prepend_before { ExampleRuntime.for(self).enter }
        configuration.append_after { ExampleRuntime.current.leave }
      end
    end

    # As functions do, specs count on what Puppet has loaded.
    StandardLibrary.publish
    ExampleRuntime.between_examples.enter
    configure(::RSpec.configuration)
  end
end
