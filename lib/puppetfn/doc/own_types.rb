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
        RubyFile.read(path, ::File.read(path))[:types].map { |description| Types.pruned(description, :line) }
      end
    end
  end
end
