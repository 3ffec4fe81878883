# frozen_string_literal: true

# Records digests of the REFERENCE.md that Puppet Strings writes for modules of Debian's packages.
#
#     PUPPET_LIB=<a checkout of Puppet>/lib STRINGS_LIB=<a checkout of Puppet Strings>/lib ruby spec/vectors/reference/generate.rb
#
# Writes digests.json, and ../packages.json with the versions of the packages.

%w[PUPPET_LIB STRINGS_LIB].each { |name| $LOAD_PATH.unshift(ENV.fetch(name)) if ENV.key?(name) }

require "digest"
require "json"
require "tmpdir"
require_relative "../../../vectors/ruby/recorder"

modules = %w[
  alternatives apache apt archive chrony concat corosync firewall galera haproxy inifile keystone memcached mysql ntp openssl postgresql rabbitmq
  redis ssh stdlib systemd vcsrepo
]
Vectors::PackageList.write(modules)
directory = Vectors::Modules.of(__dir__).directory

require "puppet"
require "puppet-strings"

# Runs YARD in a process of its own, because YARD's registry is global.
def digest(path)
  Dir.mktmpdir do |output|
    file = File.join(output, "REFERENCE.md")
    Vectors::Recorder.in_process do
      $stdout.reopen(File::NULL)
      Dir.chdir(path) { PuppetStrings.generate(PuppetStrings::DEFAULT_SEARCH_PATTERNS, markdown: true, path: file) }
    end
    Digest::SHA256.file(file).hexdigest
  end
end

digests = modules.to_h { |name| [name, digest(File.join(directory, name))] }
File.write(File.join(__dir__, "digests.json"), "#{JSON.pretty_generate(digests)}\n")
puts "Puppet #{Puppet.version}: #{digests.size} modules"
