# frozen_string_literal: true

require "json"
require "open3"
require "tmpdir"
require "yaml"

require_relative "../support/document_blocks"
require_relative "../support/document_worlds"

# Every block of code of every document does what it says: Ruby in a process of its own, commands among the files that they name.
RSpec.describe "the documents" do
  root = DocumentBlocks::ROOT
  blocks = DocumentBlocks.all

  # What other tests run, with what the document is called there.
  elsewhere = {
    ["README.md", "sh", 1] => "rakelib/pkg.rake", ["README.md", "sh", 2] => "spec/unit/continuous_integration_spec.rb",
    ["README.md", "sh", 4] => "rakelib/pkg.rake",
    ["docs/specs.md", "ruby", 1] => "spec/rspec/documentation_spec.rb", ["docs/specs.md", "ruby", 2] => "spec/rspec/documentation_spec.rb",
    ["docs/specs.md", "yaml", 1] => "spec/rspec/documentation_spec.rb", ["docs/specs.md", "yaml", 2] => "spec/rspec/documentation_spec.rb",
    ["docs/check.md", "puppet"] => "crates/check/tests/document.rs", ["docs/check.md", "puppet reported"] => "crates/check/tests/document.rs",
    ["docs/check.md", "puppet fixed"] => "crates/check/tests/document.rs",
    ["docs/check.md", "yaml"] => "crates/check/tests/document.rs", ["docs/check.md", "yaml reported"] => "crates/check/tests/document.rs",
    ["docs/check.md", "json"] => "crates/check/tests/document.rs", ["docs/check.md", "json reported"] => "crates/check/tests/document.rs",
    ["docs/check.md", "ini"] => "crates/check/tests/document.rs", ["docs/check.md", "ini reported"] => "crates/check/tests/document.rs",
    ["docs/check.md", "ruby"] => "crates/check/tests/document.rs", ["docs/check.md", "ruby reported"] => "crates/check/tests/document.rs",
    ["docs/style-rules.md", "puppet"] => "crates/check/tests/document.rs", ["docs/style-rules.md", "puppet reported"] => "crates/check/tests/document.rs",
    ["docs/style-rules.md", "puppet fixed"] => "crates/check/tests/document.rs",
    ["docs/get-started-rust.md", "console"] => "tests/get_started.rs",
    # The command does not end by itself.
    ["README.md", "console", 2] => "spec/serve/agents_spec.rb",
    ["docs/reference/entity-types.md", "puppet"] => "tests/puppetfn/entity/document.rs"
  }
  place = ->(block) { elsewhere[[block.document, block.language, block.number]] || elsewhere[[block.document, block.language]] }

  installation = ["script/demo.rb", '"gem", "build"', '"gem", "install"']
  of_release = ["installs the program of a release", "installs the gem of a release"]

  it "are run by tests that are there" do
    elsewhere.each do |(document, *), file|
      wanted = file.end_with?("pkg.rake") ? installation : of_release if document == "README.md"
      wanted = ["puppet agent -t --noop --server localhost --serverport 8140"] if file == "spec/serve/agents_spec.rb"
      expect(File.read(File.join(root, file))).to include(*(wanted || File.basename(document)))
    end
    expect(blocks.size).to be > 170
  end

  around { |example| Dir.mktmpdir { |directory| @directory = File.realpath(directory); example.run } }

  # What commands say, and how they ended.
  define_method(:shell) do |document, script, input = ""|
    where = (@where ||= DocumentWorlds.prepare(document, @directory))
    environment = {
      "PATH" => [File.join(@directory, "bin"), File.join(root, "exe"), ENV.fetch("PATH")].join(":"), "HOME" => @directory, "LC_ALL" => "C.UTF-8",
      "RUBYLIB" => File.join(root, "lib"), "XDG_CACHE_HOME" => @directory, "RUBYOPT" => nil
    }
    said, status = Open3.capture2e(environment, "bash", "-c", script, chdir: where, stdin_data: input)
    [said.gsub(where, "/code"), status.exitstatus]
  end

  # What differs from one run to the next, and lines that are left out.
  define_method(:like) do |output|
    lines = output.lines.map do |line|
      line.strip == "..." ? "(?:.*\\n)*?" : Regexp.escape(line).gsub(/\d+\\\.\d+(?=\\ s)/) { "\\d+\\.\\d+" }
    end
    /\A#{lines.join}\z/
  end

  define_method(:check_console) do |block|
    block.code.split(/^\$ /).drop(1).each do |example|
      command, output = example.split("\n", 2)
      said = shell(block.document, command)
      code = command.match?(/(?:\A|&& )puppetfn diff /) ? 2 : 0
      expect(said).to match([like(output), output.match?(/^[eE]rror: |^ *Failure\/Error: /) ? 1 : code]), "$ #{command}\n#{said.first}"
    end
  end

  # `diff` finds differences, and `--lint` what is wrong, as they are there to do.
  define_method(:check_sh) do |block|
    said, = shell(block.document, "set -o pipefail -E; trap 'echo \"FAILED: $BASH_COMMAND\"' ERR\n#{block.code}")
    expect(said.lines.grep(/^error: |^FAILED: (?!diff |puppetfn diff |puppetfn doc --lint )/)).to eq([]), said
  end

  # Where programs stand, specs are those of the module around them.
  define_method(:check_ruby) do |block|
    next expect(DocumentBlocks.run_ruby(block.code)).to eq("") unless block.document == "docs/specs.md"

    place = "spec/#{DocumentWorlds.place_of_specs(block.code)}"
    said, status = shell("a module", "mkdir -p #{place} && cat > #{place}/example_spec.rb && puppetfn test", block.code)
    expect(status).to eq(0), said
    expect(said).to match(/^[1-9]\d* examples?, 0 failures$/)
  end

  # The settings of a project: as `puppetfn.toml`, with the baseline that they name.
  define_method(:check_toml) do |block|
    # Settings of an editor and of cargo are only read.
    if block.document.match?(%r{/(?:editors|get-started-rust)\.md\z})
      next expect(shell(block.document, "python3 -c 'import sys, tomllib; tomllib.load(sys.stdin.buffer)'", block.code)).to eq(["", 0])
    end

    unless block.code.include?("baseline")
      said, status = shell(block.document, "cat > puppetfn.toml && puppetfn check . && puppetfn fmt --check .", block.code)
      next expect([said.include?("error: "), status]).to match([false, be_between(0, 1)])
    end

    expect(shell(block.document, "cat > puppetfn.toml && puppetfn check . --write-baseline && puppetfn check .", block.code))
      .to match([/\A\d+ findings? written to \S+\n\z/, 0])
  end

  # The settings of editors: whether these could read them.
  define_method(:check_lua) do |block|
    script = "cat > x.lua && nvim --headless -u NONE -c \"lua if not loadfile('x.lua') then vim.cmd('cquit') end\" -c qall"
    expect(shell(block.document, script, block.code).last).to eq(0)
  end

  define_method(:check_json) { |block| expect(JSON.parse(block.code)).to be_a(Hash) }

  # Code in Rust is a part of an example, which `cargo test` compiles.
  define_method(:check_rust) do |block|
    examples = Dir["#{root}/{,crates/*/}examples/*.rs"].map { |file| File.read(file) }
    expect(examples).to include(a_string_including(block.code))
  end

  define_method(:check_elisp) do |block|
    code = block.code.gsub(/"[^"]*"/, "")
    expect(code.count("(")).to eq(code.count(")")).and be_positive
  end

  define_method(:check_puppet) do |block|
    expect(shell(block.document, "cat > x.pp && puppetfn check x.pp", block.code)).to eq(["", 0])
  end

  # Of jobs for servers, the commands of puppetfn; of the settings of pre-commit, what the hook runs; else what a classifier says.
  define_method(:check_yaml) do |block|
    read = YAML.safe_load(block.code)
    if block.document == "docs/compile.md"
      said, status = shell(block.document, "cat > enc.yaml && puppetfn compile web1.example.com --environment . --facts facts/web1.example.com.json --enc enc.yaml --format summary", block.code)
      next expect([status, said]).to match([0, /^node +web1\.example\.com$/]), said
    end

    commands = commands_of(read)
    expect(commands).not_to be_empty
    commands.each do |command|
      said, code = shell(block.document, "export CI_NODE_INDEX=1 CI_NODE_TOTAL=1 JOB_COMPLETION_INDEX=0 PUPPETFN_SHARDS=1; #{command.chomp} 2>&1 | tee log; exit ${PIPESTATUS[0]}")
      expect(code).to be_between(0, command.include?("diff") ? 2 : 1), said
      expect(said).not_to start_with("error: ")
    end
  end

  define_method(:commands_of) do |read|
    hooks = YAML.load_file(File.join(root, ".pre-commit-hooks.yaml")).to_h { |hook| [hook["id"], hook["entry"]] }
    case read
    when Hash
      return [[hooks.fetch(read["id"]), *read["args"]].join(" ")] if read.key?("id") && read.key?("args")
      # Our action for GitHub, and our component for GitLab, whose steps another spec runs.
      inputs = read["inputs"] || (read["with"] if read["uses"].to_s.start_with?("puppetfn/"))
      revisions = "origin/main HEAD" if inputs&.fetch("command", nil) == "diff"
      return [["puppetfn", inputs.fetch("command", "check"), revisions, inputs["arguments"]].compact.join(" ")] if inputs

      read.values.flat_map { |value| commands_of(value) }
    when Array then (read.first == "puppetfn") ? [read.join(" ")] : read.flat_map { |value| commands_of(value) }
    else read.to_s.lines.grep(/\Apuppetfn (check|doc|diff|compile|fleet)/)
    end
  end

  # What a run with coverage says.
  define_method(:check_text) do |block|
    said, = shell("docs/specs.md", "rm spec/functions/price_spec.rb; puppetfn test --coverage")
    expect(said).to include(block.code)
  end

  blocks.reject(&place).each do |block|
    it "are right about #{block}" do
      expect(respond_to?(:"check_#{block.language}")).to be(true), "nothing runs this block"
      send(:"check_#{block.language}", block)
    end
  end
end
