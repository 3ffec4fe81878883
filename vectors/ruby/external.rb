# frozen_string_literal: true

module Vectors
  # Recorded cases of published modules. The modules are the work of others, so both are kept outside the repository.
  module External
    # The environment variable with the directory.
    VARIABLE = "PUPPETFN_VECTORS"
    # The directory without the variable: beside the checkout.
    DEFAULT = File.expand_path("../../../shared/vectors", __dir__)
    # Says why specs and cases of published modules are left out.
    MISSING = "published modules are not in the repository: #{VARIABLE} names no directory with them, and there is no ../shared/vectors".freeze

    # @return [String, nil] the directory, nil if there is none
    # @raise [RuntimeError] if the variable names something else
    def self.directory(environment = ENV, default: DEFAULT)
      named = environment[VARIABLE].to_s
      return (default if File.directory?(default)) if named.empty?
      raise "#{VARIABLE}: #{named} is not a directory" unless File.directory?(named)

      File.expand_path(named)
    end

    # @param parts [Array<String>] names below the directory
    # @return [String, nil] the path, nil if there is no such file
    def self.path(*parts)
      path = directory && File.join(directory, *parts)
      path if path && File.exist?(path)
    end
  end
end
