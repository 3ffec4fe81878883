# frozen_string_literal: true

module Puppetfn
  class Doc; end # rubocop:disable Lint/EmptyClass
end
require_relative "ruby_file"

class Puppetfn::Doc
  # What Puppet's own resource types say of themselves, as the core has it.
  #
  # @api private
  module OwnTypes
    DIRECTORY = ::File.expand_path("../puppet_types", __dir__)
    private_constant :DIRECTORY

    # @return [Array<Hash>] without what goes without saying
    def self.descriptions
      Dir[::File.join(DIRECTORY, "*.rb")].sort.flat_map do |path|
        RubyFile.read(path, ::File.read(path))[:types].map { |description| pruned(description, :line) }
      end
    end

    # A Hash without what is not there, and without some keys.
    def self.pruned(value, *without)
      case value
      when Hash
        value.reject { |key, inner| without.include?(key) || [nil, false, [], ""].include?(inner) }
          .transform_values { |inner| pruned(inner, *without) }
      when Array then value.map { |inner| pruned(inner, *without) }
      else value
      end
    end
    private_class_method :pruned
  end
end
