# frozen_string_literal: true

Facter.add(:bakery_ovens, type: :aggregate) do
  chunk(:sizes) { { big: { size: 9 }, 'small' => { 'size' => 2 } } }

  chunk(:heat, require: :sizes) do |sizes|
    sizes.to_h { |name, oven| [name, { heat: oven.values.first * 10 }] }
  end
end

Facter.add(:bakery_heat, type: :aggregate) do
  chunk(:first) { [1] }
  chunk(:second) { [2, 3] }
  aggregate { |chunks| chunks.values.flatten.sum }
end

Facter.add(:bakery_mixed, type: :aggregate) do
  chunk(:first) { 'x' }
  chunk(:second) { ['y'] }
end

Facter.add(:bakery_door) do
  setcode 'echo " open "'
end

Facter.add(:bakery_lamp) do
  setcode 'true'
end

Facter.add(:bakery_alarm) do
  setcode { raise 'smoke' }
end

Facter.add(:bakery_clock, timeout: 0.1) do
  setcode { sleep 5 }
end

Facter.add(:bakery_guest) do
  setcode { Object.new }
end
