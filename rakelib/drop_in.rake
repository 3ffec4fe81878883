# frozen_string_literal: true

namespace :drop_in do
  desc "Note the methods of the installed Puppet, or of one in PUPPET_LIB, that the drop-in takes over"
  task :learn do
    ruby "-I", "lib", *(["-I", ENV["PUPPET_LIB"]] if ENV["PUPPET_LIB"]), "-e", <<~RUBY
      ENV["PUPPETFN"] = "off"
      require "puppet"
      require "puppetfn/puppet"
      known = Puppetfn::DropIn::KNOWN_METHODS.transform_values(&:dup)
      Puppetfn::DropIn::PATCHES.flat_map(&:names).uniq.each do |name|
        digest = Puppetfn::DropIn::Fingerprint.of(name) or abort("no source of \#{name}")
        known[name] = (known.fetch(name, []) | [digest])
      end
      lines = known.sort.map { |name, digests| "      \#{name.inspect} => %w[\#{digests.sort.join(" ")}]" }
      File.write("lib/puppetfn/drop_in/known_methods.rb", <<~FILE)
        # frozen_string_literal: true

        module Puppetfn
          module DropIn
            # Digests of the methods that are taken over, in the versions of Puppet that they are known of.
            # `rake drop_in:learn` adds those of the installed one.
            KNOWN_METHODS = {
        \#{lines.join(",\\n")}
            }.freeze
          end
        end
      FILE
    RUBY
  end
end
