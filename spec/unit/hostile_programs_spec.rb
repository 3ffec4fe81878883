# frozen_string_literal: true

require "open3"
require "rbconfig"
require_relative "../support/hostile"

RSpec.describe Hostile do
  # PUPPETFN_PROGRAMS=2000 PUPPETFN_SEED=1000 rspec spec/unit/hostile_programs_spec.rb
  count = Integer(ENV.fetch("PUPPETFN_PROGRAMS", "60"))
  seed = Integer(ENV.fetch("PUPPETFN_SEED", "1"))

  it "ends with an answer or a clear error: #{count} programs from number #{seed} on", :memory do
    # From a process that has little memory of its own, which that of the specs has not.
    said, status = Open3.capture2e(RbConfig.ruby, File.expand_path("../../script/verifiers/resource-limits", __dir__), count.to_s, seed.to_s)
    expect(said).to match(/^#{count} programs from number #{seed} on: [1-9]\d* answers, [1-9]\d* errors, 0 others$/)
    expect(said).to match(/^limits: .*\d+ limit 'memory'/)
    expect(status).to be_success
  end

  it "tells what ends otherwise", :memory do
    program = ->(code) { Hostile::Program.new(0, code, {}) }
    killed = program.("function environment::f() { 1 }")
    allow(Puppetfn::Runtime).to receive(:new) { Process.kill(:KILL, Process.pid) }
    expect(Hostile::Run.outcome(killed)).to have_attributes(good: false, how: /the process ended: .*SIGKILL/)
    allow(Puppetfn::Runtime).to receive(:new).and_raise(NoMemoryError, "failed to allocate memory")
    expect(Hostile::Run.outcome(killed)).to have_attributes(good: false, how: "raised NoMemoryError: failed to allocate memory")
  end

  it "draws the same program for the same number" do
    expect(Hostile::Draw.program(seed)).to eq(Hostile::Draw.program(seed))
  end
end
