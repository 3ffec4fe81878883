# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require_relative "rule_set"

module Differential
  module Authorization
    # Compares the decisions of puppetserver's authorization with puppetfn's for random rules and requests.
    class Judge
      PUPPETFN = %w[cargo run --quiet --profile quick --package puppetfn-authorization --example authorize_requests].freeze
      # Requests for each set of rules.
      REQUESTS = 30

      # @param root [String] a root with Debian's packages of puppetserver or PuppetDB
      def initialize(root)
        @root = File.expand_path(root)
        jar = File.join(@root, "usr/share/java/trapperkeeper-authorization.jar")
        raise("#{@root} has no trapperkeeper-authorization") unless File.exist?(jar)
      end

      # @param seeds [Enumerable<Integer>]
      # @return [Hash] counts by outcome; requests that only puppetserver allows; and differences
      def compare(seeds)
        result = {"counts" => Hash.new(0), "stricter" => [], "differences" => []}
        in_directory do |directory|
          documents = seeds.map { |seed| document(seed, directory) }
          pairs = documents.flat_map { |document| document.fetch("requests").map { |request| [document, request] } }
          pairs.zip(puppetserver(documents, directory), puppetfn(documents)) { |pair, theirs, ours| judge(result, pair, theirs, ours) }
        end
        result
      end

      private

      # @yieldparam directory [String] a directory that both sides see by the same name below the root
      def in_directory
        directory = "/tmp/authorization-#{Process.pid}"
        FileUtils.mkdir_p(File.join(@root, directory))
        yield directory
      ensure
        FileUtils.rm_rf(File.join(@root, directory))
      end

      def document(seed, directory)
        rules = RuleSet.new(seed)
        file = "#{directory}/#{seed}.conf"
        File.write(File.join(@root, file), rules.text)
        {"file" => file, "requests" => Array.new(REQUESTS) { rules.request }}
      end

      def judge(result, (document, request), theirs, ours)
        if ours == theirs || (ours.key?("invalid") && theirs.key?("invalid"))
          result["counts"][ours.key?("invalid") ? "invalid" : ours.fetch("allowed") ? "allowed" : "denied"] += 1
        elsif theirs.key?("failed") && ours["allowed"] == false
          result["counts"]["failed"] += 1
        else
          kind = theirs["allowed"] && ours["allowed"] == false ? "stricter" : "differences"
          result[kind] << [File.read(File.join(@root, document.fetch("file"))), request, theirs, ours]
        end
      end

      def puppetserver(documents, directory)
        File.write(File.join(@root, directory, "documents.json"), JSON.generate(documents))
        FileUtils.cp(File.join(__dir__, "puppetserver_side.clj"), File.join(@root, directory))
        classes = '$(ls /usr/share/java/*.jar | grep -v test | tr "\n" ":")'
        command = "java -Dlogback.configurationFile=/dev/null -cp #{classes} clojure.main #{directory}/puppetserver_side.clj #{directory}/documents.json"
        output, log, status = Open3.capture3("chroot", @root, "sh", "-c", command)
        raise(log) unless status.success?

        output.lines.filter_map { |line| JSON.parse(line.delete_prefix("answer ")) if line.start_with?("answer ") }
      end

      def puppetfn(documents)
        seen = documents.map { |document| document.merge("file" => File.join(@root, document.fetch("file"))) }
        output, log, status = Open3.capture3(*PUPPETFN, stdin_data: JSON.generate(seen), chdir: File.expand_path("../../..", __dir__))
        raise(log) unless status.success?

        output.lines.map { |line| JSON.parse(line) }
      end
    end
  end
end
