# frozen_string_literal: true

module Puppetfn
  class Runtime
    # @return [LegacyFunctions] the functions of the 3.x API that were loaded or defined
    def legacy_functions
      @legacy_functions || loader.synchronize { @legacy_functions ||= LegacyFunctions.new(self) }
    end

    # Returns the files that define functions of the 3.x API.
    #
    # @api private
    # @return [Hash{String=>String}] by the names of the functions
    def legacy_function_files
      loader.legacy_functions
    end
  end
end
