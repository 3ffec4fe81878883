# frozen_string_literal: true

# Found in place of Puppet's own file by `require "puppet"`.
Puppetfn::Compat.puppet_required
