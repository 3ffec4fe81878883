# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "rbconfig"
require "rexml/document"
require "tmpdir"
require_relative "../support/coverage_dtd"
require_relative "../support/module_tree"
require_relative "../support/without_facterdb"

# `puppetfn test --coverage` on a module that keeps jam: which lines and branches of its code the examples reach.
RSpec.describe "puppetfn test --coverage" do
  root = File.expand_path("../..", __dir__)
  files = {
    "metadata.json" => ModuleTree.metadata("example-pantry"),
    "manifests/init.pp" => <<~PUPPET,
      # Keeps jam.
      class pantry (
        Boolean $cellar = false,
        Sensitive[String] $code = Sensitive('1234'),
      ) {
        if $cellar {
          file { '/cellar': ensure => directory }
        } elsif $facts['os']['family'] == 'Debian' {
          notify { 'shelf': }
        } else {
          notify { 'floor': }
        }
        case $facts['os']['family'] {
          'Debian': { $jam = 'plum' }
          'RedHat', 'Suse': { $jam = 'cherry' }
          default: { fail('no jam') }
        }
        $sugar = $jam ? {
          'plum'  => 1,
          default => 2,
        }
        pantry::jar { $jam: sugar => $sugar }
      }
    PUPPET
    "manifests/jar.pp" => <<~'PUPPET',
      define pantry::jar (Integer $sugar) {
        file { "/jars/${title}": content => epp('pantry/label.epp', { 'name' => $title, 'sugar' => pantry::spoons($sugar) }) }
      }
    PUPPET
    "manifests/unused.pp" => "class pantry::unused {\n  notify { 'unused <b>&amp; \"cold\"</b>': }\n}\n",
    "functions/spoons.pp" => <<~'PUPPET',
      function pantry::spoons(Integer $count) {
        unless $count > 1 { 'a spoon' } else { "${count} spoons" }
      }
    PUPPET
    "templates/label.epp" => "<%- | String $name, String $sugar | -%>\n<%= $name %>\n<% if $name == 'fig' { -%>\nrare\n<% } -%>\nwith <%= $sugar %>\n",
    "spec/classes/pantry_spec.rb" => <<~RUBY,
      describe "pantry" do
        context "on Debian" do
          let(:facts) { {os: {"family" => "Debian"}} }

          it { is_expected.to contain_notify("shelf") }
          it { is_expected.to contain_pantry__jar("plum").with_sugar(1) }
        end

        context "with a secret" do
          let(:facts) { {os: {"family" => "RedHat"}} }
          let(:params) { {code: sensitive("hush-hush")} }

          it { is_expected.to contain_file("/jars/cherry").with_content("cherry\nwith 2 spoons\n") }
        end
      end

      # The same catalog as above.
      describe "pantry" do
        let(:facts) { {os: {"family" => "Debian"}} }

        it { is_expected.to compile }
      end
    RUBY
    "spec/functions/spoons_spec.rb" => <<~RUBY
      describe "pantry::spoons" do
        it { is_expected.to run.with_params(3).and_return("3 spoons") }
      end
    RUBY
  }

  around do |example|
    Dir.mktmpdir do |directory|
      @module = File.join(File.realpath(directory), "pantry")
      files.each { |path, text| write(path, text) }
      example.run
    end
  end

  def write(path, text)
    path = File.join(@module, path)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
  end

  def attributes(element)
    element.attributes.to_h { |name, attribute| [name, attribute.value] }
  end

  def read(path)
    File.read(File.join(@module, path))
  end

  define_method(:run) do |*arguments, chdir: @module|
    environment = {**WithoutFacterDB::ENVIRONMENT, "XDG_CACHE_HOME" => @module}
    output, error, status = Open3.capture3(environment, RbConfig.ruby, File.join(root, "exe", "puppetfn"), "test", *arguments, chdir: chdir)
    [output, error, status.exitstatus]
  end

  it "prints the share of each file, and which lines and branches were missed" do
    output, error, status = run("--coverage")
    expect([error, status]).to eq(["", 0])
    expect(output).to end_with(<<~TEXT)

      Coverage of pantry: 1 of 1 functions

      File                   Lines         Branches         Missed lines | branches
      functions/spoons.pp  100.00%    2/2   100.00%    2/2
      manifests/init.pp     86.66%  13/15    77.77%    7/9  7, 16 | 6: then, 16: default
      manifests/jar.pp     100.00%    2/2         -
      manifests/unused.pp    0.00%    0/2         -         1-2
      templates/label.epp   75.00%    3/4    50.00%    1/2  4 | 3: then
      All files             80.00%  20/25    76.92%  10/13

      Resources: 50.00% (3/6)
        not tested: File[/jars/plum]
        not tested: Notify[floor]
        not tested: Pantry::Jar[cherry]
    TEXT
  end

  it "writes lcov's format" do
    output, _, status = run("--coverage=lcov")
    expect([output.lines.last, status]).to eq(["lcov: coverage/lcov.info\n", 0])
    expect(read("coverage/lcov.info")[%r{^TN:\nSF:manifests/init\.pp\n.*?end_of_record\n}m]).to eq(<<~LCOV)
      TN:
      SF:manifests/init.pp
      FN:2,pantry
      FNDA:3,pantry
      FNF:1
      FNH:1
      BRDA:6,0,0,0
      BRDA:6,0,1,3
      BRDA:8,1,0,2
      BRDA:8,1,1,1
      BRDA:13,2,0,2
      BRDA:13,2,1,1
      BRDA:13,2,2,0
      BRDA:18,3,0,2
      BRDA:18,3,1,1
      BRF:9
      BRH:7
      DA:2,3
      DA:4,2
      DA:6,3
      DA:7,0
      DA:8,3
      DA:9,2
      DA:11,1
      DA:13,3
      DA:14,2
      DA:15,1
      DA:16,0
      DA:18,3
      DA:19,2
      DA:20,1
      DA:22,3
      LF:15
      LH:13
      end_of_record
    LCOV
    expect(read("coverage/lcov.info")).to include("SF:manifests/unused.pp\nFN:1,pantry::unused\nFNDA:0,pantry::unused\n")
  end

  it "writes XML that the DTD of Cobertura allows" do
    run("--coverage=cobertura:reports/cobertura.xml")
    xml = REXML::Document.new(read("reports/cobertura.xml"))
    expect(xml.doctype.to_s).to include("coverage-04.dtd")
    expect(CoverageDTD.problems(xml.root)).to eq([])
    expect(attributes(xml.root).slice("lines-covered", "lines-valid", "branches-covered", "branches-valid"))
      .to eq("lines-covered" => "20", "lines-valid" => "25", "branches-covered" => "10", "branches-valid" => "13")
    expect(REXML::XPath.match(xml, "//class/@filename").map(&:value)).to eq(%w[
      functions/spoons.pp manifests/init.pp manifests/jar.pp manifests/unused.pp templates/label.epp
    ])
    line = REXML::XPath.first(xml, "//class[@name='init.pp']/lines/line[@number='13']")
    expect(attributes(line)).to eq("number" => "13", "hits" => "3", "branch" => "true", "condition-coverage" => "66% (2/3)")
  end

  it "writes SimpleCov's resultset beside the results of other commands" do
    write("coverage/.resultset.json", JSON.generate("RSpec" => {"coverage" => {}, "timestamp" => 1}))
    run("--coverage=simplecov")
    results = JSON.parse(read("coverage/.resultset.json"))
    expect(results.keys).to eq(["RSpec", "puppetfn test"])
    expect(results["puppetfn test"]["coverage"][File.join(@module, "functions/spoons.pp")]).to eq(
      "lines" => [4, 4, nil],
      "branches" => {"[:unless, 0, 2, 2, 2, 60]" => {"[:then, 1, 2, 22, 2, 31]" => 2, "[:else, 2, 2, 41, 2, 58]" => 2}}
    )
  end

  it "writes pages for browsers, in which code is only text" do
    output, = run("--coverage=html:site")
    expect(output.lines.last).to eq("html: site/index.html\n")
    expect(read("site/index.html")).to include('<a href="./manifests/unused.pp.html">manifests/unused.pp</a>')
    page = read("site/manifests/unused.pp.html")
    expect(page).to include("default-src 'none'", "unused &lt;b&gt;&amp;amp; &quot;cold&quot;&lt;/b&gt;", '<tr class="miss" id="L2">')
    expect(page).not_to include("<b>")
    expect(read("site/manifests/init.pp.html")).to include('<span class="note">not taken: default</span>')
  end

  it "shows no value that code has had" do
    run("--coverage=lcov,cobertura,html,simplecov")
    reports = Dir.glob("#{@module}/coverage/**/*", File::FNM_DOTMATCH).select { |path| File.file?(path) }
    expect(reports.size).to be >= 9
    expect(reports.grep_v(/\.pp\.html/).select { |path| File.read(path).match?(/hush-hush|1234/) }).to eq([])
    expect(reports.select { |path| File.read(path).include?("hush-hush") }).to eq([])
  end

  it "counts the same in several processes" do
    %w[one many].zip([[], ["--parallel", "3"]]) { |name, arguments| run("--coverage=lcov:#{name}.info", *arguments) }
    expect(read("many.info")).to eq(read("one.info"))
    expect(read("one.info")).to include("FNDA:3,pantry\n")
  end

  it "fails if less is covered than is wanted" do
    {
      "90" => "error: the coverage of lines is 80.00%, below the minimum of 90%\n",
      "lines=80,branches=76.92,definitions=75,resources=50" => "",
      "branches=76.93" => "error: the coverage of branches is 76.92%, below the minimum of 76.93%\n",
      "definitions=80" => "error: the coverage of definitions is 75.00%, below the minimum of 80%\n",
      "resources=51" => "error: the coverage of resources is 50.00%, below the minimum of 51%\n"
    }.each { |minimum, said| expect(run("--coverage-minimum", minimum).drop(1)).to eq([said, said.empty? ? 0 : 1]) }
  end

  it "takes files, reports and minima from puppetfn.toml, unless the command names others" do
    write("puppetfn.toml", <<~TOML)
      [coverage]
      exclude = ["manifests/unused.pp", "templates"]
      reports = ["lcov:lcov.info"]
      minimum = { lines = 85, branches = 90 }
    TOML
    output, error, status = run("--coverage")
    expect([output.lines.last, error, status]).to eq(["lcov: lcov.info\n", "error: the coverage of branches is 81.81%, below the minimum of 90%\n", 1])
    expect(read("lcov.info").scan(/^SF:(.*)/).flatten).to eq(%w[functions/spoons.pp manifests/init.pp manifests/jar.pp])

    output, _, status = run("--coverage=text", "--coverage-files", "templates/**/*.epp", "--coverage-exclude=none", "--coverage-minimum=branches=50,lines=75")
    expect([output.include?("All files"), output.include?("manifests/"), output.include?("lcov: "), status]).to eq([true, false, false, 0])
  end

  it "says which options are wrong" do
    {
      ["--coverage=xml"] => "there is no format 'xml' of coverage; expected one of text, lcov, cobertura, html, simplecov",
      ["--coverage-minimum", "statements=1"] => "there is no coverage of 'statements'; expected one of lines, branches, definitions, resources",
      ["--coverage-minimum", "101"] => "the minimum coverage of lines is a percentage from 0 to 100, not '101.0'",
      ["--coverage-minimum"] => "--coverage-minimum needs a value"
    }.each { |arguments, problem| expect(run(*arguments)).to eq(["", "error: #{problem}\n", 2]) }
  end

  it "fails if a report cannot be written" do
    write("taken", "")
    _, error, status = run("--coverage=lcov:taken/lcov.info")
    expect([error, status]).to match([/\Aerror: cannot write the coverage report: .*taken/, 1])
  end

  it "changes no verdict" do
    %w[bakery shop].each do |name|
      verdicts = [[], ["--coverage"]].map do |arguments|
        output, = run("--format", "json", *arguments, chdir: File.join(root, "spec", "rspec", "modules", name))
        JSON.parse(output[/^\{"version".*$/].gsub(/#<Proc:0x\h+/, "#<Proc")).fetch("examples").map { |example| [*example.values_at("id", "status"), example.dig("exception", "message")] }
      end
      expect(verdicts.last).to eq(verdicts.first)
    end
  end
end
