# frozen_string_literal: true

require 'spec_helper'

describe 'shop::price' do
  it { is_expected.to run.with_params(5).and_return(6.0) }
end

describe 'shop', type: :application do
  it { is_expected.to be_nil }
end
