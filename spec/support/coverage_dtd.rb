# frozen_string_literal: true

# Declarations of elements in Cobertura's DTD, http://cobertura.sourceforge.net/xml/coverage-04.dtd.
module CoverageDTD
  RATES = %w[line-rate branch-rate complexity].freeze

  # The children of each element as a pattern of their names, and the attributes that are required.
  ELEMENTS = {
    "coverage" => [/\A(sources )?packages \z/, [*RATES, "lines-covered", "lines-valid", "branches-covered", "branches-valid", "version", "timestamp"]],
    "sources" => [/\A(source )*\z/, []], "source" => [/\A\z/, []],
    "packages" => [/\A(package )*\z/, []], "package" => [/\Aclasses \z/, ["name", *RATES]],
    "classes" => [/\A(class )*\z/, []], "class" => [/\Amethods lines \z/, ["name", "filename", *RATES]],
    "methods" => [/\A(method )*\z/, []], "method" => [/\Alines \z/, ["name", "signature", *RATES]],
    "lines" => [/\A(line )*\z/, []], "line" => [/\A(conditions )*\z/, %w[number hits]],
    "conditions" => [/\A(condition )*\z/, []], "condition" => [/\A\z/, %w[number type coverage]]
  }.freeze
  # Attributes that an element may have besides.
  OPTIONAL = {"line" => %w[branch condition-coverage]}.freeze

  # @param element [REXML::Element]
  # @return [Array<String>] the violations of the DTD
  def self.problems(element)
    children, required = ELEMENTS.fetch(element.name) { return ["there is no element #{element.name}"] }
    names = element.elements.map { |child| "#{child.name} " }.join
    given = element.attributes.keys
    found = []
    found << "#{element.xpath}: #{names}" unless children.match?(names)
    found << "#{element.xpath} lacks #{required - given}" if (required - given).any?
    found << "#{element.xpath} has #{given - required}" if (given - required - OPTIONAL.fetch(element.name, [])).any?
    found + element.elements.flat_map { |child| problems(child) }
  end
end
