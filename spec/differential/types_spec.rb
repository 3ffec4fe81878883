# frozen_string_literal: true

require "json"
require "open3"
require_relative "../support/differential"
require_relative "../../vectors/ruby/modules"

# Types of resources: Puppet's own and those of modules, as real Puppet and puppetfn describe them.
RSpec.describe "Types of resources, compared with real Puppet", :differential do
  def self.answers_of(modulepath)
    before(:all) do
      @puppet, @puppetfn = Differential::SIDES.map do |side|
        program = File.join(Differential::DIRECTORY, "types_side", "#{side}.rb")
        output, errors, status = Open3.capture3({"PUPPETFN_MODULEPATH" => instance_exec(&modulepath)}, *Differential::RUBY, program)
        raise "#{side}: #{errors}" unless status.success?

        JSON.parse(output)
      end
      # Puppet 8 has resources of this type for devices, too, and more that providers of packages can do.
      [@puppet, @puppetfn].each do |answers|
        answers["resources"].delete("apply_to")
        answers["package"].delete("providers")
      end
    end
  end

  # Puppet loads all providers with a type, puppetfn when they are asked for: where one fails, Puppet has no type at all.
  failed_provider = /Could not autoload puppet\/provider\//

  shared_examples "types" do |least|
    it "are the same: attributes, values, features, providers, what titles say, errors" do
      names = @puppet.keys.reject { |name| failed_provider.match?(@puppet[name]["error"].to_s) }
      differing = names.reject { |name| @puppet[name] == @puppetfn[name] }

      expect(differing.to_h { |name| [name, @puppet[name].to_a - @puppetfn[name].to_a] }).to eq({})
      expect(names.size).to be > least
    end
  end

  describe "of Debian's modules" do
    answers_of(-> { Differential::MODULEPATH.join(File::PATH_SEPARATOR) })
    include_examples "types", 200

    it "are there where Puppet fails with a provider" do
      names = @puppet.keys.select { |name| failed_provider.match?(@puppet[name]["error"].to_s) }

      expect(names).not_to be_empty
      expect(names.map { |name| @puppetfn[name].fetch("error", "none") }).to all(eq("none"))
    end
  end

  describe "of published modules" do
    answers_of(-> { Vectors::Modules.published || skip(Vectors::External::MISSING) })
    include_examples "types", 50
  end
end
