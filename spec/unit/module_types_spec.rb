# frozen_string_literal: true

require_relative "../support/module_tree"

# Types of modules that are no aliases: sets of types, and types that are defined in Ruby.
RSpec.describe "types of modules" do
  include ModuleTree

  set = <<~PUPPET
    type M = TypeSet[{
      pcore_version => '1.0.0', version => '1.0.0',
      types => { Port => Integer[0, 65535], Ports => Array[Port], Host => { attributes => { name => String[1], port => M::Port } } }
    }]
  PUPPET

  it "are those of the set of types that has the name of the module" do
    with_runtime({"m/types/init_typeset.pp" => set, "m/types/other.pp" => "type M::Other = M::Ports"}) do |runtime|
      expect(runtime.type("M").to_s).to start_with("TypeSet")
      expect([80, -1].map { |port| runtime.type("M::Port").instance?(port) }).to eq([true, false])
      expect(runtime.type("M::Other").instance?([1, 2])).to be(true)
      expect(runtime.evaluate_string("M::Host('a', 80).port")).to eq(80)
      expect(runtime.type("M::Nothing").to_s).to eq("TypeReference['M::Nothing']")
      expect(runtime.loader.type_names).to eq(%w[M M::Other])
    end
  end

  it "are not those of a file that defines something else" do
    with_runtime({"m/types/init_typeset.pp" => "type M = Integer"}) do |runtime|
      expect { runtime.type("M") }.to raise_error(ArgumentError, %r{\AThe code loaded from .*/m/types/init_typeset.pp does not define the TypeSet 'M'\z})
    end
  end

  article = <<~'RUBY'
    Puppet::DataTypes.create_type("M::Article") do
      interface <<-PUPPET
        attributes => { name => String[1], price => { type => Integer, value => 1 } }
      PUPPET
    end
  RUBY

  it "can be defined in Ruby, and used by other types and from code" do
    files = {"m/lib/puppet/datatypes/m/article.rb" => article, "m/types/shelf.pp" => "type M::Shelf = Array[M::Article]"}
    with_runtime(files) do |runtime|
      expect(runtime.create("M::Article", "pen").price).to eq(1)
      expect(runtime.evaluate_string("[M::Article('pen', 2)] =~ M::Shelf")).to be(true)
      expect(runtime.evaluate_string("M::Article('pen', 2).name")).to eq("pen")
      expect(runtime.loader.type_names).to eq(%w[M::Article M::Shelf])
    end
  end

  it "say what is wrong with a file in Ruby" do
    {
      "1" => /\AThe code loaded from .* does not seem to be a Puppet 5x API data type - no create_type call\.\z/,
      "Puppet::DataTypes.create_type('M::Article') { }; 1" => /\AData Type Load Error for type 'M::Article': a data type must have an interface\z/,
      "Puppet::DataTypes.create_type('M::Article') { interface '' }; 1" => /did not produce a data type when evaluated. Got 'Integer'\z/,
      "Puppet::DataTypes.create_type('M::Other') { interface '' }" => /produced mis-matched name, expected 'm::article', got M::Other\z/,
      "Puppet::DataTypes.create_type('M::Article') { interface ''; interface '' }" => /a data type can only have one interface\z/
    }.each do |source, message|
      with_runtime({"m/lib/puppet/datatypes/m/article.rb" => source}) do |runtime|
        2.times { expect { runtime.type("M::Article") }.to raise_error(ArgumentError, message) }
      end
    end
  end
end
