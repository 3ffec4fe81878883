# frozen_string_literal: true

require 'spec_helper'
require 'facter'

# Files of facts are found although nothing else may be asked for than the example expects.
describe 'bakery_cellar' do
  before do
    Facter.clear
    $LOAD_PATH.push('/srv/nowhere')
  end

  after { $LOAD_PATH.delete('/srv/nowhere') }

  [true, false].each do |there|
    it "is cold: #{there}" do
      allow(File).to receive(:exist?).with('/srv/cellar').and_return(there)
      expect(Facter.fact(:bakery_cellar).value).to eq(there ? 'cold' : nil)
    end
  end
end
