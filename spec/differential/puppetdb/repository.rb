# frozen_string_literal: true

require "fileutils"
require "json"

module Differential
  module PuppetDB
    # A random control repository whose nodes export and collect resources.
    class Repository
      VALUES = ["'a'", "'B'", "1", "1.5", "true", "['a','b']", "[1,['x']]", "{'k' => 1, 'aa' => [1], 'b' => undef}", "Integer[1,2]",
                "Sensitive('s')", "Timestamp(0)", "default", "undef", "/a\\/b/", "File['/x']", "Binary('aGk=')", "'Web'",
                "SemVer('1.2.3')", "['b','A']", "''"].freeze
      COMPARED = VALUES.select { |value| value.start_with?("'", "1", "t") || %w[undef default].include?(value) }.freeze
      TAGS = %w[web Web DB db x::y mon].freeze
      OVERRIDES = {"Notify" => "message => 'over'", "D" => "p => 'over'", "File" => "mode => '0600'"}.freeze
      DEFINITIONS = "define d($p = 'dp', $q = undef) { notify { \"d ${title}\": message => \"${p} ${q}\" } }\n" \
                    "class c0 { notify { 'inc0': } }\n"
      private_constant :VALUES, :COMPARED, :TAGS, :OVERRIDES, :DEFINITIONS

      # @return [Array<String>] the names of the nodes
      attr_reader :nodes

      # @param seed [Integer]
      def initialize(seed)
        @random = Random.new(seed)
        # Nodes of other repositories may still be in PuppetDB.
        @nodes = Array.new(@random.rand(3..6)) { |index| "n#{index}.r#{seed}.example.com" }
        @facts = @nodes.to_h { |node| [node, facts(node)] }
        @bodies = @nodes.to_h { |node| [node, body(node)] }
      end

      # Changes the definition of a node.
      #
      # @return [String] the node
      def change
        pick(@nodes).tap { |node| @bodies[node] = body(node) }
      end

      # Writes the repository, with facts of the nodes in the directory `facts`.
      #
      # @param directory [String]
      # @return [void]
      def write(directory)
        FileUtils.mkdir_p(["#{directory}/manifests", "#{directory}/modules"])
        FileUtils.mkdir_p("#{directory}/facts")
        @facts.each { |node, facts| File.write("#{directory}/facts/#{node}.json", JSON.generate(facts)) }
        File.write("#{directory}/manifests/site.pp", DEFINITIONS + @bodies.map { |node, body| "node '#{node}' {\n#{body}\n}\n" }.join)
      end

      private

      def facts(node)
        {"clientcert" => node, "clientversion" => "8.11.0", "clientnoop" => false, "text" => "h\u00e9",
         "os" => {"family" => pick(%w[Debian RedHat]), "numbers" => [1, -2.5, @random.rand(100)], "nothing" => nil, "yes" => true}}
      end

      def pick(values) = values[@random.rand(values.size)]

      def maybe?(share) = @random.rand < share

      def body(node)
        host = node[/\A\w+/]
        lines = Array.new(@random.rand(5)) { |index| resource(host, index) }
        lines << "Notify { withpath => true }" if maybe?(0.3)
        lines << "tag('mon')" if maybe?(0.3)
        lines.concat(Array.new(@random.rand(4)) { collector })
        lines << "include c0" if maybe?(0.3)
        [*lines, "notify { 'z': }"].map { |line| "  #{line}" }.join("\n")
      end

      def resource(host, index)
        type = pick(%w[notify d notify file])
        title = maybe?(0.9) ? pick(["#{host} #{pick(%w[a b c])}#{index}", "#{host} a", "shared#{@random.rand(10)}"]) : "same"
        parameters = own_parameters(type, host, index).merge(metaparameters(host, index))
        title = "/#{title.tr(" ", "/")}" if type == "file"
        "#{pick(%w[@@ @@ @@ @] << "")}#{type} { '#{title}': #{parameters.map { |name, value| "#{name} => #{value}" }.join(", ")} }"
      end

      def own_parameters(type, host, index)
        case type
        when "notify" then sample(%w[message withpath loglevel])
        when "d" then sample(%w[p q])
        else
          {"path" => "'/p/#{host}#{index}/'", "content" => pick(["'x'", "Sensitive('y')"])}.select { maybe?(0.5) }
        end
      end

      def sample(names)
        names.shuffle(random: @random).take(@random.rand(3)).to_h { |name| [name, pick(VALUES)] }
      end

      def metaparameters(host, index)
        {"tag" => [0.6, pick(["'web'", "['Web','mon']", "['x::y']", "'DB'"])],
         "alias" => [0.2, pick(["'al#{host}#{index}'", "['al#{host}#{index}','am#{host}#{index}']"])],
         "before" => [0.15, "Notify['z']"]}.select { |_, (share, _)| maybe?(share) }.transform_values(&:last)
      end

      def collector
        type = pick(%w[Notify D File Notify])
        override = " { #{OVERRIDES[type]} }" if maybe?(0.3)
        "#{type} <<| #{condition if maybe?(0.75)} |>>#{override}#{pick(["", "", "", " -> Notify['z']"])}"
      end

      def condition(depth = 0)
        return "(#{condition(depth + 1)} #{pick(%w[and or])} #{condition(depth + 1)})" if depth < 2 && maybe?(0.45)

        operator = pick(%w[== == !=])
        case @random.rand
        when 0...0.35 then "tag #{operator} '#{pick(TAGS)}'"
        when 0.35...0.5 then "title #{operator} '#{pick(["n0 a", "n1 a", "n2 b", "x"])}'"
        else "#{pick(%w[message withpath loglevel p q])} #{operator} #{pick(COMPARED)}"
        end
      end
    end
  end
end
