# frozen_string_literal: true

desc "Write the descriptions of Puppet's own resource types to the core's file"
task :puppet_types do
  sh({"PUPPETFN_WRITE" => "1"}, "cargo", "test", "--locked", "--package", "puppetfn-ruby", "own_types")
end
