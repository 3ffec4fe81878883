# frozen_string_literal: true

require 'spec_helper'

describe 'facts of ovens', type: :fact do
  before { Facter.clear }
  after { Facter.clear }

  it { expect(Facter.value(:bakery_ovens)).to eq('big' => { 'size' => 9, 'heat' => 90 }, 'small' => { 'size' => 2, 'heat' => 20 }) }
  it { expect(Facter.value('bakery_ovens.small.heat')).to eq(20) }
  it { expect(Facter.fact('bakery_ovens.tiny')).to be_nil }
  it { expect(Facter.fact('bakery_ovens.big.size.unit')).to be_nil }
  it { expect(Facter[:bakery_ovens].value.keys).to eq(%w[big small]) }

  context 'with their file' do
    before { Facter.value(:bakery_ovens) }

    it { expect(Facter.value(:bakery_heat)).to eq(6) }
    it { expect(Facter.value(:bakery_mixed)).to be_nil }
    it { expect(Facter.value(:bakery_door)).to eq('open') }
    it { expect(Facter.fact(:bakery_lamp).value).to be_nil }
    it { expect(Facter.fact(:bakery_alarm).value).to be_nil }
    it { expect(Facter.value(:bakery_clock)).to be_nil }
    it { expect(Facter.value(:bakery_guest)).to be_nil }
    it { expect(Facter.to_hash).to include('bakery_heat' => 6, 'bakery_door' => 'open') }
    it { expect(Facter.to_hash).not_to include('bakery_lamp') }
    it { expect(Facter.list).to include('bakery_ovens', 'kernel') }
  end

  it('is in a file that is named otherwise') { expect(Facter.value(:bakery_heat)).to eq(6) }
end

describe 'Facter' do
  before { Facter.clear }
  after { Facter.clear }

  it { expect(Facter.fact(:bakery_nothing)).to be_nil }
  it { expect(Facter.value(:bakery_nothing)).to be_nil }
  it { expect(Facter.fact(:kernel).value).to eq(Facter.value('kernel')) }
  it { expect(Facter.value('os.family')).to eq(Facter.value(:os)['family']) }
  it { expect(Facter.fact(:interfaces)).not_to be_nil }
  it { expect(Facter.fact('os.nonsense')).to be_nil }
  it('remains the same') { expect(Facter.fact(:kernel).equal?(Facter.fact('Kernel'))).to be(true) }
  it { expect(Facter.version).to be_a(String) }

  it 'takes the weightiest value that there is' do
    Facter.add(:bakery_bread) { setcode { 'first' } }
    Facter.add(:bakery_bread) { setcode { 'second' } }
    Facter.add(:bakery_bread, weight: 1) { setcode { 'third' } }
    Facter.add(:bakery_bread) do
      has_weight 2
      setcode { nil }
    end
    Facter.add(:bakery_bread) do
      confine kernel: 'NoSuchKernel'
      confine kernel: 'NoSuchKernelEither'
      setcode { 'fifth' }
    end
    expect(Facter.value(:bakery_bread)).to eq('third')
  end

  it 'takes the first of equals' do
    Facter.add(:bakery_bread) { setcode { 'first' } }
    Facter.add(:bakery_bread) { setcode { 'second' } }
    expect(Facter.value(:bakery_bread)).to eq('first')
  end

  it 'does not ask again after a fact was added to' do
    Facter.add(:bakery_bread) { setcode { 'first' } }
    Facter.value(:bakery_bread)
    Facter.add(:bakery_bread, weight: 9) { setcode { 'second' } }
    expect(Facter.value(:bakery_bread)).to eq('first')
  end

  it 'prefers its own facts to what has no weight' do
    Facter.add(:kernel) { setcode { 'custom' } }
    expect(Facter.value(:kernel)).not_to eq('custom')
  end

  it 'lets its own facts be replaced' do
    Facter.add(:kernel, weight: 1) { setcode { 'custom' } }
    expect(Facter.value(:kernel)).to eq('custom')
  end

  it 'knows names of resolutions' do
    fact = Facter.define_fact(:bakery_bread) do
      define_resolution('white') { setcode { 'w' } }
    end
    expect(fact.resolution('white')).not_to be_nil
    expect(fact.resolution('black')).to be_nil
    expect(Facter.value(:bakery_bread)).to eq('w')
  end

  it 'says what went wrong' do
    expect(Facter).to receive(:log_exception).with(StandardError, %r{bakery_bread.*smoke})
    Facter.add(:bakery_bread) { setcode { raise 'smoke' } }
    expect(Facter.value(:bakery_bread)).to be_nil
  end

  it { expect(Facter::Core::Execution.execute('echo " a  b "')).to eq('a  b') }
  it { expect(Facter::Core::Execution.execute('"echo" a', timeout: 9)).to eq('a') }
  it { expect(Facter::Core::Execution.execute('no-such-program -v', on_fail: :nothing)).to eq(:nothing) }
  it { expect(Facter::Core::Execution.exec('no-such-program')).to be_nil }
  it { expect(Facter::Core::Execution.which('no-such-program')).to be_nil }
  it { expect(Facter::Core::Execution.which('/bin/sh')).to eq('/bin/sh') }
  it { expect(Facter::Util::Resolution.exec('echo a')).to eq('a') }
  it { expect(Facter::Core::Execution.with_env('BAKERY' => 'x') { ENV.fetch('BAKERY') }).to eq('x') }

  it do
    expect { Facter::Core::Execution.execute('no-such-program -v') }
      .to raise_error(Facter::Core::Execution::ExecutionFailure, "Could not execute 'no-such-program -v': command not found")
  end
end
