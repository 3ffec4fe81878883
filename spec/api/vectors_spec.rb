# frozen_string_literal: true

require "json"
require "yaml"
require_relative "../support/api_prelude"

vectors = File.expand_path("../vectors/api", __dir__)
reasons = YAML.safe_load_file(File.join(vectors, "exceptions.yml"))
  .flat_map { |reason, ids| ids.map { |id| [id, reason] } }.to_h

RSpec.describe "The function API" do
  ids = []

  Dir.glob(File.join(vectors, "*.jsonl")).sort.each do |file|
    describe File.basename(file, ".jsonl") do
      File.foreach(file, encoding: "UTF-8") do |line|
        vector = JSON.parse(line)
        ids << vector["id"]

        it vector["id"] do
          pending reasons[vector["id"]] if reasons.key?(vector["id"])
          expect(ApiPrelude.run(vector["ruby"])).to eq(vector.slice("result", "error", "logs"))
        end
      end
    end
  end

  it "has a case for each exception" do
    expect(reasons.keys - ids).to be_empty
  end
end
