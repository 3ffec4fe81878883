# frozen_string_literal: true

require "json"
require "open3"
require_relative "../support/differential"

# Each manifest of catalogs.pp.txt is compiled by real Puppet and by puppetfn, in one process each.
RSpec.describe "Catalogs, compared with real Puppet", :differential do
  manifests = File.read(File.join(Differential::DIRECTORY, "catalogs.pp.txt"), encoding: "UTF-8")
    .sub(/\A#.*\n/, "").split(/^-+\n/)

  before(:all) do
    @puppet, @puppetfn = Differential::SIDES.map do |side|
      file = File.join(Differential::DIRECTORY, "catalog_side", "#{side}.rb")
      output, errors, status = Open3.capture3(*Differential::RUBY, file)
      raise "#{side}: #{errors}" unless status.success?

      JSON.parse(output)
    end
  end

  manifests.each_with_index do |manifest, index|
    it "has the same resources, parameters, tags, edges and errors: #{manifest.lines.first.chomp}" do
      expect(@puppetfn[index]).to eq(@puppet[index])
    end
  end

  it "is about catalogs and errors" do
    failed = @puppet.count { |answer| answer.key?("error") }
    expect([failed, @puppet.size - failed]).to eq([9, manifests.size - 9])
  end
end
