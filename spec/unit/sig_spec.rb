# frozen_string_literal: true

require "rbs"

# The signatures in sig/ are of things that exist.
RSpec.describe "sig/puppetfn.rbs" do
  loader = RBS::EnvironmentLoader.new
  loader.add(path: Pathname(File.expand_path("../../sig", __dir__)))
  environment = RBS::Environment.from_loader(loader).resolve_type_names
  ours = environment.class_decls.select { |name, _| name.to_s.match?(/\A::Puppetfn(::|\z)/) }
  methods = ours.flat_map do |name, entry|
    entry.decls.flat_map { |declared| declared.decl.members }.filter_map do |member|
      case member
      when RBS::AST::Members::MethodDefinition, RBS::AST::Members::AttrReader
        [name.to_s.delete_prefix("::"), member.kind, member.name]
      when RBS::AST::Members::Alias then [name.to_s.delete_prefix("::"), member.kind, member.new_name]
      end
    end
  end

  it "names types that are declared" do
    builder = RBS::DefinitionBuilder.new(env: environment)

    expect { ours.each_key { |name| builder.build_singleton(name) } }.not_to raise_error
  end

  it "names methods that exist" do
    missing = methods.reject do |name, kind, method|
      owner = Object.const_get(name)
      if kind == :singleton
        owner.respond_to?(method)
      else
        owner.method_defined?(method) || owner.private_method_defined?(method)
      end
    end

    expect(methods.size).to be > 100
    expect(missing).to be_empty
  end
end
