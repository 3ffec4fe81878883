# frozen_string_literal: true

require 'spec_helper'

describe 'Kiosk::Drink' do
  it { is_expected.to allow_values('tea') }
  it { is_expected.not_to allow_values('beer') }
end

describe 'Kiosk::Mode' do
  it { is_expected.to allow_value('open') }
end
