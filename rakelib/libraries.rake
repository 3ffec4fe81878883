# frozen_string_literal: true

desc "Write which constants and methods of libraries a real Puppet has loaded to where the gem has them"
task :libraries do
  require_relative "libraries/table"
  table = LibraryTable.new(ENV.fetch("PUPPET_LIB", nil))
  hash = lambda do |owners|
    owners.map do |owner, names|
      entries = names.map { |name, feature| "#{name.match?(/\A\w+[?!]?\z/) ? "#{name}:" : "#{name.inspect}:"} #{feature.inspect}" }
      "      #{owner.inspect} => {\n#{entries.map { |entry| "        #{entry}" }.join(",\n")}\n      }"
    end.join(",\n")
  end
  File.write(File.expand_path("../lib/puppetfn/libraries/standard_library/names.rb", __dir__), <<~RUBY)
    # frozen_string_literal: true

    module Puppetfn
      module StandardLibrary
        # Constants that a real Puppet has loaded, by the module that has them, and the features to require for them.
        # `rake libraries` writes them.
        CONSTANTS = {
    #{hash.call(table.constants)}
        }.freeze

        # Methods that libraries add to Ruby's own modules, and the features to require for them. A dot after a module
        # marks its singleton class.
        METHODS = {
    #{hash.call(table.methods)}
        }.freeze
        private_constant :CONSTANTS, :METHODS
      end
    end
  RUBY
end
