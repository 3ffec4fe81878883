# frozen_string_literal: true

require "json"

require_relative "../support/module_tree"

RSpec.describe "types that are defined by their features" do
  include ModuleTree

  let(:runtime) { Puppetfn::Runtime.new }
  let(:user) { runtime.type("User") }
  let(:ann) { user.new(name: "ann", roles: [{gid: 1}, {gid: 2}], main: "//@roles.1", groups: ["wheel"]) }

  before do
    runtime.evaluate_string(<<~'PUPPET')
      type User {
        attr name, String { min => 1, check => { $it != '' } }
        attr groups, String { max => unbound, unsettable => true }
        attr label, String { derived => { "<${name}>" } }
        attr password, String { transient => true }
        attr version, SemVer
        has roles, Role { max => unbound }
        has main, Role { containment => false }
        invariant "root needs a role" { $name != root or !$roles.empty }
      }
      type Role { attr gid, Integer }
      type Special inherits Role { attr why }
    PUPPET
  end

  it "makes objects of hashes, with names that are strings or symbols" do
    expect(user.new("name" => "ann", "roles" => {"gid" => 1})).to eq(user.new(name: "ann", roles: {gid: 1}))
    expect(runtime.create("User", {"name" => "bob"}).name).to eq("bob")
    expect(runtime.call_function("new", user, {"name" => "bob"}).name).to eq("bob")
  end

  it "lets a block set an object before it is complete" do
    made = user.new { |object| object[:name] = "eve" }
    made_more = user.new(name: "eve") do |object|
      object[:groups] = ["a"]
      object["groups"] += ["b"]
      expect(object.groups).to eq(%w[a b])
    end

    expect([made.name, made_more.groups]).to eq(["eve", %w[a b]])
    expect { user.new(name: "a") { raise "stopped" } }.to raise_error("stopped")
    expect { made[:name] = "x" }.to raise_error(Puppet::Error, "'name' of a User cannot be set: it does not change once it is made")
  end

  it "has readers" do
    expect([ann.name, ann[:name], ann["label"], ann.password]).to eq(["ann", "ann", "<ann>", nil])
    expect([ann.roles.map(&:gid), ann.main.gid]).to eq([[1, 2], 2])
    expect([ann.set?(:groups), ann.set?("version"), user.new(name: "x").groups]).to eq([true, false, nil])
    expect(ann).to respond_to(:main)
    expect { ann.nothing }.to raise_error(NoMethodError)
    expect { ann[:nothing] }.to raise_error(ArgumentError, "'nothing' is no member of a User")
    expect { ann.set?(:nothing) }.to raise_error(ArgumentError, "User has no feature 'nothing'")
  end

  it "names all problems at once" do
    expect { user.new(name: "", groups: [1, "a"], nam: 1, label: "x") }.to raise_error(
      Puppet::Pops::Types::TypeConversionError,
      <<~TEXT.chomp
        User cannot be created:
          - User[name]: Illegal value:  is not an acceptable value for name
          - User[groups] expects a String value, got Integer: 1
          - User has no feature 'nam'. Did you mean 'name'?
          - User[label] is read-only: it cannot be set to 'x'
      TEXT
    )
    expect { user.new(name: "root") }.to raise_error(/User cannot be created: root needs a role/)
    expect { user.new }.to raise_error(/User\[name\] is required: it has no value/)
  end

  it "becomes a hash, and JSON, and is made of these again" do
    hash = {"name" => "ann", "groups" => ["wheel"], "roles" => [{"gid" => 1}, {"gid" => 2}], "main" => "//@roles.1"}

    expect(ann.to_h).to eq(hash)
    expect(JSON.parse(ann.to_json)).to eq(hash)
    expect(JSON.parse(JSON.generate([ann]))).to eq([hash])
    expect(user.new(ann.to_h)).to eq(ann)
    expect(user.from_json(ann.to_json)).to eq(ann)
  end

  it "names the types of contained objects that are not those that are expected" do
    special = runtime.type("Special").new(gid: 7, why: "x")
    made = user.new(name: "a", roles: [special])

    expect(made.to_h["roles"]).to eq([{"__ptype" => "Special", "gid" => 7, "why" => "x"}])
    expect(user.new(made.to_h)).to eq(made)
  end

  it "leaves out what is transient" do
    expect(user.new(name: "a", password: "secret").to_h).to eq("name" => "a")
  end

  it "reads values from JSON that JSON has no form for" do
    made = user.new(name: "a", version: runtime.create("SemVer", "1.2.3"))

    expect(user.from_json(made.to_json)).to eq(made)
    expect { user.from_json('{"name": 5}') }.to raise_error(/expects a String value, got Integer: 5/)
    expect { user.from_json('{"name": ') }.to raise_error(Puppet::Error, /is not JSON/)
    expect { runtime.type("Integer").from_json("1") }.to raise_error(Puppetfn::UnavailableError)
  end

  it "refuses to write a reference to what the object does not contain" do
    role = runtime.type("Role").new(gid: 9)

    expect { user.new(name: "a", main: role).to_h }.to raise_error(
      Puppet::Error, /User\[main\] refers to Role\(\{'gid' => 9\}\), which is not within the same document/
    )
  end

  it "compares objects by their values" do
    expect(user.new(name: "a")).to eq(user.new(name: "a"))
    expect(user.new(name: "a")).not_to eq(user.new(name: "b"))
    expect([user.new(name: "a"), user.new(name: "a")].uniq.size).to eq(1)
    expect(ann._pcore_type).to eq(user)
    expect(user).to be === ann
  end

  it "shows objects by their values" do
    expect(user.new(name: "a").inspect).to eq("#<User({'name' => 'a'})>")
    expect(user.new(name: "a").to_s).to eq("User({'name' => 'a'})")
  end

  it "finds types in modules, also before any code was evaluated" do
    with_modules("shop/types/item.pp" => "type Shop::Item { attr price, Integer { min => 1 } }") do |modules|
      runtime = Puppetfn::Runtime.new(modulepath: [modules])

      expect(runtime.type("Shop::Item").new(price: 3).price).to eq(3)
      expect(runtime.type("Shop::Item").features?).to be(true)
      expect(runtime.type("Array[Shop::Item]").features?).to be(false)
    end
  end

  it "takes types of files that have changed, and leaves objects as they are" do
    with_modules("shop/types/item.pp" => "type Shop::Item { attr price, Integer { check => { $it > 0 } } }") do |modules|
      runtime = Puppetfn::Runtime.new(modulepath: [modules])
      before = runtime.evaluate_string("Shop::Item.new({price => 1})")
      File.write(File.join(modules, "shop/types/item.pp"), "type Shop::Item { attr price, Integer { check => { $it > 5 } } }")
      runtime.reload

      expect(before.to_h).to eq("price" => 1)
      expect { runtime.evaluate_string("Shop::Item.new({price => 1})") }.to raise_error(/Illegal value: 1/)
      expect(runtime.type("Shop::Item").new(price: 6).price).to eq(6)
    end
  end

  it "needs a runtime to make objects" do
    type = Puppetfn::Type.infer(ann)

    expect(runtime.activate { type.new(name: "x") }.name).to eq("x")
    expect { type.new(name: "x") }.to raise_error(Puppetfn::UnavailableError, /new of User is not available/)
  end

  it "gives objects to functions in Ruby" do
    runtime.define_function("describe_user") do
      dispatch(:describe) { param "Any", :user }

      def describe(user)
        "#{user.name} #{user.roles.map(&:gid)} #{call_function("new", user._pcore_type, {"name" => "b"}).name}"
      end
    end

    expect(runtime.evaluate_string("describe_user(User({name => a, roles => {gid => 4}}))")).to eq("a [4] b")
  end
end
