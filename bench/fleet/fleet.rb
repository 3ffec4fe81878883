# frozen_string_literal: true

require "json"
require "rbconfig"

module FleetBench
  # A made repository (make.rb) of a few nodes.
  class Fleet
    # @return [String] the directory of the repository
    attr_reader :repository
    # @return [Hash{String=>Hash}] facts by node
    attr_reader :facts

    # Makes the repository.
    #
    # @param directory [String] a new directory
    # @param nodes [Integer]
    def initialize(directory, nodes)
      system(RbConfig.ruby, File.join(__dir__, "make.rb"), directory, nodes.to_s, out: File::NULL, exception: true)
      @repository = File.join(directory, "repository")
      @facts = Dir.glob("#{directory}/facts/*.json").sort.to_h { |path| [File.basename(path, ".json"), JSON.parse(File.read(path))] }
    end
  end
end
