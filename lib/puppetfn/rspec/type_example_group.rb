# frozen_string_literal: true

module Puppetfn
  module RSpec
    # Groups that describe a resource type.
    module TypeExampleGroup
      include TypeMatchers
      include Support

      # @return [Array(Class<Puppet::Type>, String, Hash)] the type, and the title and parameters of a resource
      def subject
        @subject ||= [runtime.resource_type(class_name), title, Settings.given?(self, :params) ? params : {}]
      end

      private

      def default_nodename
        Puppet[:certname]
      end
    end
  end
end
