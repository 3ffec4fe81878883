# frozen_string_literal: true

# Writes the table of Puppet's settings from a real Puppet, whose `lib` directory is PUPPET_LIB (without it, an installed gem).
# Values that Puppet computes (Procs, and values of the user who runs it) are `Computed`: `settings/computed.rs` has them.
module SettingsTable
  FILE = "crates/runtime/src/settings/table.rs"
  # Settings whose value depends on the user or the Ruby that runs Puppet, though it is no Proc.
  COMPUTED = %i[confdir codedir vardir publicdir rundir logdir http_user_agent].freeze
  HEAD = <<~RUST
    //! The settings of Puppet %<version>s, in its order, with their defaults. `rake settings` writes this file.

    use super::{DefaultValue, Kind, Setting};

    /// All settings but `name`, which is no variable of `$settings`.
    pub(super) static SETTINGS: [Setting; %<count>d] = [
  RUST

  class << self
    def write
      $LOAD_PATH.unshift(ENV["PUPPET_LIB"]) if ENV["PUPPET_LIB"]
      require "puppet"
      # Nothing may depend on the configuration of the machine.
      Dir.mktmpdir { |root| Puppet.initialize_settings(["--confdir", root, "--vardir", root]) }
      File.write(FILE, text)
      sh("rustfmt", "--edition", "2024", FILE)
    end

    private

    def text
      known = []
      Puppet.settings.each { |name, setting| known << [name, setting] unless name == :name }
      rows = known.map { |name, setting| "    Setting::new(#{name.name.dump}, #{kind(setting)}, #{default(name, setting)}),\n" }
      format(HEAD, version: Puppet.version, count: known.size) + rows.join + "];\n"
    end

    def kind(setting)
      kind = setting.class.name[/(\w+)Setting\z/, 1]
      case kind
      when "Enum", "SymbolicEnum" then "Kind::#{kind}(&[#{setting.values.map { |value| value.to_s.dump }.join(", ")}])"
      when "Alias" then "Kind::Alias(#{setting.alias_name.name.dump})"
      when "Port" then "Kind::Integer"
      when "FileOrDirectory" then "Kind::File"
      when "TTL" then "Kind::Ttl"
      else "Kind::#{kind}"
      end
    end

    def default(name, setting)
      raw = setting.instance_variable_get(:@default)
      return "DefaultValue::Computed" if raw.is_a?(Proc) || COMPUTED.include?(name)

      case raw
      when nil then "DefaultValue::Undef"
      when true, false then "DefaultValue::Boolean(#{raw})"
      when Integer then "DefaultValue::Integer(#{raw})"
      when [] then "DefaultValue::NoElements"
      when String, Symbol then "DefaultValue::Text(#{raw.to_s.inspect.gsub('\#', "#").gsub('\\$', "$")})"
      else raise "#{name}: a default of #{raw.class} is new"
      end
    end
  end
end

desc "Write the table of Puppet's settings from a real Puppet 8.11 (PUPPET_LIB: its lib directory)"
task :settings do
  require "tmpdir"
  SettingsTable.write
end
