# frozen_string_literal: true

require "yaml"

# What both sides and the generator of calls agree on.
module Differential
  # The modules whose functions are compared: where Debian's puppet-module-* packages put them.
  MODULEPATH = ENV.fetch("PUPPETFN_MODULEPATH", "/usr/share/puppet/modules").split(File::PATH_SEPARATOR).freeze

  # The facts that the functions of these modules look at.
  FACTS = {
    "operatingsystem" => "Debian",
    "operatingsystemmajrelease" => "12",
    "memorysize" => "7.65 GiB",
    "os" => {"name" => "Debian", "release" => {"full" => "12.5", "major" => "12"}},
    "processors" => {"models" => ["First CPU", "Second CPU"]},
    "dotted.name" => {"a" => 1},
    "networking" => {"fqdn" => "Node.example.com"},
    "nothing" => nil
  }.freeze

  # Variables of the top scope, where functions of the 3.x API look for facts.
  VARIABLES = {
    "fqdn" => "node.example.com",
    "interfaces" => "eth0,lo",
    "ipaddress" => "10.1.2.3",
    "ipaddress6_eth0" => "2001:db8::1",
    "ipaddress_eth0" => "10.1.2.3",
    "ipaddress_lo" => "127.0.0.1",
    "network_eth0" => "10.0.0.0"
  }.freeze

  # Random calls are the same ones in every run.
  SEED = 4

  # The functions that are listed in uncalled.yaml under a heading, each with the reason.
  def self.uncalled(heading)
    YAML.load_file(File.join(__dir__, "uncalled.yaml")).fetch(heading)
  end

  FUNCTION_PATH = %r{/lib/puppet/functions/(?<name>.+)\.rb\z}

  # The names of all functions of the 4.x API on the module path, with their files.
  def self.function_files
    files = MODULEPATH.flat_map { |dir| Dir.glob("#{dir}/*/lib/puppet/functions/**/*.rb") }
    files.sort.to_h { |file| [file[FUNCTION_PATH, :name].gsub("/", "::"), file] }
  end

  # Puppet's built-in functions that give the same answer each time and need no catalog, no files and no
  # Hiera: those of the 4.x API, and those of the old one.
  BUILTINS = %w[
    abs alert all annotate any assert_type binary_file call camelcase capitalize ceiling chomp chop compare convert_to
    crit debug defined dig downcase each emerg empty epp err filter find_file find_template flatten floor get getvar
    group_by index info inline_epp join keys length lest lstrip map match max min module_directory new notice
    partition reduce regsubst reverse_each round rstrip size slice sort split step strftime strip then tree_each type
    unique unwrap upcase values versioncmp warning with
  ].freeze
  OLD_BUILTINS = %w[digest fail file fqdn_rand inline_template md5 sha1 sha256 shellquote sprintf tagged template].freeze

  # The files of the built-in functions of the 4.x API. Needs real Puppet.
  def self.builtin_files
    BUILTINS.to_h do |name|
      [name, $LOAD_PATH.map { |dir| File.join(dir.to_s, "puppet/functions/#{name}.rb") }.find { |file| File.exist?(file) }]
    end
  end

  LEGACY_FUNCTION_PATH = %r{/lib/puppet/parser/functions/(?<name>\w+)\.rb\z}

  # The names of all functions of the 3.x API on the module path.
  def self.legacy_function_names
    files = MODULEPATH.flat_map { |dir| Dir.glob("#{dir}/*/lib/puppet/parser/functions/*.rb") }
    files.map { |file| file[LEGACY_FUNCTION_PATH, :name] }.sort.uniq
  end

  ALIAS_DEFINITION = /^type\s+(?<name>[A-Z]\w*(?:::[A-Z]\w*)+)\s*=/

  # The names of all type aliases on the module path.
  def self.alias_names
    files = MODULEPATH.flat_map { |dir| Dir.glob("#{dir}/*/types/**/*.pp") }
    files.map { |file| File.read(file)[ALIAS_DEFINITION, :name] }.compact.sort.uniq
  end
end
