# frozen_string_literal: true

require_relative "../support/differential"
require_relative "drop_in_answers/comparison"

# Each record is compiled with plain Puppet and with the drop-in: in a new environment, in the same one again, and in another.
# `script/verify drop-in-answers` does so with recorded answers.
RSpec.describe "Recorded programs, with and without the drop-in", :differential do
  records = Dir[File.join(__dir__, "drop_in_answers", "*.yaml")].flat_map { |file| Differential::AnswerRecord.read(file) }

  before(:all) do
    @results = Differential::DropInAnswers.open(ENV.fetch("PUPPET_LIB", nil)) do |comparison|
      records.to_h { |record| [record.id, comparison.result(record)] }
    end
  end

  records.each do |record|
    it "have the same catalog, log and error: #{record.id}" do
      result = @results.fetch(record.id)

      expect(result.difference).to be_nil
      expect(result.compiled_by).to eq(record.by.is_a?(Array) ? record.by : [record.by] * 3) if record.by
    end
  end

  it "differ where the drop-in answers otherwise" do
    record = Differential::AnswerRecord.new(id: "process", cause: "", opts: {}, files: {
      "site.pp" => "notify { m::f(): }", "modules/m/lib/puppet/functions/m/f.rb" =>
      "Puppet::Functions.create_function(:'m::f') { def f() = defined?(Puppetfn::DropIn) ? 'with' : 'without' }"
    })
    result = Differential::DropInAnswers.open(ENV.fetch("PUPPET_LIB", nil)) { |comparison| comparison.result(record) }

    expect(result.difference).to start_with("/0/catalog/resources/3/title: plain \"without\", with the drop-in \"with\"")
  end
end
