# frozen_string_literal: true

require "puppetfn"
require "puppetfn/cty"
require_relative "../../docs/native_methods"
require_relative "../support/documented_examples"

# The examples in the comments of the Ruby API, as YARD reads them, do what they say.
RSpec.describe "the documentation of the Ruby API" do
  include DocumentedExamples

  root = File.expand_path("../..", __dir__)
  files = Dir["#{root}/lib/puppetfn/*.rb", "#{root}/lib/puppetfn/{callables,catalog,environment,evaluation,loading,ral,reporting,runtime,values}/*.rb", "#{root}/ext/puppetfn/src/api/**/*.rs"]
  YARD::Registry.clear
  YARD.parse(files, [], YARD::Logger::ERROR)
  documented = YARD::Registry.all.select { |object| object.has_tag?(:example) }

  # What users meet first.
  first = %w[
    Puppetfn::Runtime Puppetfn::Runtime#initialize Puppetfn::Runtime#call_function Puppetfn::Runtime#define_function
    Puppetfn::Runtime#list_functions Puppetfn::Runtime#function_signature Puppetfn::Runtime#type Puppetfn::Runtime#create
    Puppetfn::Runtime#infer Puppetfn::Runtime#infer_set Puppetfn::Runtime#common_type Puppetfn::Runtime#evaluate_string
    Puppetfn::Runtime::Compiling#catalog Puppetfn::Runtime::Compiling#compile Puppetfn::Runtime#resource_type Puppetfn::Runtime#bind
    Puppetfn::Runtime#parse_string Puppetfn::Runtime#validate_string Puppetfn::FunctionSignature#callable_with?
    Puppetfn::Puppet::Functions Puppetfn::Type.parse Puppetfn::Type.infer Puppetfn::Type#instance? Puppetfn::Type#assignable?
    Puppetfn::Type#assert Puppetfn::Type#callable_with? Puppetfn::Type#describe_mismatch Puppetfn::Type#generalize
    Puppetfn::Type#normalize Puppetfn::Program#to_pn Puppetfn::Unknown.new Puppetfn::FunctionSpec.new Puppetfn::Logs
    Puppetfn::Catalog Puppetfn::Doc Puppetfn.limits Puppetfn.messages= Puppetfn::Cty.value Puppetfn::Cty.function
    Puppet::Pops::Types::PSensitiveType::Sensitive#unwrap SemanticPuppet::Version.parse
  ]

  after { Puppetfn.messages = :puppet }

  it "has examples of what users meet first" do
    expect(first - documented.map(&:path)).to eq([])
  end

  documented.each do |object|
    object.tags(:example).each do |example|
      it "is right about #{object.path}" do
        expect_right(example.text)
      end
    end
  end
end
