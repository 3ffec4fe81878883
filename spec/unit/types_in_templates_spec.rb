# frozen_string_literal: true

# The expected answers are Puppet 8.11's.
RSpec.describe "Types and tags in templates" do
  def render(code, template)
    runtime = Puppetfn::Runtime.new(node: "web.example.com")
    runtime.compile("#{code} notice(inline_template(#{template.dump.gsub("$", "\\$")}))")
    runtime.logs.to_a.last.last
  end

  {
    "Enum['x', 'y']" => ["@t.each { |x| r << x }", %w[x y]],
    "Enum['x', 'Y']" => ["r.concat(@t.each.map(&:upcase))", %w[Y X]],
    "Integer[1, 3]" => ["@t.each { |x| r << x }", [1, 2, 3]],
    "Tuple[String, Integer]" => ["r.concat(@t.map(&:to_s))", %w[String Integer]],
    "Variant[String, Integer]" => ["r.concat(@t.each.to_a.map(&:to_s)) << @t.include?(@t.first)", ["String", "Integer", true]],
    "Struct[{a => Integer, b => String}]" => ["r.concat(@t.map(&:name))", %w[a b]],
    "Array[String]" => ["r << @t.iterable?", [true]],
  }.each do |type, (code, expected)|
    it "enumerates #{type}, and an alias of it" do
      template = "<% r = []; #{code} %><%= r.inspect %>"
      expect(render("$t = #{type}", template)).to eq(expected.inspect)
      expect(render("type Named = #{type} $t = Named", template)).to eq(expected.inspect)
    end
  end

  it "are no Enumerable where they only have values" do
    template = "<%= [@e.respond_to?(:map), @e.iterable?, @v.is_a?(Enumerable), @v.iterable?].inspect %>"
    expect(render("$e = Enum['x'] $v = Variant[String, Integer]", template)).to eq("[false, true, true, false]")
  end

  it "has the tags of the catalog as a set" do
    template = "<%= all_tags.inspect %> <%= all_tags.join(',') %> <%= all_tags.to_data_hash.inspect %>"
    expect(render("", template)).to eq('#<Puppet::Util::TagSet: {"settings"}> settings ["settings"]')
    expect { render("", "<%= tags %>") }.to raise_error(/\ACall 'all_tags' instead\./)
  end
end
