# frozen_string_literal: true

require "json"
require "open3"
require "rbs"
require "rbconfig"

RSpec.describe "docs/reference/api.md" do
  root = File.expand_path("../..", __dir__)
  page = File.read("#{root}/docs/reference/api.md", encoding: "UTF-8")
  sections = page.split(/^## /).drop(1).to_h { |section| [section[/`(.*?)`/, 1], section.scan(/^### `(.*?)`$/).flatten] }

  # In a process of its own, as specs have other registries of YARD.
  ask = lambda do |code|
    command = [RbConfig.ruby, "-I", "#{root}/lib", "-r", "json", "-r", "#{root}/docs/reference", "-e", code]
    out, status = Open3.capture2(*command)
    raise out unless status.success?

    out.force_encoding("UTF-8")
  end

  it "is what `rake reference` writes of the code as it is" do
    expect(ask.call("print Reference.text")).to eq(page)
  end

  it "has all that is declared in sig/" do
    loader = RBS::EnvironmentLoader.new
    loader.add(path: Pathname("#{root}/sig"))
    ours = RBS::Environment.from_loader(loader).class_decls.select { |name, _| name.to_s.match?(/\A::Puppetfn(::|\z)/) }
    missing = ours.flat_map do |name, entry|
      members = entry.decls.flat_map { |declared| declared.decl.members }
      names = members.filter_map do |member|
        case member
        when RBS::AST::Members::MethodDefinition then member.singleton? ? ".#{member.name}" : member.name.to_s.sub(/\Ainitialize\z/, ".new")
        when RBS::AST::Members::AttrReader then member.name.to_s
        when RBS::AST::Members::Alias then member.new_name.to_s
        end
      end
      (names - sections.fetch(name.to_s.delete_prefix("::"), [])).map { |missed| "#{name} #{missed}" }
    end

    expect(ours.size).to be > 80
    expect(missing).to eq([])
  end

  # What every object has is not worth a paragraph.
  it "has all methods with comments of the classes that programs use" do
    documented = JSON.parse(ask.call(<<~'RUBY'))
      Reference.new
      methods = YARD::Registry.all(:method).select { |method| method.visibility == :public && !method.docstring.all.empty? }
      methods.reject! { |method| method.tag(:api)&.text == "private" }
      puts JSON.generate(methods.map { |method| [method.namespace.path, method.scope, method.name] })
    RUBY
    classes = %w[Runtime Type Logs FunctionSignature Program Catalog Diagnostic Doc FunctionSpec Unknown Cty Cty::Type Cty::Value Cty::Function
      RakeTask].map { |name| "Puppetfn::#{name}" }
    of_every_object = %w[inspect to_s to_ary == eql? hash]
    missing = documented.select { |name, _, method| classes.include?(name) && !of_every_object.include?(method) }
      .map { |name, scope, method| [name, scope == "class" ? ".#{method}" : method.sub(/\Ainitialize\z/, ".new")] }
      .reject { |name, method| sections.fetch(name).include?(method) }

    expect(documented.count { |name, _, _| classes.include?(name) }).to be > 100
    expect(missing).to eq([])
  end
end
