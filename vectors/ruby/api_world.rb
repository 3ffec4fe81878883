# frozen_string_literal: true

module Vectors
  # What a case of the function API can use, be it run by puppetfn or by Puppet.
  class ApiWorld
    attr_reader :scope, :loader

    def initialize(scope, loader)
      @scope = scope
      @loader = loader
    end

    def make(klass)
      klass.new(@scope, @loader)
    end

    def call(function, *args, &block)
      function = make(function) if function.is_a?(Class)
      function.call(@scope, *args, &block)
    end

    # What comes of a case, the way the cases say it.
    def outcome(ruby)
      {"result" => fresh_binding.eval(ruby, "case.rb", 1).inspect}
    rescue SystemExit, Interrupt, NoMemoryError
      raise
    rescue Exception => e # rubocop:disable Lint/RescueException
      {"error" => "#{e.class.name}: #{e.message}"}
    end

    private

    def fresh_binding
      binding
    end
  end
end
