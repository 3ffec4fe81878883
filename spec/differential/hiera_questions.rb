# frozen_string_literal: true

require "yaml"

module Differential
  # What is asked of both sides about the fixture of three layers.
  module HieraQuestions
    DATA = File.expand_path("fixtures/hiera", __dir__)
    STRATEGIES = [nil, "first", "unique", "hash", "deep"].freeze
    MORE_STRATEGIES = [
      {"strategy" => "deep", "knockout_prefix" => "--"}, {"strategy" => "deep", "sort_merged_arrays" => true},
      {"strategy" => "deep", "merge_hash_arrays" => true}, {"strategy" => "unconstrained_deep", "knockout_prefix" => "--"},
      {"strategy" => "reverse_deep"}, {"strategy" => "hash"}, {"strategy" => "unique", "more" => 1}, {"other" => 1}
    ].freeze
    DUG = %w[
      table.nested.both table.nope list.0 list.99 list.x text.x integer.0 deep_table.a.l.1 'dotted.key'.'inner.key'.1.deep
      "dotted.key"."inner.key".0 dotted.key app::nested.a.b.2 app::users.bob.uid app::nested_fallback.a json_key.a.1 dug dug.a.0
      pk_x.y rk_interpolate.b.0 a..b .a 'a list. lookup_options lookup_options.x nope app::nope other::a other::b wrong::a
      none::a bare::a twice::a nofunction::a locations::a reserved::a badkey::a defaulted::a backend3::a undefd::a baduri::a method::a
      version3::a version9::a dated::a listed::a badopts::a prefixopts::a app::fallback app::last app::fallback_list app::made
      app::made_text app::os_only app::wheel uri uri_env mapped_db globbed globbed_b globbed_c mapped
      pk_a pk_fail pk_undef pk_nested pk_interpolated pk_module pk_loop
      rk_a rk_throw rk_raise rk_puppet rk_cache rk_file rk_interpolate rk_names rk_symbol rk_lookup
    ].push("uri_hello web1", "", " where ", "::where").freeze

    module_function

    def keys
      files = Dir.glob("#{DATA}/**/data/**/*.{yaml,yml}").reject { |file| file.match?(%r{/(wrong|dated|listed|badopts|prefixopts)/}) }
      files.flat_map { |file| YAML.safe_load_file(file, permitted_classes: [Symbol], aliases: true).keys }
        .map(&:to_s).uniq - ["lookup_options"]
    end

    def literal(value)
      case value
      when Hash then "{#{value.map { |key, item| "#{literal(key)} => #{literal(item)}" }.join(", ")}}"
      when String then "'#{value.gsub(/['\\]/) { |c| "\\#{c}" }}'"
      when nil then "undef"
      else value.to_s
      end
    end

    def all
      {"values" => values, "strategies" => strategies, "calls" => calls, "explanations" => explanations}
    end

    def values
      (keys + DUG).map { |key| ["evaluate", "lookup(#{literal(key)})"] }
    end

    def strategies
      merged = %w[list table deep_table hash_table knocked sorted records pat_one where scalar_or_list type_clash no_value nope
                  app::users app::list_one app::port]
      merged.product(STRATEGIES.drop(1) + MORE_STRATEGIES).map do |key, merge|
        ["evaluate", "lookup({name => #{literal(key)}, merge => #{literal(merge)}})"]
      end
    end

    def calls
      [
        "lookup('nope', String, 'first', 'd')", "lookup('nope', Integer, 'first', 'd')", "lookup('where', Integer)",
        "lookup('nope') |$k| { \"block ${k}\" }", "lookup(['nope', 'where'])", "lookup(['nope', 'nope2'])",
        "lookup(['nope', 'nope2']) |$k| { $k }", "lookup({name => 'where', override => {'where' => 'o'}})",
        "lookup({name => 'nope', default_values_hash => {'nope' => 'dv'}})", "lookup('no_value', {default_value => 1})",
        "lookup({name => 'looked_up', override => {'where' => 'over'}})", "lookup('list', Array[String], 'unique')",
        "lookup({name => 'interpolated', override => {'toplevel' => 'o'}})",
        "lookup({name => 'undefined_variable', default_values_hash => {'nothing_at_all' => 'dflt'}})",
        "lookup('list', undef, 'bogus')", "lookup('where', undef, undef, 'x')", "lookup('where', {value_type => Integer})",
        "lookup(['x', 'where'], {merge => 'first', value_type => String})",
        "hiera('where')", "hiera('nope', 'd')", "hiera_array('list')", "hiera_hash('table')", "hiera_array('where')",
        "hiera_hash('list')", "hiera('nope') |$k| { $k }", "hiera_include('nope', [])", "hiera('table.nested.both')",
        "$hostname_local = 5 lookup('interpolated')", "include app", "$app::port", "[$app::users, $app::missing, $app::wheel, $app::made]"
      ].map { |code| ["evaluate", code] }
    end

    def explanations
      shown = %w[where list only_global table.nested.both app::users app::fallback app::made app::nope none::a bare::a nope
                 looked_up interpolated port_text knocked pk_b rk_b dug.a lookup_options uri mapped globbed_c secret loop_a
                 aliased json_key list.99 no_value bad_merge other::b]
      shown.map { |key| ["explain", [key], nil, false] } +
        [["explain", %w[nope where], nil, false], ["explain", ["list"], "unique", false],
         ["explain", ["knocked"], {"strategy" => "deep", "knockout_prefix" => "--"}, false],
         ["explain", ["app::users"], "deep", false], ["explain", ["where"], nil, true], ["explain", ["app::users"], nil, true]]
    end
  end
end
