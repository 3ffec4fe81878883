# frozen_string_literal: true

module Puppetfn
  # The order of resources: by their own parameters, by relationships that their types add, and by containment. Two
  # resources of type `whit` stand for each class, defined resource and stage: that it begins, and that it is complete.
  #
  #   runtime.catalog.to_ral.relationship_graph.cycles
  class RelationshipGraph
    # Labels of edges through a container, and of the relationships that types add, about events. An edge has a list of
    # labels, for two resources may be related in several ways.
    THROUGH = [{callback: :refresh, event: :ALL_EVENTS}].freeze
    BEFORE = [{event: :NONE}].freeze
    AUTOMATIC = {autorequire: BEFORE, autosubscribe: THROUGH, autobefore: BEFORE, autonotify: THROUGH}.freeze
    # The number of paths through a cycle that are drawn.
    DRAWN_PATHS = 10
    private_constant :THROUGH, :BEFORE, :AUTOMATIC, :DRAWN_PATHS

    # @param catalog [RalCatalog]
    # @raise [Puppet::Error] when a resource names one that is not there
    def initialize(catalog)
      @graph = Digraph.new
      @automatic = []
      catalog.resources.each { |resource| @graph.add(resource) }
      catalog.resources.each do |resource|
        resource.builddepends.each { |edge| @graph.connect(edge.source, edge.target, [edge.label]) }
      end
      vertices.each { |resource| add_automatic(resource, catalog) }
      replace_containers(catalog)
    end

    # The relationships that types add: the first resource, the second, and the kind of relationship that the type of
    # one of them adds.
    #
    # @return [Array<Array(Puppet::Type, Puppet::Type, Symbol)>] `:autorequire`, `:autosubscribe`, `:autobefore` or `:autonotify`
    attr_reader :automatic

    # @return [Array<Puppet::Type>]
    def vertices
      @graph.vertices
    end

    # @return [Array<Puppet::Relationship>]
    def edges
      @edges ||= @graph.edges.flat_map do |source, target, labels|
        labels.map { |label| Puppet::Relationship.new(source, target, label) }
      end
    end

    # @param vertex [Puppet::Type]
    # @return [Boolean]
    def vertex?(vertex)
      @graph.vertex?(vertex)
    end

    # @param source [Puppet::Type]
    # @param target [Puppet::Type]
    # @return [Boolean] whether one comes right before the other
    def edge?(source, target)
      @graph.edge?(source, target)
    end

    # @param vertex [Puppet::Type]
    # @param direction [:in, :out]
    # @return [Array<Puppet::Type>]
    def adjacent(vertex, direction: :out)
      direction == :in ? @graph.predecessors(vertex) : @graph.successors(vertex)
    end

    # @param vertex [Puppet::Type]
    # @return [Array<Puppet::Type>] all that come before it
    def dependencies(vertex)
      @graph.ancestors(vertex)
    end

    # @param vertex [Puppet::Type]
    # @return [Array<Puppet::Type>] all that come after it
    def dependents(vertex)
      @graph.descendants(vertex)
    end

    # @param vertex [Puppet::Type]
    # @return [Array<Puppet::Type>] its direct successors
    def direct_dependents_of(vertex)
      adjacent(vertex)
    end

    # @param vertex [Puppet::Type]
    # @return [Array<Puppet::Type>] its direct predecessors
    def direct_dependencies_of(vertex)
      adjacent(vertex, direction: :in)
    end

    # @return [Array<Array<Puppet::Type>>] the cycles, each with all resources that come before each other, sorted
    def cycles
      @cycles ||= @graph.cycles.map(&:sort).sort
    end
    alias find_cycles_in_graph cycles

    # @param cycle [Array<Puppet::Type>] one of {#cycles}
    # @param max_paths [Integer]
    # @return [Array<Array<Puppet::Type>>] the shortest ways around it, each from a resource to itself
    def paths_in_cycle(cycle, max_paths = 1)
      raise Error[ArgumentError], "negative or zero max_paths" if max_paths < 1

      members = cycle.to_h { |vertex| [vertex, true] }.compare_by_identity
      found = []
      waiting = [[cycle.first]]
      while found.length < max_paths && (path = waiting.shift)
        next found << path if path[0...-1].any? { |vertex| vertex.equal?(path.last) }

        adjacent(path.last).each { |vertex| waiting << [*path, vertex] if members.key?(vertex) }
      end
      found.sort
    end

    # @return [String, nil] Puppet's message about the cycles, with the shortest way around each
    def cycles_message
      return if cycles.empty?

      ways = cycles.map { |cycle| paths_in_cycle(cycle).map { |path| "(#{path.join(" => ")})" }.join('\n') + '\n' }
      "Found #{cycles.length} dependency cycle#{"s" if cycles.size > 1}:\n#{ways.join}" \
        "Try the '--graph' option and opening the resulting '.dot' file in OmniGraffle or GraphViz"
    end

    # Logs the cycles.
    #
    # @return [Array<Array<Puppet::Type>>, nil] nil when there are none
    def report_cycles_in_graph
      message = cycles_message or return
      Puppet.err(message)
      cycles
    end

    # @param name [String]
    # @return [String] the graph for Graphviz
    def to_dot(name = "Relationships")
      lines = vertices.map { |vertex| "  #{quoted(vertex.ref)}" } +
        edges.map { |edge| "  #{quoted(edge.source.ref)} -> #{quoted(edge.target.ref)}" }
      "digraph #{name} {\n#{lines.join("\n")}\n}\n"
    end

    # @return [String] the cycles for Graphviz
    def cycles_to_dot
      paths = cycles.flat_map { |cycle| paths_in_cycle(cycle, DRAWN_PATHS) }
      lines = paths.map { |path| path.map { |vertex| quoted(vertex) }.join(" -> ") }
      ["digraph Resource_Cycles {", '  label = "Resource Cycles"', *lines, "}"].join("\n")
    end

    private

    def quoted(vertex)
      "\"#{vertex.to_s.gsub('"', '\"')}\""
    end

    # A relationship that a type adds never contradicts a stated one.
    def add_automatic(resource, catalog)
      resource.class.plan.automatic.each do |method, kind|
        case kind
        when nil
          resource.public_send(method, catalog).each { |edge| relate(edge.source, edge.target, method) }
        when :require, :subscribe
          resource.class.related_to(resource, kind, catalog).each { |other| relate(other, resource, method) }
        else
          resource.class.related_to(resource, kind, catalog).each { |other| relate(resource, other, method) }
        end
      end
    end

    def relate(first, second, method)
      return if edge?(first, second) || edge?(second, first)

      @graph.relate(first, second, AUTOMATIC[method])
      @automatic << [first, second, method]
    end

    def replace_containers(catalog)
      component, stage = Puppet::Type.type(:component), Puppet::Type.type(:stage)
      containers = catalog.resources.select { |resource| resource.is_a?(component) || resource.is_a?(stage) }
      first, last = %w[admissible completed].map { |word| anchors(containers, word) }
      @graph.redirect(containers.map { |container| [container, first[container], last[container]] })
      containers.each { |container| enclose(container, catalog.adjacent(container), first, last) }
      containers.each { |container| @graph.delete(container) }
    end

    def anchors(containers, word)
      whit = Puppet::Type.type(:whit)
      containers.each_with_object({}.compare_by_identity) do |container, anchors|
        anchors[container] = whit.anchor(word, container)
        @graph.add(anchors[container])
      end
    end

    def enclose(container, contents, first, last)
      @graph.connect(first[container], last[container], [nil]) if contents.empty?
      contents.each do |content|
        @graph.connect(first[container], first.fetch(content, content), THROUGH)
        @graph.connect(last.fetch(content, content), last[container], THROUGH)
      end
    end
  end
end
