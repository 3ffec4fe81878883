# frozen_string_literal: true

require "fileutils"
require "tmpdir"

RSpec.describe "Resource types that `puppet generate types` has written down" do
  around do |example|
    Dir.mktmpdir do |directory|
      @environment = File.join(directory, "made")
      FileUtils.mkdir_p(File.join(@environment, ".resource_types"))
      File.write(File.join(@environment, ".resource_types", "article.pp"), <<~PUPPET)
        Puppet::Resource::ResourceType3.new(
          'article',
          [
            # The price
            Puppet::Resource::Param(Enum['low', 'high'], 'price')
          ],
          [
            Puppet::Resource::Param(Any, 'name', true)
          ],
          {
            /(?m-ix:(.*))/ => ['name']
          },
          true,
          false)
      PUPPET
      example.run
    end
  end

  def catalog(code)
    Puppetfn::Runtime.new(node: "web", environment: @environment).tap { |runtime| runtime.compile(code) }.catalog
  end

  it "can be declared" do
    expect(catalog("article { 'a': price => 'low' }").resource("Article[a]")[:price]).to eq("low")
  end

  it "have no other parameters" do
    expect { catalog("article { 'a': size => 1 }") }.to raise_error(Puppet::Error, /no parameter named 'size'/)
  end
end
