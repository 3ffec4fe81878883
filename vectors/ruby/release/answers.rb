# frozen_string_literal: true

# Answers recorded cases with the Puppet or OpenVox in the load path: a case of JSON a line of standard input, an outcome a line of
# standard output. Each case has a process of its own. `script/record_release` runs it.

require "fileutils"
require "json"
require "tmpdir"
require "facter"
require "puppet_pal"
require_relative "type_operations"

module Release
  # The outcomes of cases: a `result`, or the `error` that ended them, and the `logs` from notice on.
  module Answers
    DIRECTORY = Dir.mktmpdir("release")
    OWNER = Process.pid
    LEVELS = %w[notice warning err alert emerg crit].freeze
    LIBRARY = File.dirname($LOADED_FEATURES.find { |path| path.end_with?("/puppet.rb") })
    # Members of a catalog that differ from one compilation to the next.
    VOLATILE = %w[catalog_uuid version].freeze
    private_constant :DIRECTORY, :OWNER, :LEVELS, :LIBRARY, :VOLATILE

    at_exit { FileUtils.remove_entry(DIRECTORY) if Process.pid == OWNER }

    class << self
      def start
        Puppet.initialize_settings(["--vardir", "#{DIRECTORY}/var", "--confdir", "#{DIRECTORY}/conf", "--codedir", "#{DIRECTORY}/code",
          "--certname", "node.example.com"])
        Puppet[:strict] = :error
        cases = $stdin.readlines
        # Programs that code runs may read it.
        $stdin.reopen(File::NULL)
        cases.each { |line| puts(isolated(JSON.parse(line, allow_nan: true))) }
      end

      private

      def isolated(recorded)
        reader, writer = IO.pipe
        pid = fork do
          reader.close
          writer.write(JSON.generate(outcome(recorded), allow_nan: true))
          writer.close
          exit!(0)
        end
        writer.close
        text = reader.read
        Process.wait(pid)
        text.empty? ? JSON.generate("error" => "the case ended its process") : text
      end

      def outcome(recorded)
        logs = []
        in_tree(recorded["files"]) do |root|
          hide = ->(text) { text.gsub(root, "<ROOT>").gsub(LIBRARY, "<PUPPET>") }
          answer = logged(logs) { answer(recorded, root) }
          {**answer, "logs" => logs}.transform_values { |value| JSON.parse(hide.call(JSON.generate(value, allow_nan: true)), allow_nan: true) }
        end
      end

      def answer(recorded, root)
        kind = %w[files ruby calls code source op].find { |key| recorded.key?(key) && (key != "files" || recorded.key?("opts")) }
        {"result" => send(:"answer_#{kind}", recorded, root)}
      rescue SystemExit, Interrupt, NoMemoryError
        raise
      rescue Exception => e # rubocop:disable Lint/RescueException
        {"error" => "#{e.class}: #{e.message}"}
      end

      def logged(list)
        destination = Object.new
        destination.define_singleton_method(:<<) do |message|
          list << [message.level.to_s, message.to_s.sub(/\A\(.*?\) /, "")] if LEVELS.include?(message.level.to_s)
          self
        end
        Puppet::Util::Log.close_all
        Puppet::Util::Log.destinations[destination] = Puppet::Util::Log.desttypes[:array].new(destination)
        yield
      end

      def in_tree(files)
        root = File.realpath(Dir.mktmpdir("case", DIRECTORY))
        %w[env modules].each { |name| FileUtils.mkdir_p(File.join(root, name)) }
        files&.each do |name, text|
          path = File.expand_path(name, files.key?("site.pp") ? "#{root}/env" : root)
          path = path.sub(%r{/site\.pp\z}, "/manifests/site.pp")
          FileUtils.mkdir_p(File.dirname(path))
          File.binwrite(path, text.gsub(/<DIR>|%DIR%/, root))
          File.chmod(0o755, path) if path.end_with?(".sh")
        end
        yield root
      end

      # Code of the language: a script, or a manifest whose catalog counts.
      def answer_code(recorded, _root)
        Puppet::Pal.in_tmp_environment("production", modulepath: [], facts: recorded["facts"] || {}) do |pal|
          next catalog_of(pal, recorded["code"]) if recorded["id"].start_with?("resources/")

          pal.with_script_compiler { |compiler| shown(compiler.evaluate_string(recorded["code"], "/test.pp")) }
        end
      end

      def catalog_of(pal, code)
        pal.with_catalog_compiler do |compiler|
          compiler.evaluate_string(code, "/test.pp")
          compiler.compile_additions
          compiler.with_json_encoding(pretty: false, exclude_virtual: true) { |encoder| JSON.parse(encoder.encode).except(*VOLATILE) }
        end
      end

      # An expression about the types and functions of a prelude.
      def answer_source(recorded, _root)
        Puppet::Pal.in_tmp_environment("production", modulepath: [], facts: {}) do |pal|
          pal.with_script_compiler do |compiler|
            compiler.evaluate_string(recorded["prelude"])
            shown(compiler.evaluate_string(recorded["source"]))
          end
        end
      end

      # An operation of types and values.
      def answer_op(recorded, _root)
        Puppet::Pal.in_tmp_environment("production", modulepath: [], facts: {}) do |pal|
          pal.with_script_compiler do |compiler|
            compiler.evaluate_string(recorded["prelude"])
            TypeOperations.new(compiler).answer(recorded)
          end
        end
      end

      # A snippet of Ruby against the API of functions.
      def answer_ruby(recorded, _root)
        Puppet::Pal.in_tmp_environment("vectors", modulepath: [], facts: {}) do |pal|
          pal.with_script_compiler do |compiler|
            context = Context.new(compiler.send(:topscope), Puppet.lookup(:loaders).private_environment_loader)
            context.instance_eval { binding }.eval(recorded["ruby"], "case.rb", 1).inspect
          end
        end
      end

      # Calls of functions in a tree of modules.
      def answer_calls(recorded, root)
        modulepath = (recorded["modulepath"] || ["modules"]).map { |name| File.join(root, name) }
        options = recorded["manifest"] ? {manifest_file: File.join(root, recorded["manifest"])} : {}
        directory = File.join(root, recorded["environment"] || "env")
        Puppet::Pal.in_environment("env", env_dir: directory, modulepath: modulepath, facts: {}) do |pal|
          compile = recorded["compiler"] == "catalog" ? :with_catalog_compiler : :with_script_compiler
          pal.public_send(compile, **options) { |compiler| recorded["calls"].map { |call| called(compiler, call) } }
        end
      end

      def called(compiler, call)
        shown(call.key?("eval") ? compiler.evaluate_string(call["eval"]) : compiler.call_function(call["fn"], *call["args"]))
      rescue StandardError => e
        "#{e.class}: #{e.message}"
      end

      # The catalog of an environment.
      def answer_files(recorded, root)
        opts = recorded["opts"]
        Puppet[:strict] = (opts["strict"] || "error").to_sym
        Puppet[:strict_variables] = opts.fetch("strict_variables", true)
        Puppet.override(environments: Puppet::Environments::Directories.new(root, ["#{root}/base"])) do
          environment = Puppet.lookup(:environments).get!("env")
          Puppet.override(current_environment: environment) { data_of(Puppet::Parser::Compiler.compile(node(opts, environment))) }
        end
      end

      def node(opts, environment)
        name = opts["node"] || "n.example.com"
        facts = opts["facts"] || {}
        classes = opts.dig("enc", "classes") || []
        node = Puppet::Node.new(name, environment: environment, facts: Puppet::Node::Facts.new(name, facts), classes: classes,
          parameters: facts.merge(opts.dig("enc", "parameters") || {}))
        node.trusted_data = opts["trusted"] || {"authenticated" => "local", "certname" => name}
        node.add_server_facts("serverversion" => Puppet.version)
        node
      end

      def data_of(catalog)
        Puppet.override(rich_data: true) { catalog.to_data_hash }.except(*VOLATILE)
      end

      # The value as code, or as Ruby shows it.
      def shown(value)
        Puppet::Pops::Types::StringConverter.convert(value, "%p")
      rescue StandardError
        value.inspect
      end
    end

    # The methods that snippets of Ruby can call.
    class Context
      attr_reader :scope, :loader

      def initialize(scope, loader)
        @scope = scope
        @loader = loader
      end

      def make(function) = function.new(scope, loader)

      def call(function, *arguments, &block)
        function = make(function) if function.is_a?(Class)
        function.call(scope, *arguments, &block)
      end
    end
    private_constant :Context
  end
end

$stdout.sync = true
Release::Answers.start
