# frozen_string_literal: true

require "puppetfn/rspec/installed"

Puppetfn::RSpec::Installed.require("simp/rspec-puppet-facts", "simp-rspec-puppet-facts") || require("puppetfn/rspec/simp_facts")
