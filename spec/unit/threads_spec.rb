# frozen_string_literal: true

require "tempfile"

require_relative "../support/stress"

RSpec.describe Puppetfn::Runtime, "shared by threads" do
  # PUPPETFN_SECONDS=600 PUPPETFN_SEED=7 rspec spec/unit/threads_spec.rb
  seconds = Float(ENV.fetch("PUPPETFN_SECONDS", "6"))
  seed = Integer(ENV.fetch("PUPPETFN_SEED", "1"))

  # In a process of its own: what is compacted, and what threads leave, is nothing for other specs.
  def outcome(seconds, seed)
    Tempfile.create("errors") do |errors|
      reader, writer = IO.pipe(binmode: true)
      process = fork do
        $stderr.reopen(errors)
        writer.write(Marshal.dump(Stress.run(seconds: seconds, seed: seed)))
        exit!(true)
      ensure
        exit!(false)
      end
      writer.close
      said = reader.read
      status = Process.wait2(process).last
      expect(status).to be_success, -> { "#{status}\n#{File.read(errors)}" }
      Marshal.load(said)
    end
  end

  it "answers as ever while they are interrupted and killed, for #{seconds} seconds from seed #{seed} on" do
    found = outcome(seconds, seed)
    expect(found.wrong).to be_empty
    expect(found).to have_attributes(answers: be > 100, interruptions: be > 0)
  end

  it "lets a thread end wherever that finds it" do
    deadly = Class.new(StandardError) do
      def message = Thread.current.kill
    end
    thread = Thread.new do
      described_class.new.call_function("map", [1]) { |_| raise deadly }
    rescue deadly
      :survived
    end
    expect(thread.value).to be_nil
    expect(thread.status).to be(false)
  end

  it "lets an exception through that comes wherever Ruby is asked something" do
    urgent = Class.new(Exception) # rubocop:disable Lint/InheritException
    untold = Class.new(StandardError) { define_method(:message) { raise urgent } }
    expect { described_class.new.call_function("map", [1]) { |_| raise untold } }.to raise_error(urgent)
  end
end
