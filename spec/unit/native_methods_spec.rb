# frozen_string_literal: true

require "puppetfn"
require "puppetfn/cty"
require_relative "../../docs/native_methods"

RSpec.describe NativeMethods do
  files = Dir[File.expand_path("../../ext/puppetfn/src/**/*.rs", __dir__)].map { |path| described_class::RustFile.new(path) }
  structures = files.map(&:classes).reduce(:merge)
  registrations = files.flat_map { |file| file.registrations(structures) }
  documented = files.flat_map do |file|
    comments = file.comments
    file.registrations(structures).select { |method| comments.key?(method.target) }
  end

  # What values of all kinds have, documented once.
  common = %i[to_s == eql? hash]

  # Where Ruby looks for the methods of a namespace and a scope.
  holder = lambda do |namespace, scope|
    scope == :class ? Object.const_get(namespace).singleton_class : Object.const_get(namespace)
  end

  it "documents methods that the loaded library has" do
    absent = documented.reject do |method|
      owner = holder.call(method.namespace, method.scope)
      owner.method_defined?(method.name) || owner.private_method_defined?(method.name)
    end

    expect(absent.map(&:target)).to eq([])
  end

  it "documents all public methods that the loaded library has" do
    known = documented.map { |method| [method.namespace, method.scope, method.name.to_sym] }
    native = registrations.map { |method| [method.namespace, method.scope] }.uniq.flat_map do |namespace, scope|
      owner = holder.call(namespace, scope)
      owner.public_instance_methods(false).filter_map do |name|
        method = owner.instance_method(name)
        # A method in Ruby has a place, and its aliases are documented there.
        [namespace, scope, name] if method.source_location.nil? && method.original_name == name
      end
    end
    native.reject! { |namespace, _, name| common.include?(name) && namespace != "Puppetfn::RichValue" }

    expect(native - known).to eq([])
  end

  it "leaves no comment out" do
    lost = files.flat_map { |file| file.comments.keys - file.registrations(structures).map(&:target) }

    expect(lost).to eq([])
  end
end
