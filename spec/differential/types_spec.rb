# frozen_string_literal: true

require "json"
require "open3"
require_relative "../support/differential"

# Types of resources: Puppet's own and those of modules, as real Puppet and puppetfn describe them.
RSpec.describe "Types of resources, compared with real Puppet", :differential do
  before(:all) do
    @puppet, @puppetfn = Differential::SIDES.map do |side|
      output, errors, status = Open3.capture3(*Differential::RUBY, File.join(Differential::DIRECTORY, "types_side", "#{side}.rb"))
      raise "#{side}: #{errors}" unless status.success?

      JSON.parse(output)
    end
  end

  # Puppet loads all providers with a type, puppetfn when they are asked for: where one fails, Puppet has no type at all.
  failed_provider = /Could not autoload puppet\/provider\//

  it "are the same: attributes, values, features, what titles say, errors" do
    # Puppet 8 has resources of this type for devices, too.
    [@puppet, @puppetfn].each { |answers| answers["resources"].delete("apply_to") }
    names = @puppet.keys.reject { |name| failed_provider.match?(@puppet[name]["error"].to_s) }
    differing = names.reject { |name| @puppet[name] == @puppetfn[name] }

    expect(differing.to_h { |name| [name, @puppet[name].to_a - @puppetfn[name].to_a] }).to eq({})
    expect(names.size).to be > 200
  end

  it "are there where Puppet fails with a provider" do
    names = @puppet.keys.select { |name| failed_provider.match?(@puppet[name]["error"].to_s) }

    expect(names).not_to be_empty
    expect(names.map { |name| @puppetfn[name].fetch("error", "none") }).to all(eq("none"))
  end
end
