# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"
require_relative "../support/differential"

RSpec.describe "The libraries that Puppet has loaded", :differential do
  # Names that Puppet 7 and 8, and Facter, define for their own use.
  internal = {
    "constants" => %w[DOT Facts LegacyFacter LoggerHelper OsDetector PSON RDoc],
    "methods" => %w[PSON daemonize load_dir pson_create pson_creatable? to_pson to_pson_raw to_pson_raw_object]
  }

  def puppet
    @puppet ||= JSON.parse(run(File.expand_path("libraries/probe.rb", __dir__), "--puppet"))
  end

  # Names by the module, or with a dot its singleton class, that has them.
  def names(kind)
    puppet[kind].to_h { |owner, names| [owner, names.is_a?(Hash) ? names.keys : names] }
  end

  # Which of the names a template cannot use, in a process that has rendered one template.
  def missing(kind, question)
    JSON.parse(run("-I", File.expand_path("../../lib", __dir__), "-e", <<~RUBY, JSON.generate(names(kind))))
      require "puppetfn"
      names = ARGV.fetch(0)
      Puppetfn::Runtime.new.call_function("inline_template", "<%= 1 %>")
      require "json"
      wrapper = Puppetfn::Puppet::Parser::TemplateWrapper
      missing = JSON.parse(names).flat_map do |owner, names|
        mod = Object.const_get(owner.delete_suffix("."))
        mod = mod.singleton_class if owner.end_with?(".")
        names.reject { |name| #{question} }
      end
      puts JSON.generate(missing)
    RUBY
  end

  def run(*arguments)
    output, errors, status = Open3.capture3(RbConfig.ruby, "-W0", *arguments)
    raise errors unless status.success?

    output
  end

  it "are there in templates, with all constants" do
    expect(missing("constants", "mod.const_defined?(name) || wrapper.const_defined?(name)") - internal["constants"]).to be_empty
  end

  it "are there in templates, with all methods that they add to Ruby's own classes" do
    expect(missing("methods", "mod.method_defined?(name) || mod.private_method_defined?(name)") - internal["methods"]).to be_empty
  end
end
