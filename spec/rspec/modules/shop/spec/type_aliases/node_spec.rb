# frozen_string_literal: true

require "spec_helper"

describe "Shop::Day" do
  let(:node_params) { {"holiday" => "Sunday"} }
  let(:trusted_external_data) { {"asset" => {"tag" => 7}} }
  let(:trusted_facts) { {"zone" => "eu"} }
  let(:pre_condition) do
    <<~PUPPET
      if $holiday != 'Sunday' { fail('no parameters') }
      if $trusted['external']['asset']['tag'] != 7 { fail('no external data') }
      if $trusted['extensions']['zone'] != 'eu' { fail('no trusted facts') }
    PUPPET
  end

  it { is_expected.to allow_value("monday") }
  it { is_expected.not_to allow_value("Someday") }
end
