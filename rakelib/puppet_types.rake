# frozen_string_literal: true

desc "Write what Puppet's own resource types say of themselves to where the core has it"
task :puppet_types do
  sh({"PUPPETFN_WRITE" => "1"}, "cargo", "test", "--locked", "--package", "puppetfn-ruby", "own_types")
end
