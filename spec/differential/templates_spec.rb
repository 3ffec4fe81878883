# frozen_string_literal: true

require_relative "../../lib/puppetfn"
require_relative "../../vectors/ruby/modules"

# Templates that are rendered without Ruby, compared with Ruby's rendering: templates of Debian's modules, and single expressions, each
# with variables that are drawn.
RSpec.describe "Templates in ERB", :differential do
  values = [nil, "", "text", " b\n", "10", "x,y;z", "/etc/a.conf", "é", 0, 7, -3, 2.5, true, false, [], %w[b a], [3, 1, 2], ["a", nil, 1, [2]],
            {}, {"b" => 1, "a" => "x"}, {"k" => ["v"], "l" => {"m" => nil}}, :default, [["p", 1], ["q", 2]]]

  # @return [Object] the text, or :refused where it takes Ruby
  def natively(template, **options)
    quoted = template.gsub(/[\\']/) { |char| "\\#{char}" }
    Puppetfn::Runtime.new(ruby: false, **options).evaluate_string("inline_template('#{quoted}')")
  rescue Puppetfn::RefusedError, Puppet::ParseError
    :refused
  end

  # @return [Object] the text, or nil where it fails
  def in_ruby(template, **options)
    runtime = Puppetfn::Runtime.new(**options)
    Puppetfn::Puppet::Parser::TemplateWrapper.new(runtime.scope).render(template, nil)
  rescue StandardError, ScriptError
    nil
  end

  # Renders each template with variables that are drawn.
  #
  # @return [Array(Integer, Array)] the number of texts that took no Ruby, and the differences
  define_method(:compare) do |templates, draws, random|
    count = 0
    differences = templates.flat_map do |template|
      names = template.scrub.scan(/@(\w+)|scope\[['"](?:::)?(\w+)['"]\]/).flatten.compact.uniq
      Array.new(draws) { names.to_h { |name| [name, values.sample(random: random)] } }.uniq.filter_map do |variables|
        # Code at the top is in the class main.
        options = {variables: {"title" => "main", "name" => "main", **variables.compact}, strict_variables: false}
        text = natively(template, **options)
        next if text == :refused

        count += 1
        expected = in_ruby(template, **options)
        [template, variables, text, expected] unless text == expected
      end
    end
    [count, differences]
  end

  it "of modules" do
    files = Dir.glob("#{Vectors::PackagedModules::INSTALLED}/*/templates/**/*.erb")
    templates = files.map { |file| File.read(file) }.select(&:valid_encoding?).uniq
    count, differences = compare(templates, 4, Random.new(1))
    expect(differences.first(3)).to eq([])
    expect(count).to be > templates.size
  end

  methods = %w[
    nil? empty? to_s to_sym to_i to_f to_a to_h inspect length size count sort join keys values flatten compact uniq reverse first last max min sum
    upcase downcase capitalize strip lstrip rstrip chomp split lines round floor ceil abs even? odd? zero? any? all? none? dup itself
  ]
  operators = %w[== != < > <= >= + - * / % | & =~ !~]
  arguments = ["1", "0", "-1", "2.0", "'a'", "','", "''", "nil", "[1]", "['a', 'b']", "{'a' => 2}", "/[a-z]/", "/^b/", "1..2", ":a"]
  blocks = ["{ |x| x }", "{ |x, y| y }", "{ |x| x == 'a' }", "{ |k, v| v == 1 }", "(&:to_s)", "{ |x| next if x == 'a'; 1 }"]

  it "of single expressions" do
    random = Random.new(2)
    calls = methods.map { |method| "@a.#{method}" } + operators.product(arguments).map { |parts| "@a #{parts.join(" ")}" }
    calls += %w[include? start_with? end_with? key? fetch merge join split first take drop ljust rjust match? is_a? []].product(arguments).map { |name, value| "@a.#{name}(#{value})" }
    calls += ["@a.is_a?(String)", "@a.is_a?(Numeric)", "@a.kind_of?(Hash)", "Array(@a)", "@a[0, 1]", "@a.gsub('x', 'y')", "@a.sub(/[a-z]/, '-')", "@a&.to_s", "@a == @b", "@a + @b",
              "@a.include?(@b)", "(@a || @b)", "(@a && @b)", "!@a", "\"\#{@a}-\#{@b}\"", "@a ? 1 : 2", "(case @a when nil, '' then 1 when Array then 2 when /x/ then 3 when 0..5 then 4 else 5 end)"]
    calls += %w[each map each_with_index each_pair each_key each_value select reject find any? all? none? count sort_by flat_map].product(blocks).map { |name, block| "@a.#{name} #{block}" }
    templates = calls.flat_map { |call| ["<%= #{call} %>", "<% x = #{call} -%>\n<%= x.is_a?(Hash) ? x.to_a.flatten : x %>"] }
    count, differences = compare(templates, 24, random)
    expect(differences.first(3)).to eq([])
    expect(count).to be > 2_000
  end
end
