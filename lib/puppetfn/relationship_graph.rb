# frozen_string_literal: true

require "tsort"

module Puppetfn
  # Which resources come before which: what they say themselves, what their types add, and what contains them. Two
  # resources of type `whit` stand for each class, defined resource and stage: that it begins, and that it is complete.
  #
  #   runtime.catalog.to_ral.relationship_graph.cycles
  class RelationshipGraph
    # What passes through a container, and what the relationships that types add say of events. An edge has a list of
    # labels, for two resources may be related in several ways.
    THROUGH = [{callback: :refresh, event: :ALL_EVENTS}].freeze
    BEFORE = [{event: :NONE}].freeze
    AUTOMATIC = {autorequire: BEFORE, autosubscribe: THROUGH, autobefore: BEFORE, autonotify: THROUGH}.freeze
    # How many ways through a cycle are drawn.
    DRAWN_PATHS = 10
    private_constant :THROUGH, :BEFORE, :AUTOMATIC, :DRAWN_PATHS

    # @param catalog [RalCatalog]
    # @raise [Puppet::Error] when a resource names one that is not there
    def initialize(catalog)
      @out_of = {}.compare_by_identity
      catalog.resources.each { |resource| add_vertex(resource) }
      vertices.each do |resource|
        resource.builddepends.each { |edge| connect(edge.source, edge.target, [edge.label]) }
      end
      vertices.each { |resource| add_automatic(resource, catalog) }
      replace_containers(catalog)
    end

    # @return [Array<Puppet::Type>]
    def vertices
      @out_of.keys
    end

    # @return [Array<Puppet::Relationship>]
    def edges
      @edges ||= @out_of.flat_map do |source, following|
        following.flat_map do |target, labels|
          labels.map { |label| Puppet::Relationship.new(source, target, label) }
        end
      end
    end

    # @param vertex [Puppet::Type]
    # @return [Boolean]
    def vertex?(vertex)
      @out_of.key?(vertex)
    end

    # @param source [Puppet::Type]
    # @param target [Puppet::Type]
    # @return [Boolean] whether one comes right before the other
    def edge?(source, target)
      @out_of[source]&.key?(target) || false
    end

    # @param vertex [Puppet::Type]
    # @param direction [:in, :out]
    # @return [Array<Puppet::Type>]
    def adjacent(vertex, direction: :out)
      (direction == :in ? into : @out_of)[vertex]&.keys || []
    end

    # @param vertex [Puppet::Type]
    # @return [Array<Puppet::Type>] all that come before it
    def dependencies(vertex)
      reach(vertex, into)
    end

    # @param vertex [Puppet::Type]
    # @return [Array<Puppet::Type>] all that come after it
    def dependents(vertex)
      reach(vertex, @out_of)
    end

    # @return [Array<Array<Puppet::Type>>] those that come before themselves, each group with all others of it, sorted
    def cycles
      @cycles ||= strongly_connected.select { |group| group.size > 1 || edge?(group[0], group[0]) }.map(&:sort).sort
    end
    alias find_cycles_in_graph cycles

    # @param cycle [Array<Puppet::Type>] one of {#cycles}
    # @param max_paths [Integer]
    # @return [Array<Array<Puppet::Type>>] the shortest ways around it, each from a resource to itself
    def paths_in_cycle(cycle, max_paths = 1)
      raise ArgumentError, "negative or zero max_paths" if max_paths < 1

      members = cycle.to_h { |vertex| [vertex, true] }.compare_by_identity
      found = []
      waiting = [[cycle.first]]
      while found.length < max_paths && (path = waiting.shift)
        next found << path if path[0...-1].any? { |vertex| vertex.equal?(path.last) }

        adjacent(path.last).each { |vertex| waiting << [*path, vertex] if members.key?(vertex) }
      end
      found.sort
    end

    # @return [String, nil] what Puppet says of the cycles, with the shortest way around each
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

    def add_vertex(vertex)
      @out_of[vertex] ||= {}.compare_by_identity
    end

    def connect(source, target, labels)
      following = @out_of[source] || add_vertex(source)
      add_vertex(target) unless @out_of.key?(target)
      known = following[target]
      following[target] = known ? known + labels : labels
    end

    # The vertices right before each one.
    def into
      @into ||= @out_of.transform_values { {}.compare_by_identity }.compare_by_identity.tap do |into|
        @out_of.each { |source, following| following.each_key { |target| into[target][source] = true } }
      end
    end

    # What a type adds does not contradict what is said.
    def add_automatic(resource, catalog)
      resource.class.plan.automatic_kinds.each do |kind|
        resource.public_send(kind, catalog).each do |edge|
          source, target = edge.source, edge.target
          connect(source, target, AUTOMATIC[kind]) unless edge?(source, target) || edge?(target, source)
        end
      end
    end

    def replace_containers(catalog)
      kinds = %i[component stage].map { |name| Puppet::Type.type(name) }
      containers = catalog.resources.select { |resource| kinds.any? { |kind| resource.is_a?(kind) } }
      first = anchors(containers, "admissible", catalog)
      last = anchors(containers, "completed", catalog)
      redirect(first, last)
      containers.each { |container| enclose(container, catalog.adjacent(container), first, last) }
      containers.each { |container| @out_of.delete(container) }
    end

    def anchors(containers, word, catalog)
      whit = Puppet::Type.type(:whit)
      containers.each_with_object({}.compare_by_identity) do |container, anchors|
        anchor = whit.new(name: "#{word}_#{container.ref}", catalog: catalog)
        anchor.merge_tags_from(container)
        add_vertex(anchor)
        anchors[container] = anchor
      end
    end

    def redirect(first, last)
      @out_of.to_a.each do |source, following|
        following.keys.each do |target|
          next unless last.key?(source) || first.key?(target)

          connect(last.fetch(source, source), first.fetch(target, target), following.delete(target))
        end
      end
    end

    def enclose(container, contents, first, last)
      connect(first[container], last[container], [nil]) if contents.empty?
      contents.each do |content|
        connect(first[container], first.fetch(content, content), THROUGH)
        connect(last.fetch(content, content), last[container], THROUGH)
      end
    end

    def reach(vertex, side)
      found = {}.compare_by_identity
      waiting = side[vertex]&.keys || []
      while (next_one = waiting.pop)
        next if found.key?(next_one)

        found[next_one] = true
        waiting.concat(side[next_one].keys)
      end
      found.keys
    end

    # Tarjan's algorithm, without recursion: chains of resources can be long.
    def strongly_connected
      search = ComponentSearch.new(@out_of)
      vertices.each { |vertex| search.visit(vertex) }
      search.groups
    end

    # Finds the groups of vertices that all reach one another.
    class ComponentSearch
      # @return [Array<Array<Object>>]
      attr_reader :groups

      # @param out_of [Hash] what follows each vertex
      def initialize(out_of)
        @out_of = out_of
        @index = {}.compare_by_identity
        @lowest = {}.compare_by_identity
        @open = {}.compare_by_identity
        @opened = []
        @groups = []
      end

      # @param root [Object]
      def visit(root)
        return if @index.key?(root)

        frames = [enter(root)]
        until frames.empty?
          vertex, following = frames.last
          if (child = following.shift)
            if !@index.key?(child) then frames << enter(child)
            elsif @open.key?(child) then lower(vertex, @index[child])
            end
          else
            frames.pop
            lower(frames.last[0], @lowest[vertex]) unless frames.empty?
            close(vertex) if @lowest[vertex] == @index[vertex]
          end
        end
      end

      private

      def enter(vertex)
        @index[vertex] = @lowest[vertex] = @index.size
        @open[vertex] = true
        @opened << vertex
        [vertex, @out_of[vertex].keys]
      end

      def lower(vertex, number)
        @lowest[vertex] = number if number < @lowest[vertex]
      end

      # The members of a group were opened after its first one.
      def close(vertex)
        group = []
        loop do
          member = @opened.pop
          @open.delete(member)
          group << member
          break if member.equal?(vertex)
        end
        @groups << group
      end
    end
    private_constant :ComponentSearch
  end
end
