# frozen_string_literal: true

require "puppetfn/rspec/installed"

Puppetfn::RSpec::Installed.require("deep_merge") || require("puppetfn/rspec/deep_merge")
