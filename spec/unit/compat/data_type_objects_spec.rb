# frozen_string_literal: true

require_relative "../../support/module_tree"

RSpec.describe "Objects of data types written in Ruby" do
  include ModuleTree

  files = {
    "shop/lib/puppet/datatypes/point.rb" => <<~RUBY
      Puppet::DataTypes.create_type('Point') do
        interface <<-PUPPET
          attributes => { x => Integer, y => { type => Integer, value => 7 } },
          functions => { sum => Callable[[], Integer], moved => Callable[[Integer], Point] }
        PUPPET
        implementation do
          def sum = x + y
          def moved(by) = self.class.new(x + by, y)
        end
      end
    RUBY
  }.freeze

  it "make others of their class with the values of the attributes in order" do
    with_runtime(files) do |runtime|
      code = "$p = Point(1).moved(4) [$p.x, $p.sum, $p == Point(5, 7), $p.moved(1).moved(1).x, type($p) == Point]"
      expect(runtime.evaluate_string(code)).to eq([5, 12, true, 7, true])
    end
  end
end
