# frozen_string_literal: true

require 'puppet/network/http_pool'

Puppet::Type.type(:bakery_loaf).provide(:yeast) do
  confine feature: :bakery_yeast
  confine true: -> { get_env('PATH').include?('/') }

  mk_resource_methods
end
