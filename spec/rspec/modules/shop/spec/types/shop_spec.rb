# frozen_string_literal: true

require 'spec_helper'

describe 'a type of resources' do
  let(:type_class) { Puppet::Type.type(:file) }

  it { expect(type_class.parameters).to include(:path) }
end
