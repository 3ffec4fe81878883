# frozen_string_literal: true

require 'spec_helper'

# Types that are removed are loaded again.
describe Puppet::Type.type(:bakery_loaf) do
  before { Puppet::Type.rmtype(:bakery_loaf) }

  2.times do |round|
    it "is there again: #{round}" do
      expect(Puppet::Type.type(:bakery_loaf).new(name: 'rye').ref).to eq('Bakery_loaf[rye]')
    end
  end
end
