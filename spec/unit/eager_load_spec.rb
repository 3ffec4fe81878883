# frozen_string_literal: true

require "open3"
require "rbconfig"

RSpec.describe Puppetfn, ".eager_load!" do
  # Which constants would be loaded when they are named, in a process of its own.
  def left_to_load(code)
    program = <<~RUBY
      require "puppetfn"
      #{code}
      modules = ObjectSpace.each_object(Module).select { |owner| owner.name&.match?(/\\APuppet(?:fn)?(?:::|\\z)/) }
      puts modules.flat_map { |owner| owner.constants(false).select { |name| owner.autoload?(name, false) } }
      puts %i[JSON YAML OpenSSL].select { |name| Object.autoload?(name) }
    RUBY
    output, status = Open3.capture2e(RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), "-e", program)
    expect(status).to be_success, output
    output.split
  end

  it "loads what is otherwise loaded when it is first named" do
    published = "Puppetfn::StandardLibrary.publish"
    expect(left_to_load(published)).to include("CodeFunction", "Confine", "OpenSSL")
    expect(left_to_load("2.times { Puppetfn.eager_load! }; #{published}")).to be_empty
  end
end
