# frozen_string_literal: true

module Puppetfn
  # puppetfn under real Puppet's classes: see docs/drop-in.md.
  module DropIn
    # The versions that the drop-in is tested with: three of Puppet, and two of OpenVox.
    TESTED = %w[7.23.0 8.10.0 8.11.0 8.28.1 9.0.0-beta2].freeze

    # The namespaces in which classes of Puppet's are looked up.
    PLACES = %w[Puppet::Pops::Types Puppet::Pops::Types::PSensitiveType Puppet::Pops::Evaluator Puppet::Pops::Functions
                Puppet::Pops::Parser].freeze
    private_constant :PLACES

    @states = {}

    class << self
      # @return [Switches]
      attr_reader :switches

      # @return [Hash{Symbol=>Symbol, String}] `:on`, `:shadow`, `:off`, `:waiting` or why not, for each piece
      attr_reader :states

      # Installs the pieces that are switched on: at once if Puppet is loaded, otherwise when it is.
      #
      # @return [void]
      def start
        return if @switches

        @switches = Switches.new(ENV.fetch("PUPPETFN", nil))
        PIECES.each { |piece| @states[piece] = switches.pieces.include?(piece) ? :waiting : :off }
        return if switches.pieces.empty?

        puppet_loaded? ? install : Waiting.start
      end

      # @return [Boolean] whether all of Puppet that is taken over is there
      def puppet_loaded?
        return false unless Object.const_defined?(:Puppet) && ::Puppet.respond_to?(:version) && ::Puppet.const_defined?(:Pops)

        awaited_files.all? { |name| $LOADED_FEATURES.any? { |file| file.end_with?(name) } }
      end

      # @return [Array<String>] the ends of the paths of Puppet's files after which all is there that is taken over
      def awaited_files
        ["/puppet/pops.rb", *("/puppet/parser/compiler.rb" if switches.pieces.include?(:catalog))]
      end

      # @return [void]
      def install
        learn(learned.to_h { |name| [name, find_class(name)] })
        switches.pieces.each { |piece| @states[piece] = install_piece(piece) }
        Fingerprint.forget
        warn_of_version
      rescue ArgumentError, NameError => e
        @states.transform_values! { |state| state == :off ? state : e.message }
        warn_of_version
      end

      # @param name [String] of a class in `Puppet::Pops`, or from the top if it begins with two colons
      # @return [Class, nil]
      def puppet_class(name)
        return Object.const_get(name) if name.start_with?("::")

        name.split("::").inject(::Puppet::Pops) { |place, part| place.const_get(part, false) }
      rescue NameError
        nil
      end

      private

      def find_class(name)
        places = PLACES.map { |place| Object.const_get(place) }
        places.find { |place| place.const_defined?(name, false) }&.const_get(name, false)
      end

      def install_piece(piece)
        patches = PATCHES.select { |patch| patch.piece == piece }
        other = patches.flat_map(&:names).uniq.find { |name| !KNOWN_METHODS.fetch(name, []).include?(Fingerprint.of(name)) }
        return "#{other} has an unknown implementation" if other

        prepare_catalogs if piece == :catalog
        patches.each { |patch| patched_class(patch).prepend(module_for(patch)) }
        word_mismatches if piece == :mismatch && !switches.shadow?
        switches.shadow? ? :shadow : :on
      end

      # Installs the patches that compilation needs besides its entry point.
      def prepare_catalogs
        require_relative "catalog_compiler"
        ::Puppet::Pops::Functions::Function.prepend(Catalogs::Calls)
        ::Puppet::Pops::PuppetStack.singleton_class.prepend(Catalogs::Stack)
        ::Puppet::Util::Log.singleton_class.prepend(Catalogs::Messages::Holding)
        [::Puppet::Util::Autoload.singleton_class, ::Puppet::Pops::Loader::ModuleLoaders::AbstractPathBasedModuleLoader].each do |loading|
          loading.prepend(Catalogs::Messages::Loading)
        end
        ::Puppet::Util.singleton_class.prepend(Catalogs::Template::Creating)
        Catalogs::DecidingMethods.watch
        Catalogs::Definitions.install
      end

      def patched_class(patch)
        klass = puppet_class(patch.class_name)
        patch.singleton ? klass.singleton_class : klass
      end

      def module_for(patch)
        switches.shadow? ? Shadow.const_get(patch.module_name) : const_get(patch.module_name)
      end

      def warn_of_version
        off = @states.select { |_, state| state.is_a?(String) }
        return if TESTED.include?(::Puppet.version) && off.empty?

        text = +"puppetfn: Puppet #{::Puppet.version} "
        text << (TESTED.include?(::Puppet.version) ? "has changed methods" : "was not tested")
        pieces = off.map { |name, why| "#{name} (#{why})" }.join(", ")
        text << (off.empty? ? "; all pieces are on, as its methods are known." : "; these pieces are off: #{pieces}.")
        Kernel.warn(text)
      end
    end
  end
end
