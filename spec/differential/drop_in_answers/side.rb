# frozen_string_literal: true

# Compiles records with real Puppet, with or without the drop-in: see DropInAnswers.
#
#     ruby spec/differential/drop_in_answers/side.rb DIRECTORY [the drop-in's library]
#
# The options of a record come in as a line of JSON, after its files were written into DIRECTORY; the answer goes out as a line
# of JSON. Each record has a process of its own, forked from one that has loaded Puppet.

require "json"
require "puppet"
require "facter"
require "tempfile"

# Puppet as a server has it, for environments below the directory.
module AnswerSide
  # The catalogs that a record is compiled to: the environment is new, then kept, then another new one.
  ROUNDS = %w[fresh kept anew].freeze
  TIME_LIMIT = 60
  # These differ in each run.
  VOLATILE = %w[catalog_uuid version].freeze
  LOG = []

  class << self
    def start(directory)
      @directory = directory
      settings = {"confdir" => "conf", "vardir" => "var", "environmentpath" => "", "basemodulepath" => "base"}
      Puppet.initialize_settings(settings.flat_map { |name, path| ["--#{name}", File.join(directory, path)] })
      Puppet::Util::Log.close_all
      Puppet::ApplicationSupport.push_application_context(Puppet::Util::RunMode[:user])
      Puppet::Util::Log.destinations[self] = Puppet::Util::Log.desttypes[:array].new(LOG)
      # Shared libraries are loaded once.
      environment = Puppet::Node::Environment.create(:warm, [])
      Puppet.override(current_environment: environment) { compile(environment, {}) }
      clear
    end

    # Answers in a process of its own.
    #
    # @param options [Hash{String=>Object}]
    # @return [Array<Hash>] the answer of each round
    def answer(options)
      Tempfile.create("answer") do |file|
        pid = fork do
          $stdout.reopen($stderr)
          file.write(JSON.generate(answers(options)))
          file.close
          exit!(0)
        end
        wait(pid)
        File.read(file.path).then { |text| text.empty? ? [{"raised" => "the process ended by #{$?.inspect[/SIG\w+|exit \d+/]}"}] : JSON.parse(text) }
      end
    end

    private

    def wait(pid)
      killer = Thread.new { sleep(TIME_LIMIT) && Process.kill(:KILL, pid) }
      Process.wait(pid)
    ensure
      killer.kill
    end

    def answers(options)
      configure(options)
      srand(1)
      kept = nil
      ROUNDS.each_with_index.map do |round, index|
        clear
        kept = Puppet.lookup(:environments).get!("env") unless round == "kept" && kept
        round_answer(kept, options.merge((options["rounds"] || [])[index] || {}))
      rescue Exception => e # rubocop:disable Lint/RescueException
        {"raised" => anonymous("#{e.class}: #{e.message}"), "log" => log}
      end
    end

    def configure(options)
      Puppet[:strict] = (options["strict"] || "error").to_sym
      Puppet[:strict_variables] = options["strict_variables"] != false
      Puppet[:hiera_config] = File.expand_path(options["hiera_config"], @directory) if options["hiera_config"]
      (options["settings"] || {}).each { |name, value| Puppet[name.to_sym] = value }
    end

    # Messages that are logged once per process.
    def clear
      LOG.clear
      Puppet.clear_deprecation_warnings
      Puppet::Util::Warnings.clear_warnings
    end

    def round_answer(environment, options)
      before = counts
      begin
        answer = catalog_data(compile(environment, options))
      rescue Exception => e # rubocop:disable Lint/RescueException
        answer = {"raised" => anonymous("#{e.class}: #{e.message}")}
      end
      answer.merge("log" => log, "by" => compiled_by(before))
    end

    def compile(environment, options)
      name, enc = options["node"] || "n.example.com", options["enc"] || {}
      node = Puppet::Node.new(name, environment: environment, classes: enc["classes"] || [], parameters: enc["parameters"] || {})
      node.fact_merge(Puppet::Node::Facts.new(name, JSON.parse(JSON.generate(options["facts"] || {}))))
      node.environment = environment
      node.trusted_data = options["trusted"] if options["trusted"]
      node.add_server_facts(options["server_facts"]) if options["server_facts"]
      Puppet.override(rich_data: true) { Puppet::Parser::Compiler.compile(node) }
    end

    def catalog_data(catalog)
      data = Puppet.override(rich_data: true) { catalog.to_data_hash.except(*VOLATILE) }
      # The data does not distinguish Symbols from Strings, nor show virtual resources. The drop-in does not load implementations of classes.
      shapes = catalog.resources.map do |resource|
        [resource.ref, resource.title.class.name, resource.virtual? ? 1 : 0, resource.exported? ? 1 : 0, (resource.resource_type.class.name unless resource.class?),
         resource.to_hash.map { |parameter, value| [parameter.inspect, shape(value)] }]
      end
      versions = [catalog.client_version, catalog.server_version]
      JSON.parse(anonymous(JSON.generate("catalog" => data, "shapes" => shapes, "versions" => versions)))
    end

    def shape(value)
      case value
      when Array then value.map { |element| shape(element) }
      when Hash then value.map { |key, element| [shape(key), shape(element)] }
      when Puppet::Pops::Types::PSensitiveType::Sensitive then ["Sensitive", shape(value.unwrap)]
      else value.class.name
      end
    end

    def log
      LOG.map do |entry|
        place = [entry.file, entry.line, entry.pos, entry.environment, entry.node, entry.issue_code]
        [entry.level, entry.source, anonymous(entry.message), entry.tags.to_a.sort, place.map(&:to_s)].map { |part| part.is_a?(Array) ? part : part.to_s }
      end
    end

    def anonymous(text)
      text.scrub.gsub(/0x\h{8,16}/, "0x")
    end

    # Whether the drop-in compiles, it counts.
    def counts
      defined?(Puppetfn::DropIn::CatalogCompiler) ? Puppetfn::DropIn::CatalogCompiler.counts : nil
    end

    def compiled_by(before)
      return unless before

      after = counts
      return "puppetfn" if after[:taken] > before[:taken]

      (after[:declined].find { |reason, count| count != before[:declined][reason] } || ["unknown"]).first
    end
  end
end

directory, drop_in = ARGV
if drop_in
  $LOAD_PATH.unshift(drop_in)
  require "puppetfn/puppet"
end
answers = $stdout.dup
answers.sync = true
AnswerSide.start(directory)
answers.puts(Puppet.version)
$stdin.each_line { |line| answers.puts(JSON.generate(AnswerSide.answer(JSON.parse(line)))) }
