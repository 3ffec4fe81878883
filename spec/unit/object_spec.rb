# frozen_string_literal: true

RSpec.describe Puppetfn::PuppetObject do
  let(:type) { Puppetfn::Type.parse("Error") }
  let(:error) { type.new("it broke", "kind", {"code" => 1}) }

  it "has its attributes and functions for methods" do
    expect(error.msg).to eq("it broke")
    expect(error.message).to eq("it broke")
    expect(error.details).to eq("code" => 1)
    expect(error.issue_code).to be_nil
    expect(error).to respond_to(:kind)
    expect { error.nothing }.to raise_error(NoMethodError)
    expect { error.msg(1) }.to raise_error(ArgumentError, "'attribute Error[msg]' expects no arguments, got 1")
  end

  it "is shown as what it can be made from" do
    expect(error.to_s).to eq("Error({'msg' => 'it broke', 'kind' => 'kind', 'details' => {'code' => 1}})")
    expect(error._pcore_init_hash).to eq("msg" => "it broke", "kind" => "kind", "details" => {"code" => 1})
    expect(error._pcore_type).to eq(type)
  end

  it "crosses to the core and back" do
    expect(type.new(error)).to eq(error)
    expect([error].uniq + [type.new(error._pcore_init_hash)]).to all(eq(error))
    expect(Puppetfn::Type.parse("Error['kind']").instance?(error)).to be(true)
    expect(Puppetfn::Type.parse("Error['other']").instance?(error)).to be(false)
  end
end
