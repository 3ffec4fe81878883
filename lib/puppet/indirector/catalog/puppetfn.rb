# frozen_string_literal: true

require "puppet/resource/catalog"
require "puppet/indirector/catalog/compiler" unless defined?(Puppet::Resource::Catalog::Compiler)
require_relative "../../../puppetfn/terminus/catalog_builder"
require_relative "../../../puppetfn/terminus/compile_service"
require_relative "../../../puppetfn/terminus/compiler_hook"
require_relative "../../../puppetfn/terminus/configuration"
require_relative "../../../puppetfn/terminus/shadow"

# The catalog terminus of puppetfn, for puppetserver 7 and 8, OpenVox server, and Puppet.
#
# It is Ruby alone, of version 2.5 for JRuby 9.2, and loads nothing else of puppetfn.
class Puppet::Resource::Catalog::Puppetfn < Puppet::Resource::Catalog::Compiler
  desc "Compiles catalogs with puppetfn's compile service, `puppetfn serve`, and with Puppet's own compiler where the service
    cannot. Facts, nodes, static catalogs and storage are Puppet's own. The settings are in `puppetfn.conf` in Puppet's `confdir`."

  # @raise [Puppet::Error] if a setting is wrong
  def initialize
    @configuration = ::Puppetfn::Terminus::Configuration.read(Puppet[:confdir])
    @service = ::Puppetfn::Terminus::CompileService.new(@configuration)
    @shadow = ::Puppetfn::Terminus::Shadow.new(@service, @configuration.differences_file) if @configuration.mode == :shadow
    super
  end

  private

  # As in puppet/indirector/catalog/compiler.rb, which calls Puppet::Parser::Compiler.
  def compile(node, options)
    return super unless covers?(node)
    return @shadow.compile(node, options) { super } if @shadow

    ::Puppetfn::Terminus::CompilerHook.replace(node, ->(puppet) { ask_service(node, options, puppet) }) { super }
  end

  # Only Puppet itself can handle code from the command line, and an environment whose configuration is wrong.
  def covers?(node)
    node.environment && @configuration.covers?(node.environment.name.to_s) && Puppet[:code].to_s.empty? && node.environment.validation_errors.empty?
  end

  def ask_service(node, options, puppet)
    result = @service.compile(node, options)
    case result.kind
    when :catalog then build(node, result) || puppet.call
    when :error
      result.write_log
      raise_error(result.message)
    else puppet.call
    end
  end

  # Returns nil if Puppet has to compile the catalog.
  def build(node, result)
    @service.usable
    catalog = ::Puppetfn::Terminus::CatalogBuilder.new(node.environment).build(result.catalog, result.rich?)
    result.write_log
    catalog
  rescue ::Puppetfn::Terminus::CatalogBuilder::Unreadable, Puppet::Error, ArgumentError => e
    @service.declined(node, "puppetfn's cannot be read: #{e.message}")
    nil
  rescue StandardError, SystemStackError => e
    # Messages of Ruby's own errors may have values in them.
    @service.declined(node, "puppetfn's cannot be read: #{e.class}")
    nil
  end

  # As in puppet/parser/compiler.rb, whose errors are logged there.
  def raise_error(message)
    Puppet.err(message)
    raise Puppet::Error, message
  end
end

Puppet::Parser::Compiler.singleton_class.prepend(Puppetfn::Terminus::CompilerHook)
