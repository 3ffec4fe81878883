# frozen_string_literal: true

module Puppetfn
  class Runtime
    # Catalogs of code.
    module Compiling
      # The state of a runtime that its copies for further catalogs share.
      COPIED = %i[
        @allow @environment @injector @loading @logs @node @ruby @settings @strict_names @target @top_values @pal_compilers
      ].freeze
      private_constant :COPIED

      # Returns the declarations of code: resources with their parameters and tags, and their containers. Whatever is left
      # to evaluate is evaluated first: the node, resources of defined types, collectors, overrides.
      #
      # @example
      #   runtime = Puppetfn::Runtime.new(node: "web1")
      #   runtime.evaluate_string("file { '/etc/motd': ensure => file }")
      #   runtime.catalog.resource("File", "/etc/motd")["ensure"]  # => "file"
      #
      # @return [Catalog]
      # @raise [Puppet::Error] when that fails
      # @raise [UnavailableError] where code is a script, which makes none
      def catalog
        return @latest.catalog unless @latest.nil? || @latest.equal?(self)

        catalog = compiler.catalog
        activate { evaluator.complete_catalog }
        catalog
      end

      # Compiles the catalog of the node, as a server does: the code, the definition of the node, the classes of its
      # classifier, and whatever is left to evaluate.
      #
      # The first call can use definitions of {#evaluate_string}. Each further call compiles a catalog of its own, with the
      # functions of {#define_function} and the values of {#bind}, but nothing that code has defined or declared before.
      #
      # @example
      #   runtime = Puppetfn::Runtime.new(node: "web1")
      #   code = "class motd($text) { file { '/etc/motd': content => $text } }"
      #   catalog = runtime.compile(code, classes: {"motd" => {"text" => "hello"}})
      #   catalog.resource("File[/etc/motd]")["content"]  # => "hello"
      #   runtime.compile("notify { 'hi': }").resource("File[/etc/motd]")  # => nil
      #
      # @param code [String] the main manifest
      # @param file [String, nil] the file name in messages
      # @param classes [Array<String>, Hash{String=>Hash, nil}] the classes of a node classifier: they are included, or declared
      #   if they have parameters
      # @return [Catalog]
      # @raise [Puppet::Error] when it fails; the message names the node
      # @raise [UnavailableError] where code is a script, which makes none
      def compile(code, file = nil, classes: [])
        classes = Given.classes(classes)
        @latest = @latest && instance_of?(Runtime) ? with_setup : self
        @latest.compile_manifests([[code, file]], classes)
      end

      # Compiles the catalog of the node, with a main manifest of several files.
      #
      # @api private
      # @param manifests [Array<Array(String, String)>] the code of each, and its file or nil
      # @param classes [Array<Array(String, Hash)>] the classes of the node with their parameters
      # @param log [Boolean] whether an error is logged, too
      # @return [Catalog]
      # @raise (see #compile)
      def compile_manifests(manifests, classes, log: true)
        catalog = compiler.catalog
        for_node(log: log) { activate { evaluator.compile(manifests, note_classes(classes)) } }
        catalog
      end

      private

      def initialize_copy(original)
        super
        (instance_variables - COPIED).each { |name| remove_instance_variable(name) }
        @making_evaluator = Monitor.new
        @setup = []
        begin_evaluation
      end

      # Creates the objects whose state evaluation changes.
      def begin_evaluation
        @loader = make_loader(**@loading)&.join_runtime(self)
        @scope = make_scope(**@top_values)
        @compiler = Compiler.new(self)
      end

      # Returns a copy in which nothing was evaluated, set up as this runtime was.
      def with_setup
        dup.tap { |runtime| @setup.each { |step| step.call(runtime) } }
      end
    end
  end
end
