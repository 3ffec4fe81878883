# frozen_string_literal: true

module Puppetfn
  module RSpec
    # A dependency cycle: a path from a resource to itself, and the origin of each of its edges.
    #
    # @api private
    class Cycle
      # The verbs of parameters and of methods of types that add edges.
      VERBS = {before: "before", notify: "notifies", require: "requires", subscribe: "subscribes to",
               autobefore: "autobefore", autonotify: "autonotifies", autorequire: "autorequires", autosubscribe: "autosubscribes to"}.freeze
      # The same of the second resource, which names the first.
      OF_LAST = %i[require subscribe autorequire autosubscribe].freeze
      # The two vertices of a container.
      ANCHOR = /\A(admissible|completed)_(.+)\z/m
      private_constant :VERBS, :OF_LAST, :ANCHOR

      class << self
        # @param catalog [Catalog]
        # @return [Array<Cycle>] the cycles of the catalog
        # @raise [Puppet::Error] if a resource is not as its type wants it
        def all(catalog)
          graph = catalog.to_ral.relationship_graph
          graph.cycles.map { |members| new(graph.paths_in_cycle(members), graph.automatic, catalog) }
        end
      end

      # Later uses need neither the catalog nor the graph, which are large.
      #
      # @param paths [Array<Array<Puppet::Type>>] paths around it
      # @param automatic [Array<Array(Puppet::Type, Puppet::Type, Symbol)>] the edges that types add
      # @param catalog [Catalog]
      def initialize(paths, automatic, catalog)
        @text = "#{paths.map { |path| "(#{path.join(" => ")})" }.join("\n")}\n"
        @edges = paths.flat_map { |path| path.each_cons(2).flat_map { |ends| described(ends, automatic, catalog) } }.uniq
      end

      # @return [String] as Puppet prints it
      def to_s
        @text
      end

      # @return [Array<String>] the origin of each edge, with file and line
      attr_reader :edges

      private

      def described(ends, automatic, catalog)
        container_edge(ends) || stated(ends, catalog) || added(ends, automatic) || ["#{ends.first} before #{ends.last}"]
      end

      # The beginning of a container comes before its contents, and these before its end.
      def container_edge(ends)
        (first_anchor, first), (last_anchor, last) = ends.map { |vertex| anchor(vertex) }
        return ["#{first} has nothing in it"] if first_anchor == "admissible" && last_anchor == "completed"
        return ["#{first} contains #{last}#{place(ends.last)}"] if first_anchor == "admissible" && last_anchor != "completed"

        ["#{last} contains #{first}#{place(ends.first)}"] if last_anchor == "completed"
      end

      # Returns which end of a container a vertex is, if it is one, and the reference.
      def anchor(vertex)
        vertex.is_a?(Puppet::Type.type(:whit)) && vertex[:name].match(ANCHOR)&.captures || [nil, vertex.ref]
      end

      def stated(ends, catalog)
        first, last = ends.map { |vertex| anchor(vertex).last }
        # Catalogs of instances, as specs of types make them, know no places.
        return unless catalog.respond_to?(:relations) && catalog.resource(first)

        found = catalog.relations(first).select { |one| one.values_at("of", "other", "order") == [first, last, "after"] }
        lines = found.map do |one|
          next "#{first} #{one["notifies"] ? "~>" : "->"} #{last}#{place(one["place"])}" if one["arrow"]

          sentence(one["parameter"].to_sym, first, last, one["place"])
        end
        lines unless lines.empty?
      end

      def added(ends, automatic)
        _, _, method = automatic.find { |first, last, _| first.equal?(ends.first) && last.equal?(ends.last) }
        return unless method

        [sentence(method, *ends, OF_LAST.include?(method) ? ends.last : ends.first)]
      end

      def sentence(relation, first, last, stated_at)
        subject, object = OF_LAST.include?(relation) ? [last, first] : [first, last]
        "#{subject} #{VERBS.fetch(relation)} #{object}#{place(stated_at)}"
      end

      def place(resource)
        file, line = resource.is_a?(Hash) ? resource.values_at("file", "line") : [resource&.file, resource&.line]
        " (#{[file.delete_prefix("#{Dir.pwd}/"), line].compact.join(":")})" if file
      end
    end
  end
end
