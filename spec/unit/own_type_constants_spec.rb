# frozen_string_literal: true

require_relative "../support/module_tree"

RSpec.describe "Constants of the top level in files of types" do
  include ModuleTree

  files = {
    "m/lib/puppet/type/article.rb" => <<~RUBY,
      require "article_parser"
      Puppet::Type.newtype(:article) { newparam(:name) { desc ArticleParser::DESCRIPTION } }
    RUBY
    # As racc writes parsers: the code is a text, and names constants from the top level.
    "m/lib/article_parser.rb" => <<~RUBY
      module ArticleParser
        module_eval("class ::ArticleParser::SyntaxError < RuntimeError; end")
        DESCRIPTION = ::ArticleParser::SyntaxError.name.split("::").last
      end
    RUBY
  }.freeze

  it "are found while the file that defines them is evaluated, whatever runtime is at work" do
    with_runtime(files, node: "web") do |runtime|
      other = Puppetfn::Runtime.new
      type = runtime.activate { runtime.sandbox.resource_types.type(:article) }
      expect(type.attrclass(:name).doc).to eq("SyntaxError")
      source = "module AnotherParser; class ::AnotherParser::Error < RuntimeError; end; end; ::AnotherParser::Error.superclass.name"
      expect(other.activate { runtime.sandbox.evaluate(source, "another.rb", runtime.loader) }).to eq("RuntimeError")
    end
  end
end
