# frozen_string_literal: true

module Differential
  # What both sides know of the node, and how they show values.
  module HieraNode
    FACTS = {
      "hostname" => "web1", "os" => {"family" => "Debian", "name" => "Debian"}, "roles" => %w[web db none],
      "count" => 3, "truth" => true
    }.freeze
    VARIABLES = {"toplevel" => "top"}.freeze

    # The value of a block as text, or the error that it raises.
    def answer
      shown(yield)
    rescue StandardError, ScriptError => e
      "#{e.class.name.sub("Puppetfn::", "")}: #{e.message}"
    end

    def shown(value)
      case value
      when Array then "[#{value.map { |item| shown(item) }.join(", ")}]"
      when Hash then "{#{value.map { |key, item| "#{shown(key)} => #{shown(item)}" }.join(", ")}}"
      when nil, true, false, Integer, Float, String, Symbol then value.inspect
      else value.class.name.split("::").last
      end
    end
  end
end
