# frozen_string_literal: true

# Runs the recorded cases of the function API in real Puppet, each in an environment of its own, and prints what came of
# each: `ruby api.rb DIRECTORY`.

require "json"
require_relative "../../../vectors/ruby/api_world"
require_relative "../../../vectors/ruby/recorded"
require_relative "../outcome"
require_relative "../settings"
require_relative "../side/puppet"

# What comes of a case, and what it logs.
def outcome(ruby)
  Differential::Side::Puppet.in_environment([], {}, {}) do |side|
    outcome, logs = side.capture_logs { Vectors::ApiWorld.new(side.scope, side.loader).outcome(ruby) }
    logs = logs.select { |level, _| Differential::Outcome::LOGGED.include?(level) }
    logs.empty? ? outcome : outcome.merge("logs" => logs)
  end
end

Differential::Side::Puppet.with_settings do
  Vectors::Recorded.files(ARGV).flat_map(&:cases).each do |recorded|
    text = JSON.generate({"id" => recorded.id, **outcome(recorded.data.fetch("ruby"))})
    puts text.gsub(Differential::Outcome::ADDRESS, "0x…")
  end
end
