# frozen_string_literal: true

module Puppetfn
  module Puppet
    # Whether the run is to stop or to start again, which providers ask for and specs expect of them. There are no applications.
    class Application
      extend StandIn

      class << self
        # @return [Symbol, nil] `:stop_requested` or `:restart_requested`
        attr_accessor :run_status

        # @return [void]
        def clear!
          self.run_status = nil
        end

        # @return [void]
        def stop!
          self.run_status = :stop_requested
        end

        # @return [void]
        def restart!
          self.run_status = :restart_requested
        end

        # @return [Boolean]
        def stop_requested?
          run_status == :stop_requested
        end

        # @return [Boolean]
        def restart_requested?
          run_status == :restart_requested
        end

        # @return [Boolean]
        def interrupted?
          stop_requested? || restart_requested?
        end

        # @return [Boolean]
        def clear?
          run_status.nil?
        end

        # @yieldreturn [Object]
        # @return [Object] what the block returns, nil where the run is to end
        def controlled_run
          yield if clear?
        end
      end
    end
  end
end
