# frozen_string_literal: true

require "puppetfn/rspec/rspec_puppet_facts"
