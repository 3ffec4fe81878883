# frozen_string_literal: true

module Differential
  # Manifests that each call one function that works on the catalog, or looks up data, with arguments of all kinds.
  module CatalogCalls
    PRELUDE = <<~PUPPET
      class a { notify { 'in a': } }
      class b($x = 1) { notify { "b ${x}": } }
      class m::c { notify { 'in c': tag => 'own' } }
      define d($p = 1) { notify { "d ${title} ${p}": } }
      notify { 'n': } @notify { 'v1': } @file { '/v2': }
    PUPPET

    NAMES = %w['a' 'nope' '' '::a' 'm::c' 'A' 'notify' 'v1' 'x.y'].freeze
    REFERENCES = %w[
      Class[a] Class['a','m::c'] Class Class[nope] Notify[n] Notify['v1'] Notify['v1','n'] Notify File['/v2'] D[x]
      Resource['notify','v1'] Resource Integer
    ].freeze
    HASHES = [
      "{}", "{'x' => {}}", "{'x' => {'message' => 'y'}}", "{'x' => 1}", "{'a' => {'x' => 2}}", "{'n' => {}}",
      "{'x' => {'nope' => 1}}", "{'x' => undef}", "{'message' => 'z'}", "{'x' => {}, 'y' => {'p' => 3}}", "{'name' => 'a'}"
    ].freeze
    OTHERS = ["['a', 'm::c']", "['a', ['b']]", "[]", "['nope', 1]", "undef", "default", "1", "1.5", "true", "/x/", "Sensitive('a')"].freeze
    ALL = (NAMES + REFERENCES + HASHES + OTHERS).freeze

    # What is looked up: keys, types, merges, and values where nothing is found.
    LOOKUPS = [
      %w['a' 'x.y' ['a','b'] [] 1 undef], %w[undef String Integer Array Hash 'a'], %w[undef 'first' 'unique' 'deep' 'nope' {'strategy'=>'hash'} 1],
      %w['d' 1 [1,2] {'k'=>'v'} undef]
    ].freeze

    # What a resource is created of.
    TYPES = %w['notify' '@notify' '@@notify' 'class' 'd' '@d' 'nope' 'Notify' ''].freeze

    # Functions that give a value, and those that do not.
    VALUES = %w[include contain require tagged defined lookup hiera hiera_array hiera_hash].freeze
    STATEMENTS = %w[realize tag create_resources hiera_include].freeze
    COMBINED = 40

    module_function

    # @return [Hash{String=>Array<String>}] the manifests by the names of the functions
    def all
      random = Random.new(1)
      (VALUES + STATEMENTS).to_h do |name|
        calls = arguments(name, random).map { |list| "#{name}(#{list.join(", ")})" }
        calls.map! { |call| "$result = [#{call}]\nnotify { 'result': message => String($result) }" } if VALUES.include?(name)
        [name, calls.map { |call| "#{PRELUDE}#{call}\n" }]
      end
    end

    def arguments(name, random)
      pairs = Array.new(COMBINED) { ALL.sample(2, random: random) }
      [[]] + ALL.map { |value| [value] } + pairs + combined(name, random)
    end

    def combined(name, random)
      case name
      when "create_resources" then TYPES.product(HASHES) + TYPES.product(HASHES, HASHES).sample(COMBINED, random: random)
      when "lookup" then LOOKUPS.first.product(*LOOKUPS.drop(1)).sample(2 * COMBINED, random: random)
      else []
      end
    end
  end
end
