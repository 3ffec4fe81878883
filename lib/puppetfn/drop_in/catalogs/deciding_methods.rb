# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # The methods of Puppet that decide the content of a catalog. Where one is not Puppet's own, Puppet compiles.
      #
      # Specs mock methods, so each compilation asks. As long as none was defined, that takes no time.
      module DecidingMethods
        # The classes that have them.
        CLASSES = %w[
          Puppet::Parser::Compiler Puppet::Parser::Scope Puppet::Parser::Resource Puppet::Pops::Evaluator::EvaluatorImpl
          Puppet::Pops::Evaluator::Runtime3Support Puppet::Pops::PuppetStack Puppet::Resource Puppet::Resource::Catalog
          Puppet::Resource::Type
        ].freeze
        private_constant :CLASSES

        # Notices when a method of a class is defined.
        module Noticing
          def method_added(_name)
            DecidingMethods.outdated
            super
          end

          def singleton_method_added(_name)
            DecidingMethods.outdated
            super
          end
        end
        private_constant :Noticing

        @definitions = 0

        class << self
          # Begins to notice definitions.
          #
          # @return [void]
          def watch
            CLASSES.each { |name| Object.const_get(name).extend(Noticing) }
          end

          # Has methods looked at again.
          #
          # @return [void]
          def outdated
            @definitions += 1
          end

          # @return [String, nil] a method that is from other files than Puppet's and these
          def changed
            definitions, ancestors = @definitions, places.map(&:ancestors)
            return if @known == [definitions, ancestors]

            changed = find
            # Definitions of methods in prepended modules are not noticed.
            @known = changed || ancestors.zip(places).any? { |modules, place| prepended?(modules, place) } ? nil : [definitions, ancestors]
            changed
          end

          # @return [Boolean] whether the method that asks was called by one of Puppet's files, Ruby's library, or one of these
          def called_by_library?
            known_file?(caller_locations(2, 1).first.absolute_path.to_s)
          end

          # @return [String] the directory of Puppet's own files
          def puppet
            @puppet ||= File.dirname($LOADED_FEATURES.find { |file| file.end_with?("/puppet/pops.rb") })
          end

          private

          def places
            @places ||= CLASSES.flat_map { |name| [Object.const_get(name), Object.const_get(name).singleton_class] }
          end

          def find
            CLASSES.each do |name|
              place = Object.const_get(name)
              changed = changed_method_of(place) and return "#{name}##{changed}"
              changed = changed_method_of(place.singleton_class) and return "#{name}.#{changed}"
            end
            nil
          end

          # Mocks of methods that the drop-in has replaced are in modules that are prepended.
          def changed_method_of(place)
            owners = [place, *prepended(place.ancestors, place)]
            owners.flat_map { |owner| owner.instance_methods(false).map { |method| owner.instance_method(method) } }.find do |method|
              file, = method.source_location
              file && !known_file?(file)
            end&.name
          end

          # Returns true if a file is one of Puppet's, of Ruby's library, which has delegators, or of these.
          def known_file?(file)
            @known_files ||= {}
            @known_files.fetch(file) { @known_files[file] = file.start_with?(puppet, RbConfig::CONFIG["rubylibdir"], File.dirname(__dir__)) }
          end

          def prepended?(modules, place)
            prepended(modules, place).any? { |each| !each.name.to_s.start_with?("Puppetfn::") }
          end

          def prepended(modules, place)
            modules.take_while { |each| !each.equal?(place) }
          end
        end
      end
    end
  end
end
