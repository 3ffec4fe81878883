# frozen_string_literal: true

module Puppetfn
  module Puppet
    Type.newtype(:whit) do
      desc "Stands in graphs for the beginning or the end of what contains others."
      newparam(:name) { desc "What it stands for." }

      # Returns the beginning or the end of a container. A graph has two for each, so they are made without a declaration.
      #
      # @api private
      # @param word [String] `admissible` or `completed`
      # @param container [Puppet::Type]
      # @return [Puppet::Type]
      def self.anchor(word, container)
        allocate.tap { |anchor| anchor.send(:stand_for, word, container) }
      end

      def to_s
        name.sub(/^completed_|^admissible_/, "")
      end
      alias_method :path, :to_s

      def refresh; end

      private

      def stand_for(word, container)
        @plan = self.class.plan
        @parameters = Type::AttributeTable.new(self, @plan.defaults)
        @catalog = container.catalog
        # The title of a declaration would be a reference.
        type, title = container.reference
        @title = "#{word.capitalize}_#{type[0].downcase}#{type[1..]}[#{title}]"
        @original_parameters = {}
        @only_strings = true
        @secrets = Type::Secrets.new([], {})
        self[:name] = "#{word}_#{container.ref}"
        @parameters.reach(@plan.size)
        merge_tags_from(container)
      end
    end
  end
end
