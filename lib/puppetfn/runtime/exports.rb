# frozen_string_literal: true

module Puppetfn
  class Runtime
    # Exported resources of other nodes and of the catalog.
    module Exports
      # Sets the exported resources of other nodes, which collectors find as in PuppetDB.
      #
      # @example
      #   runtime = Puppetfn::Runtime.new(node: "monitor")
      #   runtime.exports = [{type: "Notify", title: "web1", certname: "web1.example.com", tags: ["web"]}]
      #   runtime.compile("Notify <<| tag == 'web' |>>").resource("Notify[web1]").ref # => "Notify[web1]"
      # @param resources [Array<Hash>] `type`, `title` and `certname`, with `parameters` and `tags` if there are any, as in PuppetDB's
      #   answers to `/pdb/query/v4/resources`. Type and title are tags, too
      # @return [void]
      # @raise [ArgumentError] if a resource has no type, title or certname
      # @raise [Puppet::Error] if a member of a resource is something else than in PuppetDB's answers
      def exports=(resources)
        require "json"
        stored = JSON.generate(resources.map { |resource| Exports.stored(resource) })
        evaluator.exports = stored
        @setup << ->(runtime) { runtime.evaluator.exports = stored }
      end

      # Returns the resources that the catalog exports, as PuppetDB would store them: without sensitive parameters.
      #
      # @example
      #   runtime = Puppetfn::Runtime.new(node: "web1")
      #   runtime.compile("@@notify { 'up': }")
      #   runtime.exports.first["title"] # => "up"
      # @return [Array<Hash{String=>Object}>] as in PuppetDB's answers to `/pdb/query/v4/resources`
      def exports
        require "json"
        JSON.parse((@latest || self).evaluator.exports)
      end

      # @param resource [Hash]
      # @return [Hash{String=>Object}] a row of PuppetDB's entity `resources`
      def self.stored(resource)
        resource = resource.transform_keys(&:to_s)
        type, title = resource.values_at("type", "title")
        missing = %w[type title certname].find { |name| resource[name].to_s.empty? }
        raise Error[ArgumentError], "an exported resource has no #{missing}: #{[type, title].compact.join(" ")}" if missing

        type = type.to_s.split("::").map(&:capitalize).join("::")
        tags = [*resource["tags"], *type.split("::"), type, title].map { |tag| tag.to_s.downcase }
        resource.merge("type" => type, "tags" => tags.grep(TAG).uniq, "exported" => true)
      end

      # A valid tag.
      TAG = /\A[[:alnum:]_][[:alnum:]_:.-]*\z/
      private_constant :TAG
    end
  end
end
