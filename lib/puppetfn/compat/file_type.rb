# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      # Kinds of files that providers read and write; nothing here does.
      class FileType
        class << self
          # @return [Symbol]
          attr_accessor :name

          # Defines a kind.
          #
          # @param name [Symbol]
          # @yield in the class of its files
          # @return [Class<FileType>]
          def newfiletype(name, &block)
            kinds[name] = Class.new(self) { self.name = name }.tap { |kind| kind.class_eval(&block) }
          end

          # @param name [Symbol]
          # @return [Class<FileType>, nil]
          def filetype(name)
            kinds[name] || (superclass.filetype(name) if superclass <= FileType)
          end

          private

          def kinds
            @kinds ||= {}
          end
        end

        # @return [String]
        attr_reader :path

        def initialize(path, _default_mode = nil)
          @path = path
        end

        %i[flat ram crontab suntab aixtab].each { |name| newfiletype(name) {} } # rubocop:disable Lint/EmptyBlock
      end
    end
  end
end
