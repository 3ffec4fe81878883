# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      # Kinds of files that providers read and write; types only ask whether there is a kind.
      class FileType
        KINDS = %i[aixtab crontab flat ram suntab].freeze
        private_constant :KINDS

        # @return [Symbol]
        attr_reader :name

        # @param name [Symbol]
        # @return [FileType, nil]
        def self.filetype(name)
          new(name.to_sym) if KINDS.include?(name.to_sym)
        end

        def initialize(name)
          @name = name
        end
      end
    end
  end
end
