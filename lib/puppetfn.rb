# frozen_string_literal: true

require "rbconfig"

# `rake compile` builds the first of these, RubyGems the second, RubyGems before 3.4.6 the third.
extension = %w[puppetfn/puppetfn puppetfn/puppetfn_ext puppetfn]
  .map { |name| File.join(__dir__, "#{name}.#{RbConfig::CONFIG["DLEXT"]}") }
  .find { |path| File.file?(path) }

unless extension
  root = File.dirname(__dir__)
  remedy =
    if File.file?(File.join(root, "Rakefile"))
      "run `rake compile` (on a new machine `script/setup` first) in #{root}"
    else
      "run `gem pristine puppetfn`"
    end
  raise LoadError, "the native extension of puppetfn is not built; #{remedy}"
end

require extension

# The parts that are written in Ruby.
require_relative "puppetfn/namespace"
require_relative "puppetfn/errors"
require_relative "puppetfn/logs"
require_relative "puppetfn/diagnostic"
require_relative "puppetfn/environment"
require_relative "puppetfn/settings"
require_relative "puppetfn/legacy_functions"
require_relative "puppetfn/legacy_functions/puppets_own"
require_relative "puppetfn/functions/translation"
require_relative "puppetfn/scope"
require_relative "puppetfn/injector"
require_relative "puppetfn/catalog"
require_relative "puppetfn/compiler"
require_relative "puppetfn/loader"
require_relative "puppetfn/function_signature"
require_relative "puppetfn/code_function"
require_relative "puppetfn/runtime"
require_relative "puppetfn/values/immutable"
require_relative "puppetfn/values/object"
require_relative "puppetfn/compat"
require_relative "puppetfn/closure"
require_relative "puppetfn/functions"
require_relative "puppetfn/functions/injection"
require_relative "puppetfn/functions/function"
require_relative "puppetfn/functions/function_3x"
require_relative "puppetfn/functions/dispatcher_builder"
require_relative "puppetfn/functions/local_types"
require_relative "puppetfn/standard_library"
require_relative "puppetfn/sandbox"
require_relative "puppetfn/definition_file"
require_relative "puppetfn/function_loader"
require_relative "puppetfn/legacy_function_loader"
require_relative "puppetfn/data_type_loader"
require_relative "puppetfn/libraries"
require_relative "puppetfn/doc"
