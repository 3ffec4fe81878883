# frozen_string_literal: true

require "open3"
require "puppetfn"
require "rbconfig"
require_relative "../support/module_tree"

# Zeitwerk's naming rules, with collapsed folders.
RSpec.describe "the files of the library" do
  include ModuleTree

  root = File.expand_path("../../lib/puppetfn", __dir__)
  # Folders that are not namespaces.
  groups = %w[callables catalog environment evaluation libraries loading ral reporting values]

  def constant_of(file)
    file.delete_suffix(".rb").split("_").map(&:capitalize).join
  end

  groups.each do |group|
    Dir.children(File.join(root, group)).grep(/\.rb\z/).sort.each do |file|
      it "#{group}/#{file} has the constant that its name says" do
        name = constant_of(file)
        expect(Puppetfn.const_defined?(name, false)).to be(true), "Puppetfn::#{name} is not there"
        expect(File.read(File.join(root, group, file))).to match(/^  (?:class|module) #{name}\b|^  #{name} = /)
      end
    end
  end

  it "are where the constants are looked for" do
    looked_for = %W[#{root}.rb #{root}/extension.rb].flat_map do |file|
      File.read(file).scan(/autoload :(\w+), (?:"#\{library\}\/|File\.join\(__dir__, ")(\S+?)"/)
    end
    expect(looked_for.size).to be > 35
    expect(looked_for.reject { |_, file| File.file?("#{root}/#{file}.rb") }).to eq([])
    expect(looked_for.reject { |name, file| constant_of(File.basename(file)) == name }).to eq([])
  end

  it "are loaded once, whichever threads name their constants first" do
    program = <<~RUBY
      require "puppetfn"
      deferred = Puppetfn.constants(false).select { |name| Puppetfn.autoload?(name, false) }
      found = 8.times.map { |i| Thread.new { deferred.rotate(i).to_h { |name| [name, Puppetfn.const_get(name)] } } }.map(&:value)
      puts deferred.size, found.uniq.size, $LOADED_FEATURES.grep(%r{/puppetfn/}).tally.values.max
    RUBY
    output, status = Open3.capture2e(RbConfig.ruby, "-W1", "-I", File.dirname(root), "-e", program)
    expect(status).to be_success, output
    deferred, found, times = output.split.map(&:to_i)
    expect(deferred).to be > 10
    expect([found, times]).to eq([1, 1])
  end

  it "are loaded by functions that need them first, in threads with sandboxes of their own" do
    files = {
      "m/lib/puppet/functions/m/lent.rb" => <<~RUBY
        Puppet::Functions.create_function(:'m::lent', Puppet::Functions::InternalFunction) do
          dispatch(:lent) { scope_param }
          def lent(scope)
            scope.compiler.catalog.resource("Notify[a]").to_hash[:message] + Puppet::Type.type(:file).name.to_s
          end
        end
      RUBY
    }
    with_modules(files) do |modulepath|
      program = <<~RUBY
        require "puppetfn"
        threads = 4.times.map do
          Thread.new do
            runtime = Puppetfn::Runtime.new(modulepath: #{Array(modulepath).inspect}, node: "web1")
            runtime.evaluate_string("notify { 'a': message => 'hello ' } notify { 'b': message => m::lent() }")
            runtime.catalog.resource("Notify[b]")[:message]
          end
        end
        puts threads.map(&:value).uniq
      RUBY
      output, = Open3.capture2e(RbConfig.ruby, "-W1", "-I", File.dirname(root), "-e", program)
      expect(output).to eq("hello file\n")
    end
  end
end
