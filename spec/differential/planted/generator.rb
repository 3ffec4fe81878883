# frozen_string_literal: true

require_relative "../findings/confirmation"
require_relative "data_edits"
require_relative "edits"

module Differential
  module Planted
    # Draws mistakes for the code of modules, and keeps those that real Puppet fails for, or that are mistakes by their kind.
    class Generator
      # How often a kind is tried before there are no more of it.
      ATTEMPTS = 15

      # @param modules [String] the directory that they are in
      # @param facts [Array<Hash>]
      # @param reported [Enumerable<String>] files in which the checker finds something as they are
      def initialize(modules, facts, reported, seed)
        @modules, @facts = modules, facts
        @random = Random.new(seed)
        @files = Dir.glob("#{modules}/*/{manifests,functions,types}/**/*.pp").sort - reported.to_a
        @data = Dir.glob("#{modules}/*/data/**/*.yaml").sort - reported.to_a
        @confirmation = Findings::Confirmation.new([modules], facts)
      end

      # @param count [Integer]
      # @return [Array<Hash>] mistakes of all kinds in turn, no two of them in the same file
      # @yieldparam mistake [Hash] as it is found
      def draw(count)
        found, kinds = [], (Edits::KINDS + Edits::DATA).shuffle(random: @random)
        while found.size < count && (kind = kinds.shift)
          next unless (mistake = find(kind))

          found << mistake
          kinds << kind
          yield mistake if block_given?
        end
        found
      end

      private

      def find(kind)
        return find_in_data(kind) if Edits::DATA.include?(kind)

        @files.shuffle(random: @random).first(ATTEMPTS * 8).lazy.filter_map { |file| edit(file, kind) }.first(ATTEMPTS).each do |file, edit|
          next unless (said = confirmed(file, edit))

          @files.delete(file)
          return mistake(file, edit, said)
        end
        nil
      end

      def find_in_data(kind)
        @data.shuffle(random: @random).each do |file|
          edit, name = DataEdits.new(File.read(file), @random).of(kind).shuffle(random: @random).first(ATTEMPTS)
            .find { |_, parameter| planted?(kind, parameter) }
          next unless edit

          @data.delete(file)
          return mistake(file, edit, kind == "data-key" ? "" : "#{type_of(name)} expected")
        end
        nil
      end

      # Whether a class takes the parameter, and, of a value, not this one.
      def planted?(kind, parameter)
        type = type_of(parameter)
        type && (kind == "data-key" || !type.instance?(DataEdits::VALUE))
      end

      # The type of a parameter of a class by its full name; nil if there is none.
      def type_of(parameter)
        *scope, name = parameter.split("::")
        environment = ::Puppet::Node::Environment.create(:production, [@modules])
        type = nil
        Findings::Compilation.compile(Findings::Observation.new([]), environment, Findings::Compilation.node(environment, @facts.first)) do |compiler|
          found = ::Puppet.override(compiler.context_overrides) { environment.known_resource_types.find_hostclass(scope.join("::")) }
          type = found.argument_types[name] || ::Puppet::Pops::Types::PAnyType::DEFAULT if found&.arguments&.key?(name)
        end
        type
      end

      def mistake(file, edit, said)
        {"kind" => edit.kind, "file" => file.delete_prefix("#{@modules}/"), "offset" => edit.offset, "length" => edit.length,
         "text" => edit.text, "at" => edit.at, "puppet" => said}
      end

      def edit(file, kind)
        @edits ||= {}
        edits = @edits[file] ||= Edits.new(Findings::Compilation.tree(file), File.read(file), @random)
        found = edits.of(kind).sample(random: @random)
        [file, found] if found
      rescue ::Puppet::ParseError
        nil
      end

      # What Puppet says where the mistake is, and does not say of the code as it was; nil if it says nothing.
      def confirmed(file, edit)
        text = File.read(file)
        changed = edit.apply(text)
        Dir.mktmpdir("planted") do |directory|
          planted = copy(directory, file.delete_prefix("#{@modules}/"), changed)
          return parses?(planted) ? "" : nil if edit.words.nil?

          confirmation = Findings::Confirmation.new([directory, @modules], @facts)
          places = [finding(planted, changed, edit.at, edit), finding(file, text, edit.at_before, edit)]
          [false, true].each do |forced|
            said, before = [confirmation, @confirmation].zip(places).map do |one, place|
              one.messages(place, forced: forced).map { |message| message.gsub(directory, "").gsub(@modules, "").gsub(/, column: \d+/, "") }
            end
            return (said - before).first if (said - before).any?
          end
          nil
        end
      end

      def parses?(file)
        Findings::Compilation.tree(file)
        true
      rescue ::Puppet::ParseError
        false
      end

      # The module with the changed file; all else in it is what there is.
      def copy(directory, name, text)
        *around, file = name.split("/")
        around.inject([@modules, directory]) do |(from, to), part|
          from, to = File.join(from, part), File.join(to, part)
          Dir.mkdir(to)
          Dir.children(from).each { |child| File.symlink(File.realpath(File.join(from, child)), File.join(to, child)) unless name.start_with?("#{to.delete_prefix("#{directory}/")}/#{child}/") }
          [from, to]
        end
        planted = File.join(directory, *around, file)
        File.delete(planted)
        File.write(planted, text)
        planted
      end

      def finding(file, text, offset, edit)
        before = text.byteslice(0, offset).scrub
        {"file" => file, "line" => before.count("\n") + 1, "column" => before[/[^\n]*\z/].length + 1, "rule" => edit.kind, "message" => "", "words" => edit.words}
      end
    end
  end
end
