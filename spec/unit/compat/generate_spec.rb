# frozen_string_literal: true

require_relative "../../support/module_tree"

# What `puppet generate types` writes about a type: specs of modules create the models.
RSpec.describe "the models of resource types" do
  include ModuleTree

  let(:type) { <<~RUBY }
    Puppet::Type.newtype(:switch) do
      desc " Turns something on or off. "
      ensurable { newvalues(:on, :off); aliasvalue(:true, :on) }
      newproperty(:level) { newvalues(:low, %r{^\\d+/\\d+$}i) }
      newparam(:name, namevar: true) { desc "What is switched." }
      newparam(:force, boolean: true) { newvalues(:true, :false) }
      def self.title_patterns = [[/\\A(.*)\\z/m, [[:name]]]]
    end
  RUBY

  # The answer of Ruby code that has the model of a type.
  def of_model(type, code)
    function = <<~RUBY
      require "puppet/generate/models/type/type"
      Puppet::Functions.create_function(:"m::model") do
        def model
          model = Puppet::Generate::Models::Type::Type.new(Puppet::Type.type(:switch))
          #{code}
        end
      end
    RUBY
    with_runtime({"m/lib/puppet/type/switch.rb" => type, "m/lib/puppet/functions/m/model.rb" => function}) { |runtime| runtime.call_function("m::model") }
  end

  it "have the attributes with the types of their values" do
    attributes = of_model(type, "[*model.properties, *model.parameters].map { |one| [one.name, one.type, one.is_namevar? ? true : false] }")
    expect(attributes).to eq([
      ["'ensure'", "Variant[Boolean, Enum['on', 'true', 'off']]", false], ["'level'", "Variant[Enum['low'], Pattern[/(?i-mx:^\\d+\\/\\d+$)/]]", false],
      ["'name'", "Any", true], ["'force'", "Variant[Boolean, Enum['true', 'false']]", false]
    ])
  end

  it "have what is said of the type" do
    expect(of_model(type, "[model.name, model.doc, model.title_patterns, model.isomorphic, model.capability]"))
      .to eq(["'switch'", "Turns something on or off.", {"/(?m-ix:\\A(.*)\\z)/" => "['name']"}, true, false])
    expect(of_model(type, 'require "erb"; model.render(ERB.new("<%= name %> <%= properties.size %>"))')).to eq("'switch' 2")
  end

  it "are refused where code converts parts of titles" do
    converting = type.sub("[[:name]]", "[[:name, proc { |part| part }]]")
    expect { of_model(converting, "1") }.to raise_error(Puppet::Error, /title patterns that use procs are not supported\./)
  end
end
