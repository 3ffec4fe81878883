# frozen_string_literal: true

desc "Write the Ruby API's documentation to doc/; a warning fails"
task :doc do
  sh "yard", "doc", "--quiet", "--fail-on-warning"
end
