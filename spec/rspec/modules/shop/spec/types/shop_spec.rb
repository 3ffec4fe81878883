# frozen_string_literal: true

require 'spec_helper'

describe 'shop' do
  it { is_expected.to be_valid_type }
end
