# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"
require "yaml"
require_relative "../support/module_tree"

# `puppetfn lookup` has the output and exit codes of `puppet lookup` 8.11.
RSpec.describe "puppetfn lookup" do
  include ModuleTree

  files = {
    "hiera.yaml" => <<~YAML,
      version: 5
      hierarchy:
        - {name: Node, path: "nodes/%{trusted.certname}.yaml"}
        - {name: Site, path: "sites/%{site}.yaml"}
        - {name: All, path: all.yaml}
    YAML
    "data/all.yaml" => <<~'YAML',
      lookup_options:
        users: {merge: unique}
        secret: {convert_to: Sensitive}
      text: hello
      number: "42"
      yes_or_no: "yes"
      letter: "y"
      nothing: ~
      empty: ""
      lines: "a\nb\n"
      path: /etc/motd
      version: "1.10"
      face: "\U0001F600"
      long: "wordy wordy wordy wordy wordy wordy wordy wordy wordy wordy wordy wordy wordy wordy"
      list: [a, "n", "#b", ~, {k: [], h: {}}]
      users: [c, d]
      tree: {a: [1, 2], b: {c: d}}
      secret: hidden
      big: 1.0e+20
      server: "%{server_facts.serverversion} %{environment}"
    YAML
    "data/nodes/web.yaml" => "users: [a, c]\ntree: {a: [0, 1], b: {e: '--c'}}\n",
    "data/sites/berlin.yaml" => "of_site: here\n",
    "manifests/site.pp" => "$site = 'berlin'\nnotice('compiled')\n",
    "enc.yaml" => "parameters: {role: db}\nclasses: []\n"
  }

  around do |example|
    with_modules(files.transform_keys { |path| "production/#{path}" }) do |root|
      @environment = "#{root}/production"
      example.run
    end
  end

  def lookup(*arguments)
    command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), "lookup", "--environment", @environment,
               "--node", "web", "--setting", "strict_variables=false", "--strict", "off", *arguments]
    Open3.capture3(*command).then { |out, err, status| [out, status.exitstatus, err] }
  end

  {
    %w[text] => "--- hello\n",
    %w[number] => "--- '42'\n",
    %w[yes_or_no] => "--- 'yes'\n",
    %w[letter] => "--- \"y\"\n",
    %w[nothing] => "---\n",
    %w[empty] => "--- ''\n",
    %w[lines] => "--- |\n  a\n  b\n",
    %w[path] => "--- \"/etc/motd\"\n",
    %w[version] => "--- '1.10'\n",
    %w[face] => "--- \"\\U0001F600\"\n",
    %w[long] => "--- wordy wordy wordy wordy wordy wordy wordy wordy wordy wordy wordy wordy wordy\n  wordy\n",
    %w[list] => "---\n- a\n- \"n\"\n- \"#b\"\n-\n- k: []\n  h: {}\n",
    %w[users] => "---\n- a\n- c\n- d\n",
    %w[tree.b.e] => "--- \"--c\"\n",
    %w[server] => "--- 8.11.0 production\n",
    %w[list --render-as json] => %(["a","n","#b",null,{"k":[],"h":{}}]\n),
    %w[big --render-as JSON] => "1.0e+20\n",
    %w[list --render-as s] => %(["a", "n", "#b", nil, {"k"=>[], "h"=>{}}]\n),
    %w[lines --render-as s] => "a\nb\n",
    %w[nothing --render-as s] => "\n",
    %w[secret --render-as json] => %("Sensitive [value redacted]"\n),
    %w[users --merge first] => "---\n- a\n- c\n",
    %w[tree --merge deep] => "---\na:\n- 1\n- 2\n- 0\nb:\n  c: d\n  e: \"--c\"\n",
    %w[tree --merge deep --sort-merged-arrays] => "---\na:\n- 0\n- 1\n- 2\nb:\n  c: d\n  e: \"--c\"\n",
    %w[tree --merge deep --knock-out-prefix --] => "---\na:\n- 1\n- 2\n- 0\nb:\n  c: d\n  e: ''\n",
    %w[none text] => "--- hello\n",
    %w[none --default -x] => "--- \"-x\"\n",
    %w[of_site --compile] => "--- here\n",
    %w[of_site -c] => "--- here\n"
  }.each do |arguments, output|
    it("prints #{arguments.join(" ")}") { expect(lookup(*arguments).first(2)).to eq([output, 0]) }
  end

  {
    %w[none] => /did not find a value for the name 'none'/,
    %w[of_site] => /did not find a value/,
    %w[lookup_options] => /did not find a value/,
    %w[text --type Integer] => /Found value has wrong type, expects an Integer value, got String/,
    %w[none --default x --type Integer] => /Default value has wrong type, expects an Integer value, got String/,
    %w[text --explain --type Integer] => /Found value has wrong type/,
    %w[tree --sort-merged-arrays --merge hash] =>
      /The options --knock-out-prefix, --sort-merged-arrays, and --merge-hash-arrays are only available with '--merge deep'/,
    %w[tree --merge all] => /invalid value 'all' for '--merge/,
    %w[text --render-as xml] => /invalid value 'xml' for '--render-as/,
    ["text", "--type", "Integer["] => /--type: /,
    %w[text --unknown] => /unexpected argument '--unknown'/,
    %w[] => /<KEY>/,
    %w[text --enc enc.yaml] => /--enc needs --compile, which compiles the catalog/
  }.each do |arguments, error|
    it("refuses #{arguments.join(" ")}") { expect(lookup(*arguments)).to match(["", 1, error]) }
  end

  it "sees what the classifier says where the catalog is compiled" do
    File.write("#{@environment}/data/all.yaml", "role: \"%{role}\"\n")
    expect(lookup("role", "--compile", "--enc", "#{@environment}/enc.yaml")).to match(["--- db\n", 0, /^notice: .*compiled$/])
  end

  it "explains without paths that the configuration interpolates" do
    expect(lookup("text", "--explain").first(2)).to match([include("Found key: \"text\" value: \"hello\"").and(satisfy { |text| !text.include?("Interpolation on") }), 0])
  end

  it "explains keys without a value, and that is no failure" do
    expect(lookup("none", "--explain").first(2)).to match([/Function lookup\(\) did not find a value for the name 'none'\n\z/, 0])
  end

  it "does not tell again of options that the compilation has read" do
    File.write("#{@environment}/manifests/site.pp", "notice(lookup('a::b', default_value => 1))")
    expect(lookup("text", "--compile", "--explain").first).to start_with("Searching for \"text\"\n")
  end

  merged = {branches: [
    {branches: [{key: "tree", value: {"a" => [0, 1], "b" => {"e" => "--c"}}, event: :found, type: :path,
                 original_path: "nodes/%{trusted.certname}.yaml", path: "/nodes/web.yaml"}],
     type: :data_provider, name: "Hierarchy entry \"Node\""},
    {branches: [{event: :location_not_found, type: :path, original_path: "sites/%{site}.yaml", path: "/sites/.yaml"}],
     type: :data_provider, name: "Hierarchy entry \"Site\""},
    {branches: [{key: "tree", value: {"a" => [1, 2], "b" => {"c" => "d"}}, event: :found, type: :path,
                 original_path: "all.yaml", path: "/all.yaml"}],
     type: :data_provider, name: "Hierarchy entry \"All\""}
  ], value: {"a" => [1, 2, 0], "b" => {"c" => "d", "e" => "--c"}}, event: :result, type: :merge, merge: :deep,
            options: {"sort_merged_arrays" => false, "merge_hash_arrays" => false}}

  it "explains in YAML, with Ruby's symbols and aliases" do
    out, code = lookup("tree", "--merge", "deep", "--explain", "--render-as", "yaml")
    said = YAML.safe_load(out.gsub("#{@environment}/data", ""), permitted_classes: [Symbol], aliases: true)
    options, tree = said.fetch(:branches)
    expect([code, options.slice(:key, :type), tree.slice(:key, :type)]).to eq([0, {key: "lookup_options", type: :root}, {key: "tree", type: :root}])
    provider = tree[:branches].first[:branches].last
    expect(provider[:branches]).to eq([merged])
    expect(provider).to include(name: "Environment Data Provider (hiera configuration version 5)", configuration_path: "#{@environment}/hiera.yaml")
    expect(out).to include("      :value: &2\n          a:\n", "    :value: *2\n")
  end

  it "explains in JSON" do
    out, code = lookup("tree", "--merge", "deep", "--explain", "--render-as", "json")
    provider = JSON.parse(out.gsub("#{@environment}/data", ""))["branches"].last["branches"].first["branches"].last
    expect([code, provider["branches"]]).to eq([0, [JSON.parse(JSON.generate(merged))]])
  end

  it "explains the options alone" do
    out, code = lookup("--explain-options", "--render-as", "json")
    expect([code, JSON.parse(out).slice("value", "type", "merge")]).to eq(
      [0, {"value" => {"users" => {"merge" => "unique"}, "secret" => {"convert_to" => "Sensitive"}}, "type" => "merge", "merge" => "hash"}]
    )
  end
end
