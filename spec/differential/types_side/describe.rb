# frozen_string_literal: true

require "json"
require_relative "../settings"

module Differential
  # What both sides tell of types of resources.
  module TypesSide
    # Titles for every type; more are drawn at random.
    TITLES = [
      "a", "a b", "/x", "/x/y/", "a/b", "a/b/c", "a:b", "a::b", "a::b::c", "::a", "a::", "a@b", "a@b/c.d", "user@host/*.*", "a.b.c",
      "100 rule", "INPUT:filter:IPv4", "a\nb", "a => b", "X-y-z", "[main]/key", "main/key/value", "é", " ", "0", "a;b", "a,b", "a|b|c"
    ].freeze
    CHARACTERS = ["a", "b", "Z", "1", "0", " ", "/", ":", "::", "@", "-", "_", ".", "[", "]", "\n", "*", "ü"].freeze
    RANDOM_TITLES = 60
    # Puppet's own types, but for `component`, which no code names.
    OWN = %w[
      exec file filebucket group notify package resources schedule service stage tidy user whit
    ].freeze

    class << self
      # @return [Array<String>]
      def titles
        random = Random.new(SEED)
        TITLES + Array.new(RANDOM_TITLES) { Array.new(random.rand(1..7)) { CHARACTERS.sample(random: random) }.join }
      end

      # Prints what a side says of each of Puppet's own types, and of those that modules define.
      #
      # @yieldparam name [String]
      # @yieldreturn [Class<Puppet::Type>, nil]
      def run(modulepath)
        names = modulepath.flat_map { |path| Dir["#{path}/*/lib/puppet/type/*.rb"] }.map { |file| File.basename(file, ".rb") }
        answers = (OWN + names.sort).uniq.to_h do |name|
          type = yield name
          [name, type ? describe(type, ->(title) { yield(name, title) }) : nil]
        rescue Exception => e # rubocop:disable Lint/RescueException
          [name, {error: error(e)}]
        end
        puts(JSON.generate(answers))
      end

      private

      def describe(type, parse)
        {
          attributes: type.allattrs, parameters: type.parameters, properties: type.properties.map(&:name),
          key_attributes: type.key_attributes, isomorphic: type.isomorphic? ? true : false, apply_to: type.apply_to,
          features: type.features, ensurable: type.ensurable?, relations: relations(type),
          classes: (type.parameters + type.validproperties).to_h { |name| [name, attribute(type.attrclass(name))] },
          providers: type.providers.sort.to_h { |name| [name, type.provider(name).features.sort] },
          titles: titles.to_h { |title| [title, parsed(title, parse)] }
        }
      end

      def relations(type)
        %i[eachautorequire eachautobefore eachautosubscribe eachautonotify].map do |method|
          found = []
          type.public_send(method) { |other, _| found << other }
          found
        end
      end

      # What can be asked of an attribute without a resource.
      def attribute(attribute)
        values = attribute.value_collection
        answers = [values.values, values.regexes, attribute.required?, attribute.isnamevar?, attribute.required_features]
        answers << attribute.method_defined?(:default) << attribute.method_defined?(:is_sensitive)
        answers << attribute.array_matching if attribute.respond_to?(:array_matching)
        answers.map { |answer| answer || false }
      end

      def parsed(title, parse)
        plain(parse.(title))
      rescue StandardError => e
        error(e)
      end

      def plain(values)
        values.map { |name, value| [name, value.inspect] }
      end

      def error(error)
        "#{error.class.name.delete_prefix("Puppetfn::")}: #{error.message.gsub(/0x\h+/, "0x")}"
      end
    end
  end
end
