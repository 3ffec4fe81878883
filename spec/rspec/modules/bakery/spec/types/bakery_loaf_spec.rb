# frozen_string_literal: true

require 'spec_helper'

describe 'bakery_loaf' do
  let(:title) { 'rye' }

  it { is_expected.to be_valid_type }
  it { is_expected.not_to be_valid_type }
  it { is_expected.to be_valid_type.with_provider(:yeast) }
  it { is_expected.to be_valid_type.with_provider(:sourdough) }
  it { is_expected.to be_valid_type.with_parameters(%w[count shape]).with_parameters('topping') }
  it { is_expected.to be_valid_type.with_parameters('weight') }
  it { is_expected.to be_valid_type.with_properties('count') }
  it { is_expected.to be_valid_type.with_features(:slices) }
  it { is_expected.to be_valid_type.with_features('baked') }
  it { is_expected.to be_valid_type.with_set_attributes(count: 5) }
  it { is_expected.to be_valid_type.with_set_attributes(count: 5000) }
  it { expect { is_expected.to be_valid_type.with_set_attributes(count: 5000) }.to raise_error(Puppet::Error, /too many/) }

  context 'with parameters' do
    let(:params) { { count: 5000 } }

    it { is_expected.to be_valid_type.with_set_attributes(shape: 'round') }
    it { is_expected.to be_valid_type.with_defaults(count: 1) }
  end
end

describe 'file', type: :type do
  let(:title) { '/etc/bakery' }

  it { is_expected.to be_valid_type.with_properties(%i[ensure owner group mode content]) }
  it { is_expected.to be_valid_type.with_set_attributes(mode: '0644') }
  it { is_expected.to be_valid_type.with_set_attributes(mode: 'x') }
end
