# frozen_string_literal: true

require 'spec_helper'

describe 'web.example.com' do
  let(:trusted_facts) { { 'role' => 'web' } }

  it { is_expected.to compile.with_all_deps }
  it { is_expected.to contain_class('bakery::oven') }
  it { is_expected.to contain_notify('hello web from site') }
  it { is_expected.to include_class('bakery::oven') }
end

describe 'db.example.com' do
  it { is_expected.to have_class_count(0) }
  it { is_expected.to contain_notify('hello') }
end
