# frozen_string_literal: true

require 'spec_helper'

# Types stay loaded. Then a defined type of the same name is no second definition, and has no effect.
describe 'bakery' do
  context 'with a loaf' do
    let(:pre_condition) { "bakery_loaf { 'first': }" }

    it { is_expected.to contain_bakery_loaf('first') }
  end

  context 'with a defined type of this name' do
    let(:pre_condition) { "define bakery_loaf($grain) { } bakery_loaf { 'second': grain => 'rye' }" }

    it { is_expected.to compile.and_raise_error(%r{no parameter named 'grain'}) }
    it { is_expected.not_to compile }
  end
end
