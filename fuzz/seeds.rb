# frozen_string_literal: true

# Writes the inputs that fuzzing begins with, those of recorded cases: ruby fuzz/seeds.rb TARGET DIRECTORY

require "json"

REPOSITORY = File.expand_path("..", __dir__)

def cases(*files) = files.flat_map { |file| File.readlines("#{REPOSITORY}/spec/vectors/#{file}.jsonl").map { |line| JSON.parse(line) } }

def files(pattern) = Dir["#{REPOSITORY}/#{pattern}"].sort.map { |file| File.read(file) }

def language = %w[builtins control functions lambdas literals_strings operators types_in_code].map { |name| "lang/#{name}" }

# Models and objects as `puppetfn export-model` and `puppetfn write-object` write them.
MODELS = [
  <<~XML, <<~XML, <<~XML
    <?xml version="1.0" encoding="UTF-8"?>
    <ecore:EPackage xmlns:ecore="http://www.eclipse.org/emf/2002/Ecore" xmlns:xmi="http://www.omg.org/XMI" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmi:version="2.0" name="Shop" nsURI="puppet:/Shop" nsPrefix="shop">
      <eClassifiers xsi:type="ecore:EClass" name="User" abstract="true">
        <eStructuralFeatures xsi:type="ecore:EAttribute" name="name" lowerBound="1" eType="ecore:EDataType http://www.eclipse.org/emf/2002/Ecore#//EString"/>
        <eStructuralFeatures xsi:type="ecore:EAttribute" name="color" eType="#//Color" defaultValueLiteral="red"/>
        <eStructuralFeatures xsi:type="ecore:EReference" name="friends" upperBound="-1" eType="#//User" containment="true"/>
      </eClassifiers>
      <eClassifiers xsi:type="ecore:EClass" name="Admin" eSuperTypes="#//User"/>
      <eClassifiers xsi:type="ecore:EEnum" name="Color"><eLiterals name="red"/><eLiterals name="green" value="1"/></eClassifiers>
      <eSubpackages name="inner"><eClassifiers xsi:type="ecore:EDataType" name="Port" instanceClassName="int"/></eSubpackages>
    </ecore:EPackage>
  XML
    <?xml version="1.0" encoding="UTF-8"?>
    <types:Part xmlns:types="puppet:/" xmlns:xmi="http://www.omg.org/XMI" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmi:version="2.0" n="1" text="a&#10;&lt;&amp;&gt;&quot;" kind="red" next="//@sub.1">
      <sub xsi:type="types:Special" data="{&quot;a&quot;:[1,null]}" pattern="a.b"><versions>1.2.3</versions><versions>2.0.0-rc1</versions></sub>
      <sub n="2" next="/"><sub n="3" next="//@sub.0"/></sub>
    </types:Part>
  XML
    <Part xmlns="puppet:/"><!-- none --><text><![CDATA[a <b>]]></text><n>3</n></Part>
  XML
].freeze

CONFIGURATIONS = [
  "modulepath = ['modules']\nexclude = ['**/vendor', 'a.pp']\nfail-on-warnings = true\nmarkdown = true\n",
  "environment = '.'\nbaseline = 'baseline.json'\n[rules]\narithmetic = 'off'\nunused-variable = 'error'\n",
  "[rules]\nunknown-variable = \"warning\"\n",
].freeze

REQUESTS = [
  '{"node": "web1.example.com", "environment": "production", "facts": {"os": {"family": "Debian"}, "a": [1, 2.5, true, null]}}',
  '{"node": "web1", "environment": "a_1", "trusted": {"certname": "web1"}, "server_facts": {"serverversion": "8.11.0"}, "classes": ["a", "b::c"], "code_id": "x"}',
  '{"node": "web1", "environment": "production", "classes": {"a": {"p": {"__ptype": "Sensitive", "__pvalue": "s"}}, "b": null}, "parameters": {"x": "\\u00e9"}}',
  '{"node": "web1", "environment": "production", "with_exports": true, "transaction_uuid": null, "facts": {"t": {"__ptype": "Timestamp", "__pvalue": "2026"}}}',
  '{"node": "../a\\u0000", "environment": "../x", "factz": {}}'
].freeze

# The files of a module or environment, in the order in which the target has them.
def hiera(root)
  read = ->(*names) { names.map { |name| "#{root}/#{name}" }.find { |file| File.file?(file) }&.then { |file| File.read(file) }.to_s }
  configuration = read["hiera.yaml"]
  data = [read["data/common.yaml"], read["data/nodes/web1.yaml", "data/Debian.yaml", "data/a.yaml"], read["data/more.json"]]
  [[configuration, *data].join("\0"), ["", "", "", "", configuration, data.first].join("\0"), [*[""] * 6, configuration].join("\0")]
end

SEEDS = {
  "parse" => -> { cases("types/parse").map { |found| found["type"] } },
  # The first byte says how the text is read.
  "code" => -> { cases("lang/pn", "lang/parse_errors").map { |found| "\0#{found["code"]}" } },
  # The first bytes say that a text follows.
  "eval" => -> { cases(*language).map { |found| "\0\0\0\0#{found["code"]}" } },
  "catalog" => -> { cases("lang/resources").map { |found| "\0\0\0\0#{found["code"]}" } },
  # The first bytes are an offset.
  "fmt" => -> { [*files("tests/cases/fmt/*.pp"), *cases("lang/pn").map { |found| found["code"] }].map { |text| "\0\0#{text}" } },
  "cty" => lambda {
    found = cases(*Dir.children("#{REPOSITORY}/spec/vectors/cty").grep(/\Astdlib-.*\.jsonl\z/) { |name| "cty/#{File.basename(name, ".jsonl")}" })
    found.map { |one| [one["function"], *one["args"].map(&:to_json)].join("\n") }
  },
  "data" => -> { files("spec/differential/fixtures/**/*.{json,yaml}") },
  "hiera" => -> { ["", "/environments/production", *Dir.glob("environments/production/modules/*", base: HIERA).map { |name| "/#{name}" }].flat_map { |name| hiera("#{HIERA}#{name}") } },
  "catalog_request" => -> { REQUESTS },
  "template" => -> { files("spec/**/*.erb", "bench/**/*.erb") },
  "models" => -> { MODELS },
  "config" => -> { CONFIGURATIONS },
  "regex" => -> { cases("regex/ruby").map { |found| "#{found["regex"]}\0#{found["text"]}" } },
}.freeze
HIERA = "#{REPOSITORY}/spec/differential/fixtures/hiera"

target, directory = ARGV
SEEDS.fetch(target, -> { [] }).call.uniq.each_with_index { |text, index| File.binwrite("#{directory}/seed-#{index}", text) }
