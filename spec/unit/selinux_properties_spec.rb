# frozen_string_literal: true

require "open3"
require_relative "../support/module_tree"

# Types whose properties are SELinux contexts, such as `k5login` of the module k5login_core, are types like others.
RSpec.describe "Puppet::SELFileContext" do
  include ModuleTree

  let(:type) do
    <<~'RUBY'
      require "puppet/util/selinux"
      require "puppet/type/file/selcontext"

      Puppet::Type.newtype(:labelled) do
        newparam(:path) { isnamevar }
        newproperty(:seluser, parent: Puppet::SELFileContext) { defaultto { "user_u" } }
        newproperty(:selrange, parent: Puppet::SELFileContext)
      end
    RUBY
  end

  def compile(code)
    with_modules("manifests/site.pp" => code, "modules/m/lib/puppet/type/labelled.rb" => type) do |directory|
      Open3.capture3(*Puppetfn::CLI.command, "compile", "web1", "--environment", directory, "--format", "text")
    end
  end

  it "is a parent of properties" do
    catalog, log, status = compile("labelled { '/root/.k5login': selrange => 's0' }")
    expect(status).to be_success, log
    expect(catalog).to include("labelled { '/root/.k5login':").and include("selrange => 's0'")
  end

  it "leaves properties checked" do
    _, log, = compile("labelled { '/root/.k5login': seltype => 'x' }")
    expect(log).to include("no parameter named 'seltype'")
  end
end
