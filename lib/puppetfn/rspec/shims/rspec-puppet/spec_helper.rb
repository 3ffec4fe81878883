# frozen_string_literal: true

require "rspec-puppet"

RSpec.configure do |config|
  spec = File.join(Dir.pwd, "spec")
  config.module_path = File.join(spec, "fixtures", "modules")
  config.manifest = File.join(spec, "fixtures", "manifests", "site.pp")
  config.environmentpath = spec
end
