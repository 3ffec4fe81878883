# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"
require "tmpdir"
require_relative "tree"

module Differential
  module FileServer
    # Compares the answers of Puppet's file server and of puppetfn's to random requests.
    class Judge
      ROOT = File.expand_path("../../..", __dir__)
      PUPPET = [RbConfig.ruby, "-W0", File.join(__dir__, "puppet_side.rb")].freeze
      PUPPETFN = %w[cargo run --quiet --profile quick --package puppetfn-fileserver --example answer_requests].freeze
      # Requests for each tree.
      REQUESTS = 40
      # Puppet serves any file of the machine for such keys. puppetfn has to refuse them.
      UNSAFE_KEY = %r{^/|^\w+:/}
      # Puppet logs all modules that it ignores when it loads an environment.
      MODULE_FAULT = /\bmetadata\b.* (?:provided for|The parse error|must be an array)|metadata\.json of the module/

      # @param seeds [Enumerable<Integer>]
      # @return [Hash] how many answers are the same by status, and the differences
      def compare(seeds)
        result = {"counts" => Hash.new(0), "differences" => []}
        in_directory do |directory|
          documents = seeds.map { |seed| Tree.new(seed, File.join(directory, seed.to_s)).write(REQUESTS) }
          requests = documents.flat_map { |document| document.fetch("requests") }
          labels = seeds.flat_map { |seed| [seed] * REQUESTS }
          text = JSON.generate(documents)
          theirs, ours = [PUPPET, PUPPETFN].map { |command| Thread.new { answers(command, text) } }.map(&:value)
          labels.zip(requests, theirs, ours) { |answers| judge(result, *answers) }
        end
        result
      end

      private

      def judge(result, seed, request, puppet, puppetfn)
        is_unsafe = request.fetch("key").match?(UNSAFE_KEY)
        if is_unsafe && puppetfn.fetch("status") != 200
          result["counts"]["refused"] += 1
        elsif is_unsafe || puppet != puppetfn
          result["differences"] << [seed, request, puppet, puppetfn].map(&:to_s)
        else
          result["counts"][puppet.fetch("status")] += 1
        end
      end

      # @yieldparam directory [String] a directory that is removed, whatever modes its files have
      def in_directory
        Dir.mktmpdir("fs") do |directory|
          yield directory
        ensure
          system("chmod", "-R", "u+rwX", directory, exception: true)
        end
      end

      def answers(command, text)
        output, log, status = Open3.capture3(*command, stdin_data: text, chdir: ROOT)
        raise("#{command}: #{log}") unless status.success?

        output.lines.map do |line|
          answer = JSON.parse(line)
          answer["body"] = common(answer.fetch("body"))
          answer["log"] = answer.fetch("log").grep_v(MODULE_FAULT).map { |message| common(message) }
          answer
        end
      end

      # The Ruby of puppetserver does not name the function of C that failed. In one message, Puppet shows an object for its file.
      def common(text)
        text.gsub(/ @ \w+ - /, " - ").gsub(/<WatchedFile: filename = (.*?), timeout = \d+>/, '\1').sub(/undefined method `name' for nil:NilClass.*(?=; using)/m, "undefined method `name' for nil")
      end
    end
  end
end
