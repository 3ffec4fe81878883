# frozen_string_literal: true

# Calls functions and checks types of the modules that Debian packages, and prints what comes out.
#
# What is printed is what is run. An error ends the demonstration, unless it is one to be shown.

require "puppetfn"

require "open3"
require "rbconfig"
require "shellwords"

MODULES = "/usr/share/puppet/modules"
LIBRARY = $LOADED_FEATURES.find { |path| path.end_with?("/lib/puppetfn.rb") }
COMMAND = File.expand_path("../../exe/puppetfn", LIBRARY)

def section(title)
  puts "", title, "-" * title.length
end

# Runs a line of Ruby for what it does.
def prepare(code)
  puts "", code
  TOPLEVEL_BINDING.eval(code)
end

# Runs a line of Ruby and prints its result.
def show(code)
  result = prepare(code)
  puts "# => #{result.inspect}"
end

# Runs a line of Ruby that has to fail and prints what it raises.
def show_error(code)
  prepare(code)
rescue StandardError => e
  puts "#{e.class}: #{e.message}".gsub(/^/, "# ")
else
  abort "This should have failed: #{code}"
end

# Runs the command and prints its output, of which long lists are cut short.
def show_command(line, lines: 10, exit_code: 0)
  puts "", "$ puppetfn #{line}"
  out, status = Open3.capture2e(RbConfig.ruby, COMMAND, *line.shellsplit)
  shown = out.lines
  puts shown.first(lines)
  puts "... and #{shown.size - lines} more" if shown.size > lines
  puts "(exit code #{status.exitstatus})" unless exit_code.zero?
  abort "The exit code is #{status.exitstatus}, not #{exit_code}." unless status.exitstatus == exit_code
end

abort "There are no modules in #{MODULES}; script/setup installs them." unless Dir.exist?(MODULES)

puts "puppetfn #{Puppetfn::VERSION} on Ruby #{RUBY_VERSION}, with #{Dir.children(MODULES).size} modules of #{MODULES}"
puts "Puppet is #{defined?(::Puppet::PUPPETVERSION) ? "loaded" : "not loaded"}."

section "Functions of modules, called from Ruby"

prepare 'facts = {"operatingsystem" => "Debian", "operatingsystemmajrelease" => "12"}'
prepare 'runtime = Puppetfn::Runtime.new(modulepath: [MODULES], facts: facts)'
show 'runtime.list_functions.size'
show 'runtime.call_function("stdlib::extname", "/etc/apache2/ports.conf")'
show 'runtime.call_function("stdlib::ip_in_range", "10.1.2.3", ["192.168.0.0/16", "10.0.0.0/8"])'
show 'runtime.call_function("shell_escape", "rm -rf my files")'
show 'runtime.call_function("seeded_rand_string", 12, "the seed")'
show 'runtime.call_function("to_toml", {"server" => {"port" => 8080}})'
show 'runtime.call_function("mysql::password", "secret")'
show 'runtime.call_function("postgresql::postgresql_escape", "it\'s")'
show 'runtime.call_function("apache::bool2httpd", false)'
show 'runtime.call_function("os_version_gte", "Debian", "11")'

section "A function with several signatures: the arguments tell which one is called"

prepare 'puts runtime.function_signature("merge")'
show 'runtime.call_function("merge", {"a" => 1, "b" => 2}, "", {"b" => 3})'

section "A function with a block"

show 'runtime.call_function("merge", ["x", "y"]) { |memo, value| {value => memo.size} }'
show 'runtime.call_function("merge", ["x", "y"]) { |memo, index, value| {value => index * 10} }'
show 'runtime.call_function("with", 6, 7) { |a, b| a * b }'

section "Arguments that do not match"

show_error 'runtime.call_function("stdlib::start_with", 42, "4")'
show_error 'runtime.call_function("stdlib::start_with", "forty-two")'
show_error 'runtime.call_function("stdlib::xml_encode", "<p>", "html")'
show_error 'runtime.call_function("merge", 42)'
show_error 'runtime.call_function("stdlib::no_such_function")'

section "Types"

prepare 'port = runtime.type("Stdlib::Port")'
show 'port.instance?(8080)'
show 'port.instance?(80_800)'
show_error 'port.assert("the port", 80_800)'
prepare 'listen = runtime.type("Hash[String[1], Variant[Stdlib::Port, Array[Stdlib::Port, 1]]]")'
show 'listen.instance?({"http" => 80, "https" => [443, 8443]})'
show_error 'listen.assert("listen", {"http" => []})'
show 'runtime.infer({"http" => 80})'

section "The command line"

show_command "call stdlib::extname /etc/apache2/ports.conf --modulepath #{MODULES}"
show_command %(call merge '{"a": 1}' '{"b": [2, true]}' --modulepath #{MODULES})
show_command %(call merge '{"a": 1}' '{"b": [2, true]}' --json --modulepath #{MODULES})
show_command "call stdlib::start_with 42 4 --modulepath #{MODULES}", exit_code: 1
show_command "list '^(stdlib|mysql)::' --modulepath #{MODULES}"
show_command "list --types Port --modulepath #{MODULES}", lines: 4
