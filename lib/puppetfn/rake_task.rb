# frozen_string_literal: true

require "rake"
require "rbconfig"

module Puppetfn
  # A task for Rakefiles that runs `puppetfn test`. It first installs the modules that the specs need: with the Rakefile's task for
  # that, or else with `puppetfn fixtures`.
  #
  #   require "puppetfn/rake_task"
  #   Puppetfn::RakeTask.new
  #   Puppetfn::RakeTask.new(:fast) { |task| task.arguments = %w[--parallel 4 spec/classes] }
  class RakeTask
    include Rake::DSL

    # The command of the same installation.
    COMMAND = File.expand_path("../../exe/puppetfn", __dir__)
    # The tasks of puppet_fixtures and puppetlabs_spec_helper that install modules.
    #
    # @api private
    PREPARATIONS = %w[fixtures:prep spec_prep].freeze
    private_constant :COMMAND

    # @api private
    # @return [Boolean] whether the working directory has a list of modules for `puppetfn fixtures`
    def self.fixtures?
      %w[.fixtures.yml .fixtures.yaml Puppetfile].any? { |name| ::File.exist?(name) }
    end

    # @return [Array<String>] the arguments of the command: its options, RSpec's options, and paths
    attr_accessor :arguments

    # @param name [Symbol, String] of the task
    # @yieldparam task [RakeTask] to give it arguments
    def initialize(name = :puppetfn)
      @arguments = []
      yield self if block_given?
      desc "Run the specs of the module without Puppet"
      task(name) { run }
    end

    private

    def run
      preparation = PREPARATIONS.find { |name| Rake::Task.task_defined?(name) }
      if preparation then Rake::Task[preparation].invoke
      elsif self.class.fixtures? then command("fixtures")
      end
      command("test", *@arguments)
    end

    def command(*arguments)
      sh(RbConfig.ruby, COMMAND, *arguments, verbose: false) do |succeeded, status|
        # The command has reported the failures.
        exit(status.exitstatus || 1) unless succeeded
      end
    end
  end
end
