# frozen_string_literal: true

require "json"
require "yaml"

# The control repository in spec/control_repository: an environment with roles, profiles, modules, data, facts of two
# nodes and a node classifier.
module ControlRepository
  DIRECTORY = File.expand_path("../control_repository", __dir__)
  NODES = %w[web1.example.com db1.example.com].freeze

  # The file with the facts of a node.
  def self.facts_file(node)
    Dir.glob(File.join(DIRECTORY, "facts", "#{node}.{json,yaml}")).fetch(0)
  end

  # The facts themselves.
  def self.facts(node)
    text = File.read(facts_file(node))
    facts_file(node).end_with?(".json") ? JSON.parse(text).fetch("values") : YAML.safe_load(text)
  end
end
