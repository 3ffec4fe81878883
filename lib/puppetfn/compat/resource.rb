# frozen_string_literal: true

module Puppetfn
  module Puppet
    # References to resources. The resources themselves live in Puppet's catalog.
    class Resource
      extend StandIn

      REFERENCE = /\A([^\[\]]+)\[(.+)\]\z/m
      private_constant :REFERENCE

      # Splits a reference.
      #
      # @param type [String, nil] a type, or a whole reference such as `File[/tmp/x]` without a title
      # @param title [String, nil] a title, or a whole reference without a type
      # @return [Array(String, String)] the type in capitals, and the title
      # @raise [ArgumentError] when there is no title
      def self.type_and_title(type, title)
        reference = REFERENCE.match(type.nil? ? title : type) if type.nil? || title.nil?
        if reference
          type, title = reference.captures
        elsif title.nil?
          raise ArgumentError, "No title provided and #{type.inspect} is not a valid resource reference"
        end
        type = capitalized(type)
        title = title == "" ? :main : capitalized(title) if type == "Class"
        [type, title]
      end

      # @raise [UnavailableError] always
      def self.new(*)
        raise UnavailableError, "Puppet::Resource.new"
      end

      def self.capitalized(name)
        return name if name == :main
        return "Class" if name.nil? || name.to_s.empty? || name.to_s.casecmp?("component")

        name = name.to_s
        name.match?(/\A[A-Z]/) ? name : name.split("::").map(&:capitalize).join("::")
      end
      private_class_method :capitalized
    end
  end
end
