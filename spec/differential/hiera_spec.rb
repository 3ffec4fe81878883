# frozen_string_literal: true

require_relative "../support/differential"
require_relative "hiera_questions"

RSpec.describe "Data by keys, compared with real Puppet", :differential do
  deviations = YAML.load_file(File.join(Differential::DIRECTORY, "hiera_deviations.yaml"))

  # The answers of both sides to all questions, which are asked once.
  asked = nil
  let(:answers) do
    asked ||= Dir.mktmpdir do |dir|
      questions = Differential::HieraQuestions.all.values.flatten(1)
      File.write(File.join(dir, "questions"), questions.map { |question| "#{JSON.generate(question)}\n" }.join)
      sides = Differential::SIDES.map do |side|
        Thread.new do
          file = File.join(dir, side)
          Differential.execute("hiera_runner.rb", side, File.join(dir, "questions"), file) { |log| raise "#{side}: #{log}" }
          File.readlines(file).map { |line| JSON.parse(line) }
        end
      end
      questions.zip(*sides.map(&:value)).to_h { |question, *both| [question, both] }
    end
  end

  def differing(questions)
    questions.select { |question| answers.fetch(question).uniq.size > 1 }
  end

  it "has sixty keys in three layers" do
    expect(Differential::HieraQuestions.keys.size).to be >= 60
  end

  Differential::HieraQuestions.all.each do |topic, questions|
    it "agree on #{topic}" do
      differing = differing(questions) - deviations.keys
      expect(differing.map { |question| [question.inspect, *answers.fetch(question)].join("\n  ") }).to eq([])
    end
  end

  it "have no deviations that are not needed" do
    needed = deviations.reject { |_, reason| reason.include?("Puppet 7") && !Differential.puppet7? }
    expect(needed.keys - differing(answers.keys)).to eq([])
  end
end
