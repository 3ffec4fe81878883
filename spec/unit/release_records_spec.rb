# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "rbconfig"
require "tmpdir"

# `script/record_release` records the cases of spec/vectors that releases of OpenVox answer otherwise than Puppet 8.
RSpec.describe "recorded cases" do
  root = File.expand_path("../..", __dir__)
  node = / on node n(?:ode)?\.example\.com/

  # The text of an error without its class and the node, and the logs without errors, which a script reports by itself.
  define_method(:comparable) do |answer|
    error = answer["error"]&.sub(/\A[\w:]+: /, "")&.gsub(node, "")
    logs = answer["logs"].reject { |level, _| level == "err" }.map { |level, text| [level, text.gsub(node, "")] }
    {"result" => answer["result"], "error" => error, "logs" => logs}
  end

  define_method(:in_tree) do |files, &block|
    Dir.mktmpdir do |directory|
      top = File.realpath(directory)
      %w[env modules].each { |name| FileUtils.mkdir_p(File.join(top, name)) }
      files&.each do |name, text|
        path = File.expand_path(name, files.key?("site.pp") ? "#{top}/env" : top).sub(%r{/site\.pp\z}, "/manifests/site.pp")
        FileUtils.mkdir_p(File.dirname(path))
        File.write(path, text.gsub(/<DIR>|%DIR%/, top))
      end
      block.call(top)
    end
  end

  # Code in the language, or calls of functions in a tree of modules.
  define_method(:evaluated) do |recorded, target|
    in_tree(recorded["files"]) do |top|
      modulepath = (recorded["modulepath"] || ["modules"]).map { |name| File.join(top, name) }
      runtime = Puppetfn::Runtime.new(modulepath: modulepath, target: target, facts: recorded["facts"] || {}, node: nil)
      shown = ->(value) { runtime.call_function("new", runtime.type("String"), value, "%p") }
      answer = begin
        values = (recorded["calls"] || [{"eval" => recorded["code"]}]).map do |call|
          shown.call(call["eval"] ? runtime.evaluate_string(call["eval"], ("/test.pp" if recorded["code"])) : runtime.call_function(call["fn"], *call["args"]))
        end
        {"result" => recorded["calls"] ? values : values.first}
      rescue StandardError, ScriptError, SecurityError => e
        {"error" => "#{e.class}: #{e.message}"}
      end
      text = JSON.generate(answer.merge("logs" => runtime.logs.map { |level, message| [level.name, message] })).gsub(top, "<ROOT>")
      JSON.parse(text)
    end
  end

  # The standard error of `puppetfn compile`, with the log and the error.
  define_method(:compiled) do |recorded, target|
    in_tree(recorded["files"]) do |top|
      command = [RbConfig.ruby, File.join(root, "exe/puppetfn"), "compile", "n.example.com", "--environment", "#{top}/env", "--target", target]
      opts = recorded["opts"]
      command += ["--hiera-config", "#{top}/#{opts["hiera_config"]}"] if opts["hiera_config"]
      facts = File.join(top, "facts.json")
      File.write(facts, JSON.generate(opts["facts"] || {}))
      _, err, = Open3.capture3(*command, "--facts", facts, "--strict", opts["strict"] || "error")
      err.gsub(top, "<ROOT>")
    end
  end

  Dir[File.join(root, "spec/vectors/openvox*/differences.json")].each do |file|
    target = File.basename(File.dirname(file))
    cases = JSON.parse(File.read(file))

    it "of code are answered as #{target} does, and as Puppet 8 does" do
      of_code = cases.reject { |recorded| recorded.key?("opts") }
      expect(of_code.size).to be > 10
      ["puppet8", target].each do |release|
        answers = of_code.to_h { |recorded| [recorded["id"], comparable(evaluated(recorded, release))] }
        expect(answers).to eq(of_code.to_h { |recorded| [recorded["id"], comparable(recorded[release])] })
      end
    end

    it "of environments are answered as #{target} does" do
      of_environments = cases.select { |recorded| recorded.key?("opts") }
      expect(of_environments).not_to be_empty
      of_environments.each do |recorded|
        messages = [recorded[target]["error"]&.sub(/\A[\w:]+: /, ""), *recorded[target]["logs"].map(&:last)].compact
        expect(compiled(recorded, target)).to include(*messages.map { |message| message.lines.first.chomp }), recorded["id"]
      end
    end
  end
end
