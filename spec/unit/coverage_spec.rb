# frozen_string_literal: true

require "json"
require "tmpdir"

# Execution counts of lines and branches of Puppet code. The numbers on the left are the counts of each line; `.` is a line without
# code.
RSpec.describe Puppetfn::Coverage do
  around { |example| Dir.mktmpdir { |directory| @root = File.realpath(directory); example.run } }

  # Evaluates a manifest of the module shop after it was written, and includes the class.
  def cover(manifest, code = "include shop", others: {}, facts: {}, node: "localhost")
    {"manifests/init.pp" => manifest, **others}.each do |path, text|
      path = File.join(@root, "shop", path)
      FileUtils.mkdir_p(File.dirname(path))
      File.write(path, text)
    end
    @coverage = described_class.of(File.join(@root, "shop"))
    @runtime = Puppetfn::Runtime.new(modulepath: [@root], facts: facts, node: node).record_coverage(@coverage)
    @runtime.evaluate_string(code)
    @runtime.catalog.resources
    @coverage
  end

  def resultset
    JSON.parse(@coverage.render("simplecov", 0).fetch("")).fetch("puppetfn test").fetch("coverage")
      .transform_keys { |path| path.delete_prefix("#{@root}/shop/") }
  end

  def annotated(path = "manifests/init.pp")
    lines = File.readlines(File.join(@root, "shop", path))
    lines.zip(resultset.fetch(path)["lines"]).map { |text, count| "#{"#{count || "."} #{text}".rstrip}\n" }.join
  end

  # Branches as SimpleCov has them: the condition, and how often it went each way. Numbers of lines and columns are left out.
  def branches(path = "manifests/init.pp")
    resultset.fetch(path)["branches"].map do |condition, counts|
      [condition[/\w+/], counts.map { |branch, count| [branch[/\w+/], count] }]
    end
  end

  def without_counts(expected)
    expected.gsub(/^\S+ ?/, "")
  end

  # Checks the counts of a manifest that are written in front of its lines.
  def expect_counts(expected, ...)
    cover(without_counts(expected), ...)
    expect(annotated).to eq(expected)
  end

  it "counts a statement in the line that it begins in, and a class where it is evaluated" do
    expect_counts(<<~PUPPET)
      1 class shop {
      1   $goods = [
      .     'bread',
      .     'butter',
      .   ]
      1   file { '/shop':
      .     ensure => directory,
      .     mode   => '0755',
      .   }
      1   $goods.each |$one| {
      2     notify { $one: }
      .   }
      . }
    PUPPET
  end

  it "counts each way that a condition can go, a missing `else` included" do
    expect_counts(<<~PUPPET)
      1 class shop {
      1   ['a', 'b', 'c'].each |$name| {
      3     if $name == 'a' {
      1       notice('first')
      2     } elsif $name == 'z' {
      0       notice('last')
      .     }
      3     unless $name == 'a' { notice('other') }
      .   }
      . }
    PUPPET
    expect(branches).to eq([
      ["if", [["then", 1], ["else", 2]]],
      ["if", [["then", 0], ["else", 2]]],
      ["unless", [["then", 2], ["else", 1]]]
    ])
  end

  it "counts the options of `case` and of selectors" do
    expect_counts(<<~PUPPET)
      1 class shop {
      1   [1, 2, 3].each |$number| {
      3     case $number {
      1       1: { notice('one') }
      .       2, 3: {}
      .     }
      3     case $number {
      .       1, 2: {
      2         notice('few')
      .       }
      .     }
      3     $word = $number ? {
      1       1       => 'one',
      0       'one'   => 'one',
      2       default => 'many',
      .     }
      .   }
      . }
    PUPPET
    expect(branches).to eq([
      ["case", [["when", 1], ["when", 2], ["else", 0]]],
      ["case", [["when", 2], ["else", 1]]],
      ["case", [["when", 1], ["when", 0], ["else", 2]]]
    ])
  end

  it "counts conditions within a statement in the lines that they begin in" do
    expect_counts(<<~PUPPET)
      1 class shop {
      1   file { '/shop':
      .     ensure => directory,
      1     mode   => true ? { true => '0755', false => '0700' },
      1     owner  => if false {
      0       'keeper'
      .     } else {
      1       'root'
      .     },
      .   }
      . }
    PUPPET
  end

  it "counts default values that are computed, where no value is given" do
    expect_counts(<<~PUPPET, "class { 'shop': given => 'x' } shop::shelf { ['a', 'b']: }", others: {"manifests/shelf.pp" => <<~'SHELF'})
      1 class shop (
      0   String $given = upcase('given'),
      1   String $computed = upcase('computed'),
      .   Array  $literal = ['a', { 'b' => -1 }],
      . ) {
      . }
    PUPPET
      define shop::shelf (
        $label = "Shelf ${title}",
        $depth = 2,
      ) {
        notice($label)
      }
    SHELF
    expect(annotated("manifests/shelf.pp")).to eq(<<~'PUPPET')
      2 define shop::shelf (
      2   $label = "Shelf ${title}",
      .   $depth = 2,
      . ) {
      2   notice($label)
      . }
    PUPPET
  end

  it "counts statements that fail, and nothing behind them" do
    expect { cover("class shop {\n  notice('before')\n  fail('closed')\n  notice('behind')\n}\n") }.to raise_error(/closed/)
    expect(annotated).to eq("1 class shop {\n1   notice('before')\n1   fail('closed')\n0   notice('behind')\n. }\n")
  end

  it "counts functions in the Puppet language, whoever calls them" do
    cover("class shop { notice(shop::price(2)) }", others: {"functions/price.pp" => <<~PUPPET})
      function shop::price(Integer $count) >> Integer {
        if $count > 10 {
          return $count * 9
        }
        $count * 10
      }
    PUPPET
    expect(@runtime.call_function("shop::price", 20)).to eq(180)
    expect(annotated("functions/price.pp")).to eq(<<~PUPPET)
      2 function shop::price(Integer $count) >> Integer {
      2   if $count > 10 {
      1     return $count * 9
      .   }
      1   $count * 10
      . }
    PUPPET
  end

  it "counts the text, values and code of templates in EPP" do
    cover("class shop { ['', 'x'].each |$name| { notice(epp('shop/sign.epp', { 'name' => $name })) } }", others: {"templates/sign.epp" => <<~EPP})
      <%- | String $name | -%>
      # Sign
      <%# not
          shown %>

      <% if $name != '' { -%>
      name: <%= $name %>
      <% } else { -%>
      # anonymous
      <% } -%>
      <% if $name == 'y' { -%>
      why
      not
      <% } -%>
      end
    EPP
    expect(annotated("templates/sign.epp")).to eq(<<~EPP)
      . <%- | String $name | -%>
      2 # Sign
      . <%# not
      .     shown %>
      .
      2 <% if $name != '' { -%>
      1 name: <%= $name %>
      . <% } else { -%>
      1 # anonymous
      . <% } -%>
      2 <% if $name == 'y' { -%>
      0 why
      0 not
      . <% } -%>
      2 end
    EPP
    expect(branches("templates/sign.epp")).to eq([["if", [["then", 1], ["else", 1]]], ["if", [["then", 0], ["else", 2]]]])
  end

  it "knows the lines of files that are never loaded, and none of type aliases and plans" do
    cover("class shop {}", others: {
      "manifests/cellar.pp" => "class shop::cellar {\n  notice('cold')\n}\n", "types/price.pp" => "type Shop::Price = Integer[0]\n",
      "plans/sale.pp" => "plan shop::sale() {\n  return 1\n}\n"
    })
    expect(resultset.keys).to eq(%w[manifests/cellar.pp manifests/init.pp])
    expect(annotated("manifests/cellar.pp")).to eq("0 class shop::cellar {\n0   notice('cold')\n. }\n")
    expect([@coverage.counts, @coverage.percent(:lines).round(2)]).to eq([{lines: [1, 3], branches: [0, 0], definitions: [1, 2]}, 33.33])
  end

  it "names files that are not Puppet, which are not counted" do
    cover("class shop {}", others: {"manifests/broken.pp" => "class shop::broken {"})
    expect(@coverage.problems).to match([%r{Syntax error at end of input.*/shop/manifests/broken\.pp}])
    expect(resultset.keys).to eq(["manifests/init.pp"])
  end

  it "counts files that are reached through links, and not a text that was changed since" do
    cover("class shop {}")
    FileUtils.mkdir(File.join(@root, "modules"))
    File.symlink(File.join(@root, "shop"), File.join(@root, "modules", "shop"))
    include_it = -> { Puppetfn::Runtime.new(modulepath: [File.join(@root, "modules")]).record_coverage(@coverage).evaluate_string("include shop") }
    include_it.call
    expect(annotated).to eq("2 class shop {}\n")
    File.write(File.join(@root, "shop", "manifests", "init.pp"), "class shop { }")
    include_it.call
    expect(resultset["manifests/init.pp"]["lines"]).to eq([2])
  end

  it "adds the counts of another process" do
    cover("class shop {}")
    counts = @coverage.take
    expect([counts, @coverage.counts[:lines]]).to eq([[[1]], [0, 1]])
    2.times { @coverage.merge(counts) }
    expect(annotated).to eq("2 class shop {}\n")
  end

  it "has to be recorded from the first evaluation on" do
    runtime = Puppetfn::Runtime.new
    runtime.evaluate_string("1")
    expect { runtime.record_coverage(described_class.of(@root)) }.to raise_error(ArgumentError, /from the first evaluation on/)
  end

  # Loops that grow a value in place, match variables, results of conditions, jumps out of blocks, heredocs and deep recursion.
  it "changes no result" do
    function = <<~'PUPPET'
      function shop::all() {
        $sum = 200.reduce([]) |$memo, $n| { if $n % 2 == 0 { $memo + [$n] } else { $memo } }
        $text = ['a', 'b'].reduce('') |$memo, $one| { "${memo}${one}" }
        $matched = if 'abc' =~ /(b)/ { $1 } else { 'none' }
        $case = case 'x1' { /x(\d)/: { $1 } default: { 0 } }
        $none = case 1 { 2: { 'two' } }
        $found = [1, 2, 3].each |$n| { if $n == 2 { break() } }
        $kept = [1, 2, 3].map |$n| { if $n == 2 { next('two') } $n }
        $chosen = 'b' ? { 'a' => 1, /b/ => [$0], default => 3 }
        [$sum.size, $text, $matched, $case, $none, $found, $kept, $chosen, unless false { 'done' }, shop::down(400)]
      }
    PUPPET
    down = "function shop::down($n) { if $n == 0 { 'end' } else { shop::down($n - 1) } }"
    cover("class shop {}", others: {"functions/all.pp" => function, "functions/down.pp" => down})
    plain = Puppetfn::Runtime.new(modulepath: [@root]).call_function("shop::all")
    expect(plain).to eq([100, "ab", "b", "1", nil, [1, 2, 3], [1, "two", 3], ["b"], "done", "end"])
    expect(@runtime.call_function("shop::all")).to eq(plain)
    expect(resultset["functions/down.pp"]["lines"]).to eq([401])
  end
end
