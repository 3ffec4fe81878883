# frozen_string_literal: true

require "puppetfn"

puts "puppetfn #{Puppetfn::VERSION}"
