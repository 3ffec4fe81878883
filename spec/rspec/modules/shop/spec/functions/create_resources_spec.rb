# frozen_string_literal: true

require "spec_helper"

describe "create_resources" do
  it { is_expected.to run.with_params("notify", {"open" => {"message" => "we are open"}}) }
  it { is_expected.to run.with_params("nothing", {"a" => {}}).and_raise_error(ArgumentError, "Unknown resource type: 'nothing'") }
  it { is_expected.not_to run.with_params("nothing", {"a" => {}}).and_raise_error(Puppet::ParseError) }
end
