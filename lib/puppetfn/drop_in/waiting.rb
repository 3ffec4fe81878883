# frozen_string_literal: true

module Puppetfn
  module DropIn
    # Waits until Puppet is loaded: looks after each `require`, and stops that then.
    module Waiting
      class << self
        # @return [void]
        def start
          @waiting = true
          @missing = DropIn.awaited_files
          @looked_at = 0
          @original = original = Kernel.instance_method(:require)
          Kernel.send(:define_method, :require) do |path|
            loaded = original.bind_call(self, path)
            Waiting.look
            loaded
          end
          Kernel.send(:private, :require)
          @ours = Kernel.instance_method(:require)
        end

        # @return [void]
        def look
          return unless @waiting && no_file_missing? && DropIn.puppet_loaded?

          stop
          DropIn.install
        end

        private

        # Each file that was loaded is looked at once.
        def no_file_missing?
          return true if @missing.empty?

          @looked_at = 0 if @looked_at > $LOADED_FEATURES.size
          loaded = $LOADED_FEATURES[@looked_at..]
          @looked_at += loaded.size
          @missing = @missing.reject { |name| loaded.any? { |file| file.end_with?(name) } }
          @missing.empty?
        end

        def stop
          @waiting = false
          # Where another library has replaced it since, it stays: it only passes on.
          return unless Kernel.instance_method(:require) == @ours

          Kernel.send(:define_method, :require, @original)
          Kernel.send(:private, :require)
        end
      end
    end
  end
end
