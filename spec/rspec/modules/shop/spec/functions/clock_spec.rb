# frozen_string_literal: true

require "spec_helper"

# The clock of Ruby is that of functions in any language.
describe "shop::today" do
  before { allow(Time).to receive(:now).and_return(Time.at(1_160_727_311)) }

  it { is_expected.to run.and_return("2006-10-13") }
  it { expect(call_function("strftime", "%s")).to eq("1160727311") }
end
