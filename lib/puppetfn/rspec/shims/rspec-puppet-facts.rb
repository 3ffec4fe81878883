# frozen_string_literal: true

require "puppetfn/rspec/installed"

Puppetfn::RSpec::Installed.require("rspec-puppet-facts") || require("puppetfn/rspec/rspec_puppet_facts")
