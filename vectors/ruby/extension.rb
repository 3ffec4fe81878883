# frozen_string_literal: true

module Vectors
  # puppetfn as Ruby sees it.
  module Extension
    ROOT = File.expand_path("../..", __dir__)
    private_constant :ROOT

    # Brings the extension up to date and loads it.
    def self.load
      @load ||= begin
        system("rake", "--silent", "compile", chdir: ROOT) or abort "script/vectors: the extension could not be built"
        $LOAD_PATH.unshift(File.join(ROOT, "lib"))
        require "puppetfn"
        true
      end
    end
  end
end
