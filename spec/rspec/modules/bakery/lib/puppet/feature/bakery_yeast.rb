# frozen_string_literal: true

require 'puppet/util/feature'

Puppet.features.add(:bakery_yeast) { true }
