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

  it "needs not be called to have a constant of Puppet's" do
    names = <<~RUBY
      require "puppetfn"
      Puppetfn.eager_load!
      modules = ObjectSpace.each_object(Module).select { |owner| owner.name&.match?(/\\APuppet(?:::|\\z)/) }
      puts modules.flat_map { |owner| owner.constants(false).map { |name| "\#{owner.name}::\#{name}" } }
    RUBY
    library = ["-I", File.expand_path("../../lib", __dir__)]
    loaded = IO.popen([RbConfig.ruby, *library, "-e", names], &:read).split
    expect(loaded).to include("Puppet::Pops::Types::TypeFactory", "Puppet::Pops::Serialization::FromDataConverter")
    named = 'require "puppetfn"; ARGF.each_line(chomp: true) { |name| Object.const_get(name) rescue puts("#{name}: #{$!.message}") }'
    expect(Open3.capture2e(RbConfig.ruby, *library, "-e", named, stdin_data: loaded.sort.join("\n")).first).to eq("")
  end

  # Ruby 3.1 does not survive threads that are killed while they load a file.
  it "leaves no file of Ruby's own to be loaded when functions are called" do
    program = <<~RUBY
      require "puppetfn"
      Puppetfn.eager_load!
      loaded = $LOADED_FEATURES.dup
      Puppetfn::Runtime.new(modulepath: ["/usr/share/puppet/modules"]).call_function("stdlib::extname", "a.b")
      puts ($LOADED_FEATURES - loaded)
    RUBY
    expect(IO.popen([RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), "-e", program], &:read)).to eq("")
  end
end
