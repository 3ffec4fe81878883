# frozen_string_literal: true

# Has real Puppet parse all code of Debian's modules and the snippets, and prints a digest of each whole model: classes,
# attributes, places, hashes. Strings hash differently in each process, so hashes are compared where both parsers run.

require "digest"
require "puppet"
require "tmpdir"
require_relative "model_text"

FILES = Dir.glob("/usr/share/puppet/modules/*/{manifests,types,functions,plans}/**/*.pp").sort
SNIPPETS = %w[snippets.pp.txt catalogs.pp.txt].flat_map do |name|
  File.read(File.expand_path("../#{name}", __dir__), encoding: "UTF-8").split(/^-+\n/)
end

def answer(parser, code, file)
  model = parser.parse_string(code.dup, file).model
  [Digest::SHA256.hexdigest(ModelText.of(model)), model.locator.line_index.size].join(" ")
rescue StandardError => e
  "#{e.class} #{e.message}"
end

# Whether both parsers make hashes that are the same.
def same_hashes?(one, other)
  case one
  when Puppet::Pops::Model::PopsObject
    one.hash == other.hash && one.instance_variables.all? do |name|
      same_hashes?(one.instance_variable_get(name), other.instance_variable_get(name))
    end
  when Array then one.zip(other).all? { |pair| same_hashes?(*pair) }
  else true
  end
end

Dir.mktmpdir do |dir|
  Puppet.initialize_settings(["--vardir", dir, "--confdir", dir])
  parser = Puppet::Pops::Parser::Parser.new
  FILES.each { |file| puts "#{file}: #{answer(parser, File.read(file, encoding: "UTF-8"), file)}" }
  SNIPPETS.each { |code| puts "#{code.lines.first&.chomp}: #{answer(parser, code, nil)}" }
  # Changed copies: most are wrong somewhere.
  random = Random.new(1)
  FILES.sample(300, random: random).each do |file|
    code = File.read(file, encoding: "UTF-8")
    at = random.rand(code.size)
    code[at, random.rand(3)] = ["", "}", "\"", "(", "=>", "$x", "if", "é"].sample(random: random)
    puts "#{file} at #{at}: #{answer(parser, code, file)}"
  end
  if Puppetfn::DropIn.states[:parser] == :on
    theirs = Puppet::Pops::Parser::Parser.instance_method(:parse_string).super_method
    differ = FILES.sample(200, random: random).reject do |file|
      code = File.read(file, encoding: "UTF-8")
      same_hashes?(theirs.bind_call(parser, code, file).model, parser.parse_string(code, file).model)
    end
    abort("hashes differ: #{differ.first(5).join(", ")}") unless differ.empty?
  end
end
