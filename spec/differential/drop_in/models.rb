# frozen_string_literal: true

# Has real Puppet parse all code of Debian's modules, the snippets, and generated heredocs and templates, and prints a
# digest of each whole model: classes, attributes, places, hashes. Strings hash differently in each process, so hashes are
# compared where both parsers run.

require "digest"
require "puppet"
require "tmpdir"
require_relative "model_text"
require_relative "texts"

FILES = Dir.glob("/usr/share/puppet/modules/*/{manifests,types,functions,plans}/**/*.pp").sort
TEMPLATES = Dir.glob("/usr/share/puppet/modules/*/templates/**/*.epp").sort
GENERATED = 3_000

def snippets(*names)
  names.flat_map { |name| File.read(File.expand_path("../#{name}", __dir__), encoding: "UTF-8").split(/^-+\n/) }
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

# How Puppet parses without the drop-in.
def theirs(parser, code)
  parser.class.instance_method(:parse_string).super_method.bind_call(parser, code.dup, nil).model
end

def ours(parser, code)
  parser.parse_string(code.dup, nil).model
end

Dir.mktmpdir do |dir|
  Puppet.initialize_settings(["--vardir", dir, "--confdir", dir])
  parser = Puppet::Pops::Parser::Parser.new
  template_parser = Puppet::Pops::Parser::EppParser.new
  {parser => FILES, template_parser => TEMPLATES}.each do |reader, files|
    files.each { |file| puts "#{file}: #{answer(reader, File.read(file, encoding: "UTF-8"), file)}" }
  end

  texts = DropInTexts.new(1)
  generated = {parser => Array.new(GENERATED) { texts.heredoc }, template_parser => Array.new(GENERATED) { texts.template }}
  small = {
    parser => snippets("snippets.pp.txt", "catalogs.pp.txt") + generated[parser],
    template_parser => snippets("snippets.epp.txt") + generated[template_parser]
  }
  small.each { |reader, codes| codes.each { |code| puts "#{code.inspect}: #{answer(reader, code, nil)}" } }

  # Files are read as strings are; where there is none, an ending is added.
  {parser => ["a.pp", "$x = @(E)\n  é\n  | E\n"], template_parser => ["b.epp", "<%- |$x| -%>\né <%= $x %>\n"]}.each do |reader, (name, code)|
    path = File.join(dir, name)
    File.write(path, code)
    [path, path.chomp(File.extname(path)), "#{path}x"].each do |file|
      model = reader.parse_file(file).model
      puts [Digest::SHA256.hexdigest(ModelText.of(model)), model.locator.file.delete_prefix(dir), model.locator.string].inspect
    end
  end

  # Changed copies: most are wrong somewhere.
  generated.each { |reader, codes| codes.each { |code| texts.changed(code).then { |copy| puts "#{copy.inspect}: #{answer(reader, copy, nil)}" } } }
  random = Random.new(1)
  FILES.sample(300, random: random).each do |file|
    code = File.read(file, encoding: "UTF-8")
    at = random.rand(code.size)
    code[at, random.rand(3)] = ["", "}", "\"", "(", "=>", "$x", "if", "é"].sample(random: random)
    puts "#{file} at #{at}: #{answer(parser, code, file)}"
  end

  if Puppetfn::DropIn.states[:parser] == :on
    codes = {parser => FILES.sample(200, random: random).map { |file| File.read(file, encoding: "UTF-8") }}
    codes.merge!(small) { |_, files, snippets| files + snippets }
    differ = codes.flat_map do |reader, list|
      list.reject do |code|
        same_hashes?(theirs(reader, code), ours(reader, code))
      rescue StandardError
        true
      end
    end
    abort("hashes differ: #{differ.first(5).join("\n---\n")}") unless differ.empty?
  end
end
