# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      # Texts that document something.
      module Docs
        module_function

        # Takes from each line the indentation that all have in common, the first line aside, and the space at
        # its end.
        #
        # @param text [String]
        # @return [String]
        def scrub(text)
          return text.strip unless text.include?("\n")

          margin = text.lines.drop(1).grep(/\S/).map { |line| line[/\A[ \t]*/] }.min || ""
          text.gsub(/^#{margin}/, "").gsub(/[ \t]+$/, "")
        end
      end
    end
  end
end
