# frozen_string_literal: true

module Puppetfn
  # Catalogs as graphs of their containment and dependencies.
  #
  # @example
  #   catalog = File.read("spec/unit/compiled/web1.example.com.json")
  #   Puppetfn::Graph.draw(catalog, around: "Service[nginx]", format: :mermaid).lines.first  # => "flowchart TB\n"
  #   Puppetfn::Graph.cycles(catalog)                                                        # => []
  module Graph
    class << self
      # Draws a catalog.
      #
      # @param catalog [Catalog, Hash, String] one of ours, or one in JSON that Puppet, PuppetDB or `puppetfn compile` wrote
      # @param format [:dot, :mermaid, :svg, :html] text for Graphviz or Mermaid, a picture, or a page with the picture
      # @param kind [:all, :containment, :dependencies] the edges to draw
      # @param around [String, Array<String>] draw only the neighbourhood of these resources, such as `File[/etc/motd]`
      # @param depth [Integer] maximum distance of neighbours, in edges
      # @param most [Integer] maximum number of neighbours, the nearest first
      # @return [String]
      # @raise [ArgumentError] when an argument is wrong, there is no such resource, or there is too much for a picture
      def draw(catalog, format: :svg, kind: :all, around: [], depth: 1, most: 200)
        drawn(json(catalog), format.to_s, kind.to_s, Array(around), depth, most)
      end

      # @param catalog [Catalog, Hash, String] as of {draw}
      # @return [Array<Array<String>>] the dependency cycles, by the resources' own parameters: each resource comes
      #   before all others of its group
      # @raise [ArgumentError] when it is no catalog
      def cycles(catalog)
        found_cycles(json(catalog))
      end

      # Tells where the dependency cycles of a catalog come from: the edges of a short way around each.
      #
      # @example
      #   code = "notify { 'a': require => Notify['b'] }\nnotify { 'b': }\nNotify['a'] -> Notify['b']"
      #   catalog = Puppetfn::Runtime.new(node: "web1").compile(code, "site.pp")
      #   Puppetfn::Graph.cycle_edges(catalog)
      #   # => [["Notify[a] -> Notify[b] (site.pp:3)", "Notify[a] requires Notify[b] (site.pp:1)"]]
      #
      # @param catalog [Catalog, Hash, String] as of {draw}. In JSON an edge has the place of the resource that states it; only
      #   one of our catalogs has the places of parameters and arrows
      # @return [Array<Array<String>>] for each cycle its edges in order, with file and line
      # @raise [ArgumentError] when it is no catalog
      def cycle_edges(catalog)
        catalog.is_a?(Catalog) ? catalog.cycle_edges : found_cycle_edges(json(catalog))
      end

      private

      def json(catalog)
        return catalog if catalog.is_a?(String)

        require "json"
        catalog.to_json
      end
    end
  end
end
