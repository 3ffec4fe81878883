# frozen_string_literal: true

require "puppetfn/rspec/installed"

Puppetfn::RSpec::Installed.require("facterdb") || require("puppetfn/rspec/facterdb")
