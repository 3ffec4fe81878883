# frozen_string_literal: true

# Functions that are defined in the spec that calls them.
RSpec.shared_context "with functions" do
  let(:runtime) { Puppetfn::Runtime.new }
  let(:loader) { runtime.loader }

  # The class of a function.
  def define(name, base = Puppet::Functions::Function, &block)
    Puppet::Functions.create_loaded_function(name, loader, base, &block)
  end

  # The function of a class.
  def make(function)
    function.new(runtime.scope, loader)
  end

  # Calls the function of a class, as a caller in the top scope does.
  def call(function, *args, &block)
    runtime.activate { make(function).call(runtime.scope, *args, &block) }
  end
end
