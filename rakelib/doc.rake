# frozen_string_literal: true

desc "Write the page about the Ruby API, docs/api.md"
task reference: :compile do
  ruby "-I", "lib", "docs/reference.rb"
end

desc "Write the Ruby API's documentation to doc/; a warning fails"
task :doc do
  sh "yard", "doc", "--quiet", "--fail-on-warning"
end
