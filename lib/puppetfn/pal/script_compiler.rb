# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Pal
      # A compiler for scripts, in which no resources are declared.
      #
      # Its plans and tasks belong to Bolt, which is missing: access to one is an error that says so.
      class ScriptCompiler < Compiler
        # @raise [UnavailableError] always
        def plan_signature(_plan_name)
          unavailable("plan_signature", "Plans")
        end

        # @raise [UnavailableError] always
        def list_plans(_filter_regex = nil, _error_collector = nil)
          unavailable("list_plans", "Plans")
        end

        # @raise [UnavailableError] always
        def task_signature(_task_name)
          unavailable("task_signature", "Tasks")
        end

        # @raise [UnavailableError] always
        def list_tasks(_filter_regex = nil, _error_collector = nil)
          unavailable("list_tasks", "Tasks")
        end

        private

        def unavailable(method, what)
          raise UnavailableError.new("Puppet::Pal::ScriptCompiler##{method}", "#{what} need Bolt and Puppet.")
        end
      end
    end
  end
end
