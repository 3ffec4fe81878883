# frozen_string_literal: true

require "puppetfn/rspec"
