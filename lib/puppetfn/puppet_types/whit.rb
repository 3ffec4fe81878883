# frozen_string_literal: true

module Puppetfn
  module Puppet
    Type.newtype(:whit) do
      desc "Stands in graphs for the beginning or the end of what contains others."
      newparam(:name) { desc "What it stands for." }

      def to_s
        name.sub(/^completed_|^admissible_/, "")
      end
      alias_method :path, :to_s

      def refresh; end
    end
  end
end
