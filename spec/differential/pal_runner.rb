# frozen_string_literal: true

# Answers the calls of pal_calls.rb with real Puppet's Puppet::Pal or with puppetfn's.
#
#     ruby spec/differential/pal_runner.rb puppet|puppetfn OUTCOMES
#
# OUTCOMES gets a JSON array of the answers.

require "fileutils"
require "json"
require "tmpdir"
require_relative "settings"
require_relative "pal_calls"

side, outcomes = ARGV
if side == "puppet"
  require "puppet_pal"
else
  $LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
  require "puppetfn/pal"
end

# What was logged, with the level of each message.
logs = []
answer = lambda do |world, code|
  logs.clear
  value = begin
    world.evaluate(code).inspect
  rescue StandardError, UncaughtThrowError => e
    "#{e.class.name.delete_prefix("Puppetfn::")}: #{e.message}"
  end
  [value, *logs.map { |level, text| "#{level}: #{text}" }].join("\n")
end

Dir.mktmpdir("differential") do |directory|
  Puppet.initialize_settings(["--vardir", "#{directory}/var", "--confdir", "#{directory}/conf", "--certname", "node.example.com"])
  if side == "puppet"
    Puppet[:disable_i18n] = true
    Puppet::Util::Log.close_all
    collected = Object.new
    collected.define_singleton_method(:<<) { |message| logs << [message.level, message.message.to_s] }
    Puppet::Util::Log.destinations[collected] = Puppet::Util::Log.desttypes[:array].new(collected)
  else
    collected = Object.new
    collected.define_singleton_method(:<<) { |message| logs << [message.level, message.message] }
    Puppet::Util::Log.newdestination(collected)
  end
  world = Differential::PalWorld.new(directory)
  answers = Differential::PAL_CALLS.map { |code| answer.call(world, code).gsub(directory, "<ROOT>") }
  File.write(outcomes, JSON.generate(answers))
end
