# frozen_string_literal: true

require_relative "../support/stress"

RSpec.describe Puppetfn::Runtime, "shared by threads" do
  # PUPPETFN_SECONDS=600 PUPPETFN_SEED=7 rspec spec/unit/threads_spec.rb
  seconds = Float(ENV.fetch("PUPPETFN_SECONDS", "6"))
  seed = Integer(ENV.fetch("PUPPETFN_SEED", "1"))

  # In a process of its own: what is compacted, and what threads leave, is nothing for other specs.
  def outcome(seconds, seed)
    reader, writer = IO.pipe(binmode: true)
    process = fork do
      $stderr.reopen(File::NULL)
      writer.write(Marshal.dump(Stress.run(seconds: seconds, seed: seed)))
      exit!(true)
    ensure
      exit!(false)
    end
    writer.close
    said = reader.read
    status = Process.wait2(process).last
    expect(status).to be_success
    Marshal.load(said)
  end

  it "answers as ever while they are interrupted and killed, for #{seconds} seconds from seed #{seed} on" do
    found = outcome(seconds, seed)
    expect(found.wrong).to be_empty
    expect(found).to have_attributes(answers: be > 100, interruptions: be > 0)
  end
end
