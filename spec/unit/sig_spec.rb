# frozen_string_literal: true

require "json"
require "open3"
require "rbs"

# The signatures in sig/ are of things that exist.
RSpec.describe "sig/" do
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

  # Prints the methods that do not exist, in a process of its own: puppetfn/pal changes what a process answers.
  program = <<~'RUBY'
    missing = JSON.parse($stdin.read).reject do |name, kind, method|
      owner = Object.const_get(name)
      if kind == "singleton"
        owner.respond_to?(method)
      else
        owner.method_defined?(method) || owner.private_method_defined?(method)
      end
    end
    puts JSON.generate(missing)
  RUBY

  of_specs, others = methods.partition { |name, _, _| name.start_with?("Puppetfn::RSpec") }

  of_tasks, others = others.partition { |name, _, _| name == "Puppetfn::RakeTask" }

  it "names methods of the task for Rakefiles that exist" do
    require "puppetfn/rake_task"

    expect(of_tasks.map(&:last)).to eq([:initialize])
    expect(of_tasks.map(&:last)).to all(satisfy { |method| Puppetfn::RakeTask.allocate.respond_to?(method, true) })
  end

  {%w[puppetfn/pal puppetfn/puppet] => others, %w[puppetfn/rspec] => of_specs}.each do |libraries, methods|
    it "names methods that exist, with #{libraries.join(" and ")}" do
      required = ["json", *libraries].flat_map { |library| ["-r", library] }
      command = [RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), *required, "-e", program]
      missing, = Open3.capture2(*command, stdin_data: JSON.generate(methods))

      expect(methods.size).to be > 40
      expect(JSON.parse(missing)).to be_empty
    end
  end
end
