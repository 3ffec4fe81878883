# frozen_string_literal: true

require "rbs"
require "yard"
require "puppetfn"
require_relative "native_methods"

# Writes docs/reference/api.md: the declarations of sig/ with the comments of the code. `rake reference` runs it.
class Reference
  ROOT = File.expand_path("..", __dir__)
  INTRODUCTION = <<~MARKDOWN
    # The Ruby API

    All classes and methods that programs, specs and functions in Ruby can use, with their types in RBS. [Embed](../embed.md)
    introduces them; `rake reference` generates this page from `sig/` and the comments in the code.

    `require "puppetfn"` loads all of them except `Puppetfn::RSpec` (`puppetfn/rspec`, see [Test](../specs.md)), `Puppetfn::RakeTask`
    (`puppetfn/rake_task`), `Puppet::Pal` (`puppetfn/pal`, see [Puppet::Pal](../pal.md)) and the report of the drop-in (`puppetfn/puppet`, see
    [The drop-in](../drop-in.md)). Functions see `Puppetfn::Puppet` as `Puppet`.
  MARKDOWN
  SIGNATURES = %w[puppetfn drop_in pal types rspec].map { |name| File.join(ROOT, "sig", "#{name}.rbs") }.freeze
  # What programs begin with.
  FIRST = %w[Puppetfn Puppetfn::Runtime Puppetfn::Type Puppetfn::Catalog Puppetfn::Logs Puppetfn::FunctionSignature].freeze
  private_constant :SIGNATURES, :FIRST

  # @return [String]
  def self.text
    new.text
  end

  def initialize
    read_comments
    @entries = SIGNATURES.flat_map { |file| entries(declarations(file), "") }
      .group_by(&:first).map { |name, parts| [name, parts.flat_map(&:last)] }.reject { |_, members| members.empty? }
  end

  # @return [String] the page
  def text
    entries = @entries.sort_by { |name, _| [FIRST.index(name) || FIRST.size, name] }
    links = entries.map { |name, _| "[`#{name}`](##{name.downcase.delete(":")})" }
    [INTRODUCTION, "#{links.join(", ")}\n", *entries.map { |name, members| section(name, members) }].join("\n").gsub(/\n{3,}/, "\n\n")
  end

  private

  def read_comments
    YARD::Registry.clear
    YARD::Logger.instance.enter_level(YARD::Logger::ERROR) do
      files = Dir["#{ROOT}/lib/puppetfn.rb", "#{ROOT}/lib/puppetfn/**/*.rb", "#{ROOT}/ext/puppetfn/src/**/*.rs"].sort
      YARD.parse(files, [], YARD::Logger::ERROR)
    end
  end

  def declarations(file)
    # Newer versions of RBS return more than the declarations.
    RBS::Parser.parse_signature(RBS::Buffer.new(name: file, content: File.read(file))).flatten
  end

  # The classes and modules, each with the members that are declared in it.
  def entries(declarations, namespace)
    declarations.grep(RBS::AST::Declarations::Base).select { |declared| declared.respond_to?(:members) }.flat_map do |declared|
      name = "#{namespace}#{declared.name}"
      inner, members = declared.members.partition { |member| member.is_a?(RBS::AST::Declarations::Base) }
      [[name, members.flat_map { |member| shown(member) }], *entries(inner, "#{name}::")]
    end
  end

  # The name of a member as YARD has it, and its signatures.
  def shown(member)
    case member
    when RBS::AST::Members::MethodDefinition
      signatures = member.location.source.sub(/\Adef \S+: /, "").gsub(/\s+/, " ")
      [["#{member.singleton? ? "." : "#"}#{member.name}", signatures.split(" | (").map.with_index { |text, index| index.zero? ? text : "(#{text}" }]]
    when RBS::AST::Members::AttrReader then [["##{member.name}", ["() -> #{member.type}"]]]
    when RBS::AST::Members::AttrWriter then [["##{member.name}=", ["(#{member.type}) -> #{member.type}"]]]
    when RBS::AST::Members::AttrAccessor
      [["##{member.name}", ["() -> #{member.type}"]], ["##{member.name}=", ["(#{member.type}) -> #{member.type}"]]]
    when RBS::AST::Members::Alias then [["##{member.new_name}", ["the same as `#{member.old_name}`"]]]
    else []
    end
  end

  def section(name, members)
    names = names_of(name)
    # The header of a file is not a comment of the module.
    about = names.filter_map { |path| YARD::Registry.at(path) }.first unless name == "Puppetfn"
    methods = members.map { |method, signatures| entry(method, signatures, comment(name, names, method)) }
    ["## `#{name}`\n", *(about && paragraphs(about)), *methods].join("\n")
  end

  # What a class may be called in comments: it can have one of Puppet's names.
  def names_of(name)
    own = Object.const_get(name).name
    own ? [name, own, "Puppetfn::#{own}"].uniq : [name]
  rescue NameError, Puppetfn::UnavailableError
    [name]
  end

  def comment(name, names, method)
    paths = [*names, *owner(name, method)].flat_map { |path| spellings(method).map { |spelling| path + spelling } }
    paths.filter_map { |path| YARD::Registry.at(path) }.find { |found| !found.docstring.all.empty? }
  end

  # The constructor is a method of the class to who calls it.
  def spellings(method)
    method == "#initialize" ? [method, ".new"] : [method]
  end

  def owner(name, method)
    owner = Object.const_get(name).instance_method(method.delete_prefix("#")).owner.name
    owner ? [owner, "Puppetfn::#{owner}"] : []
  rescue NameError, Puppetfn::UnavailableError
    []
  end

  def entry(method, signatures, comment)
    types = signatures.map { |signature| signature.start_with?("the same") ? signature : "`#{signature}`" }
    "### `#{method.sub("#initialize", ".new").delete_prefix("#")}`\n\n#{types.join(", or ")}\n\n#{paragraphs(comment).join("\n") if comment}"
  end

  # What a comment says, and its examples.
  def paragraphs(comment)
    text = comment.docstring.to_s.strip
    tags = %i[param return raise].flat_map { |tag| comment.tags(tag) }.filter_map { |tag| tag_line(tag) }
    examples = comment.tags(:example).map { |example| "```ruby\nrequire \"puppetfn\"\n\n#{example.text.strip}\n```\n" }
    [*("#{plain(text)}\n" unless text.empty?), *("#{tags.join("\n")}\n" if tags.any?), *examples]
  end

  def tag_line(tag)
    text = plain(tag.text.to_s.gsub(/\s*\n\s*/, " "))
    return if text.empty?

    case tag.tag_name
    when "param" then "- `#{tag.name}`: #{text}"
    when "return" then "- returns: #{text}"
    else "- raises `#{tag.types&.join("`, `")}`: #{text}"
    end
  end

  # Without the links of YARD.
  def plain(text)
    text.gsub(/\{(\S+?)\}/) { "`#{$1.delete_prefix("#")}`" }.gsub(/\{(\S+)\s+([^}]+)\}/) { $2 }
  end
end

File.write(File.join(Reference::ROOT, "docs", "reference", "api.md"), Reference.text) if $PROGRAM_NAME == __FILE__
