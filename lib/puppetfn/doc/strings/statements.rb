# frozen_string_literal: true

require_relative "../syntax"

class Puppetfn::Doc
  module Strings
    # The statements of a file that declare resource types and providers.
    #
    # @api private
    module Statements
      extend Syntax

      # @param source [Source]
      # @return [Hash{Symbol => Array<Hash>}] `types` and `providers`
      def self.read(source)
        found = {types: [], providers: []}
        namespaced(source.tree) do |node|
          called = call(node) or next
          declared(called, node, source) { |kind, one| found[kind] << one }
        end
        found
      end

      def self.declared(called, node, source)
        case called.name
        when "newtype" then yield :types, ResourceType.new(called, node, source).to_h if type?(called.receiver)
        when "newproperty", "newparam", "ensurable"
          yield :types, ResourceType.extended(called, node, source) if extended(called)
        when "register_type"
          type = ApiType.new(called, source).to_h if constant(called.receiver) == "Puppet::ResourceApi"
          yield :types, type if type
        when "provide"
          yield :providers, Provider.new(called, node, source).to_h if extended(called)&.args&.any? && called.args.any?
        end
      end

      def self.type?(receiver)
        receiver && %w[Puppet::Type Type].include?(constant(receiver))
      end

      # Returns the call in `Puppet::Type.type(:name).newproperty(:other)`.
      def self.extended(called)
        of_type = called.receiver && call(called.receiver)
        of_type if of_type&.name == "type" && type?(of_type.receiver)
      end

      # Goes through the statements that are in no block and no method.
      def self.namespaced(node, &block)
        case node
        in [:program, statements] then statements.each { |one| namespaced(one, &block) }
        in [:module | :begin, *, body] then statements(body).each { |one| namespaced(one, &block) }
        in [:class, _, _, body] then statements(body).each { |one| namespaced(one, &block) }
        in [:if | :unless | :elsif, _, statements, other]
          statements.each { |one| namespaced(one, &block) }
          namespaced(other, &block) if other
        in [:else, statements] then statements.each { |one| namespaced(one, &block) }
        else yield node if node?(node)
        end
      end

      private_class_method :declared, :type?, :extended, :namespaced
    end
  end
end
