# frozen_string_literal: true

require 'facter/util/bakery'

Facter.add(:bakery_flour) do
  confine kernel: :linux
  setcode do
    if Facter::Util::Resolution.which('mill')
      Facter::Util::Resolution.exec('mill --flour 2>&1')
    elsif Facter::Core::Execution.which('grinder')
      Facter::Util::Bakery.flour(Facter::Core::Execution.execute('grinder -v', on_fail: nil))
    end
  end
end

Facter.add(:bakery_flour) do
  confine 'os.family': 'Windows'
  setcode { 'imported' }
end

Facter.add('bakery_flour_kind') do
  confine(:bakery_flour) { |flour| flour.start_with?('rye') }
  setcode { 'dark' }
end

Facter.add('bakery_flour_kind') do
  has_weight 5
  confine { Facter.value(:bakery_flour) == 'oat' }
  setcode { :light }
end
