# frozen_string_literal: true

require "open3"
require "tmpdir"

# Types whose properties are SELinux contexts, such as `k5login` of the module k5login_core, are types like others.
RSpec.describe "Puppet::SELFileContext" do
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
    Dir.mktmpdir do |directory|
      FileUtils.mkdir_p(["#{directory}/manifests", "#{directory}/modules/m/lib/puppet/type"])
      File.write("#{directory}/manifests/site.pp", code)
      File.write("#{directory}/modules/m/lib/puppet/type/labelled.rb", type)
      command = [RbConfig.ruby, "-I#{File.expand_path("../../lib", __dir__)}", File.expand_path("../../exe/puppetfn", __dir__)]
      Open3.capture3(*command, "compile", "web1", "--environment", directory, "--format", "text")
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
