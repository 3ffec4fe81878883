# frozen_string_literal: true

require_relative "../support/module_tree"

RSpec.describe Puppetfn::Doc, "of resource types and providers" do
  include ModuleTree

  let(:type) do
    <<~RUBY
      # Not read, since there is a description.
      Puppet::Type.newtype(:book) do
        @doc = <<-DOC
          A book.
            Indented.

          @summary Something to read.
          @example One
            book { 'a': }
        DOC

        feature :lendable, "The shop lends
          books."

        ensurable do
          desc "Whether it is on the shelf."
          newvalue(:present)
          newvalue(:absent)
          aliasvalue(:sold, :absent)
          defaultto :present
        end

        newparam(:isbn, namevar: true) { desc "What it is called." }
        newproperty(:pages, required_features: :lendable) do
          desc 'How many pages it has.'
          newvalues(%r{^\\d+$})
          defaultto 100
        end
        %w[author editor].each { |role| newproperty(role) { desc "The \#{role}." } }
        newcheck(:read) { newvalues(:true, :false) }
      end
    RUBY
  end
  let(:provider) do
    <<~RUBY
      Puppet::Type.type(:book).provide(:shop, parent: :base) do
        desc "A shop."
        confine "os.family" => [:debian, :redhat]
        confine true: open?
        defaultfor kernel: :linux, "os.name" => "debian"
        commands buy: "/usr/bin/buy"
        has_feature :lendable
      end
    RUBY
  end
  let(:files) { {"m/lib/puppet/type/book.rb" => type, "m/lib/puppet/provider/book/shop.rb" => provider} }

  # What is read of the files, in the schema of Puppet Strings, without places.
  def documents(*subjects)
    with_modules(files) do |root|
      read = described_class.read(*subjects.map { |subject| subject.sub("ROOT", root) }, modulepath: root).to_h
      %w[resource_types providers].map { |key| read[key].map { |document| without_places(document) } }
    end
  end

  def without_places(document)
    document.except("file", "line").to_h { |key, value| [key, key == "providers" ? value.map { |one| without_places(one) } : value] }
  end

  it "has the schema of Puppet Strings" do
    shop = {"name" => "shop", "type_name" => "book", "docstring" => {"text" => "A shop."},
            "confines" => {"os.family" => "[:debian, :redhat]", "true" => "open?"}, "features" => ["lendable"],
            "defaults" => [[["kernel", "linux"], ["os.name", "debian"]]], "commands" => {"buy" => "/usr/bin/buy"}}
    book = {
      "name" => "book",
      "docstring" => {"text" => "A book.\n  Indented.", "tags" => [
        {"tag_name" => "example", "text" => "book { 'a': }", "name" => "One"}, {"tag_name" => "summary", "text" => "Something to read."}
      ]},
      "properties" => [
        {"name" => "author", "description" => "The author."}, {"name" => "editor", "description" => "The editor."},
        {"name" => "ensure", "description" => "Whether it is on the shelf.", "values" => %w[present absent sold],
         "aliases" => {"sold" => "absent"}, "default" => "present"},
        {"name" => "pages", "description" => "How many pages it has.", "values" => ["%r{^\\d+$}"], "required_features" => "lendable",
         "default" => "100"}
      ],
      "parameters" => [
        {"name" => "isbn", "description" => "What it is called.", "isnamevar" => true},
        {"name" => "provider", "description" => "The specific backend to use for this `book` resource. You will seldom need to specify this --- " \
                                                  "Puppet will usually discover the appropriate provider for your platform."}
      ],
      "checks" => [{"name" => "read", "values" => %w[true false]}],
      "features" => [{"name" => "lendable", "description" => "The shop lends books."}], "providers" => [shop]
    }
    expect(documents("ROOT/m")).to eq([[book], [shop]])
    expect(documents("book")).to eq([[book], [shop]])
  end

  it "prints as text" do
    text = with_modules(files) { |root| described_class.read("book", modulepath: root).to_s.gsub(root, "") }
    expect(text).to start_with("book: Something to read.\n\n  A book.\n    Indented.\n\n  Properties\n\n    author\n      The author.\n")
    expect(text).to include("    pages\n      How many pages it has.\n      Values: %r{^\\d+$}\n      Default: 100\n      Requires features: lendable\n")
    expect(text).to include("    isbn (names resources)\n", "  Features\n\n    lendable\n      The shop lends\n", "  Resource type, /m/lib/puppet/type/book.rb:2\n")
    expect(text).to end_with("\nbook shop\n\n  A shop.\n\n  Confined to: os.family: [:debian, :redhat], true: open?\n\n  " \
                             "Default for: kernel: linux, os.name: debian\n\n  Commands: buy: /usr/bin/buy\n\n  Features: lendable\n\n  " \
                             "Provider, /m/lib/puppet/provider/book/shop.rb:1\n")
  end

  context "when the type is one of the Resource API" do
    let(:files) { {"m/lib/puppet/type/book.rb" => <<~RUBY} }
      Puppet::ResourceApi.register_type(
        name: 'book', desc: "A book.",
        attributes: {
          name: {type: 'String[1]', desc: 'Its name.', behaviour: :namevar},
          pages: {type: 'Optional[Integer]', desc: 'How many pages it has.', default: 3}
        },
      )
    RUBY

    it "has data types" do
      (book,), = documents("book")
      expect(book).to eq(
        "name" => "book", "docstring" => {"text" => "A book."},
        "properties" => [{"name" => "pages", "description" => "How many pages it has.", "data_type" => "Optional[Integer]", "default" => "3"}],
        "parameters" => [{"name" => "name", "description" => "Its name.", "data_type" => "String[1]", "isnamevar" => true}]
      )
    end
  end

  it "knows Puppet's own types" do
    service = described_class.read("service").to_h["resource_types"].first
    expect(service.slice("name", "file", "line")).to eq("name" => "service")
    expect(service["properties"].map { |property| property["name"] }).to eq(%w[enable ensure flags logonaccount])
    expect(described_class.read("file").to_h.transform_values(&:size)).to include("puppet_functions" => 1, "resource_types" => 1)
  end

  it "says where a file has another type than it should" do
    with_modules("m/lib/puppet/type/book.rb" => "raise") do |root|
      expect { described_class.read("book", modulepath: root) }.to raise_error(ArgumentError, /should define book, but does not/)
    end
  end
end
