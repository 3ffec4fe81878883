# frozen_string_literal: true

Facter.add(:bakery_cellar) do
  setcode { 'cold' if File.exist?('/srv/cellar') }
end
