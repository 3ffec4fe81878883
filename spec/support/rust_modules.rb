# frozen_string_literal: true

require "set"
require "strscan"
require "tsort"

# The top-level modules of a crate and the dependencies between them, read from its sources: the paths that begin with
# `crate`, `self` or `super`. Code that only tests compile does not count. The root (`lib.rs` or `main.rs`) is a module of
# its own as far as it defines items; a name that it re-exports stands for the module that defines it.
class RustModules
  include TSort

  ROOT = "lib"

  # A path in a module: where it leads within the crate, where it is written, and whether it is only a name, which may be imported.
  Use = Struct.new(:from, :path, :place, :imported)
  private_constant :Use

  # A position in a stream of tokens.
  Cursor = Struct.new(:tokens, :index) do
    def peek(offset = 0) = tokens[index + offset]

    def next
      token = tokens[index]
      self.index += 1
      token
    end

    def done? = index >= tokens.length

    # Skips the group of brackets that begins here.
    def skip_group
      depth = 0
      until done?
        case self.next
        when "(", "[", "{" then depth += 1
        when ")", "]", "}"
          depth -= 1
          return if depth.zero?
        end
      end
    end

    # Skips attributes and the item that follows them.
    def skip_item
      while peek == "#"
        self.next
        skip_group
      end
      is_use = peek == "use" || (peek == "pub" && tokens[index, 6].include?("use"))
      until done?
        case peek
        when ";" then return self.next
        when "{" then return is_use ? (skip_group; self.next) : skip_group
        when "(", "[" then skip_group
        else self.next
        end
      end
    end
  end

  # The top-level modules, each with the set of its dependencies.
  attr_reader :dependencies

  # Reads the crate in a directory, which has `src`.
  def initialize(directory)
    @source = File.join(directory, "src")
    @dependencies = {}
    @witnesses = {}
    @exports = {}
    @uses = []
    root = %w[lib.rs main.rs].map { |name| File.join(@source, name) }.find { |path| File.exist?(path) }
    read(root, [], @source)
    resolve(@uses)
  end

  # Groups of modules that depend on each other, each sorted.
  def cycles = strongly_connected_components.select { |group| group.length > 1 }.map(&:sort).sort

  # Places of the paths by which one module depends on another.
  def witnesses(from, to) = @witnesses.fetch([from, to], [])

  def tsort_each_node(&) = @dependencies.each_key(&)

  def tsort_each_child(name, &) = @dependencies.fetch(name, Set.new).each(&)

  private

  TOKEN = %r{
    (?<skip>\s+|//[^\n]*)
    |(?<raw>[bc]?r(?<hashes>\#*)".*?"\k<hashes>)
    |(?<string>[bc]?"(?:\\.|[^"\\])*"|b?'(?:\\(?:u\{\h+\}|x\h\h|.)|[^\\'])')
    |(?<lifetime>'[A-Za-z_]\w*)
    |(?<name>(?:r\#)?[A-Za-z_]\w*|\d\w*(?:\.\d\w*)?)
    |(?<sign>::|.)
  }mx
  private_constant :TOKEN

  def tokens(path)
    scanner = StringScanner.new(File.read(path, encoding: "UTF-8"))
    found = []
    until scanner.eos?
      next skip_comment(scanner) if scanner.match?(%r{/\*})

      scanner.scan(TOKEN)
      found << scanner.matched if scanner[:name] || scanner[:sign]
      found << '""' if scanner[:string] || scanner[:raw]
    end
    found
  end

  def skip_comment(scanner)
    depth = 0
    while scanner.scan_until(%r{/\*|\*/})
      depth += scanner.matched == "/*" ? 1 : -1
      return if depth.zero?
    end
  end

  # Reads a file that is the module at `path`, whose modules are files in `folder`.
  def read(file, path, folder)
    @file = file
    @dependencies[path.first] ||= Set.new if path.any?
    walk(Cursor.new(tokens(file), 0), path, folder)
  end

  def walk(cursor, path, folder, nested: false)
    file = @file
    until cursor.done?
      @file = file
      case cursor.peek
      when "#" then attribute(cursor)
      when "mod" then mod(cursor, path, folder)
      when "use" then cursor.peek(1) == "<" ? cursor.next : use(cursor, path)
      when "crate", "super", "self" then inline(cursor, path)
      when "{"
        cursor.next
        walk(cursor, path, folder, nested: true)
      when "}"
        cursor.next
        return if nested
      else bare(cursor, path)
      end
    end
  end

  def attribute(cursor)
    start = cursor.index
    cursor.next
    cursor.next if cursor.peek == "!"
    cursor.skip_group
    text = cursor.tokens[start...cursor.index].join
    cursor.skip_item if text.match?(/\A#\[cfg\((?:test\)|all\(test\b)/)
  end

  def mod(cursor, path, folder)
    cursor.next
    name = cursor.next
    inner = [*path, name]
    case cursor.peek
    when ";"
      file = ["#{folder}/#{name}.rs", "#{folder}/#{name}/mod.rs"].find { |one| File.exist?(one) }
      raise "no file of the module #{inner.join("::")} in #{folder}" unless file

      read(file, inner, "#{folder}/#{name}")
    when "{"
      @dependencies[inner.first] ||= Set.new
      cursor.next
      walk(cursor, inner, "#{folder}/#{name}", nested: true)
    end
  end

  def use(cursor, path)
    before = cursor.peek(-1) unless cursor.index.zero?
    is_export = ["pub", ")"].include?(before)
    cursor.next
    tree(cursor, []).each do |names, as|
      depend(path, at_root(names, path)) unless path.empty? && is_export
      @exports[as] = names.drop_while { |name| %w[crate self].include?(name) } if path.empty?
    end
  end

  # Paths of a tree of `use`, each with the name that it brings into scope.
  def tree(cursor, prefix)
    names = prefix.dup
    as = nil
    loop do
      token = cursor.next
      case token
      when nil, ";", ",", "}"
        cursor.index -= 1 unless token == ";"
        break
      when "::" then next
      when "as" then as = cursor.next
      when "{"
        found = []
        until cursor.peek == "}"
          found.concat(tree(cursor, names))
          cursor.next if cursor.peek == ","
        end
        cursor.next
        cursor.next if prefix.empty? && cursor.peek == ";"
        return found
      else names << token
      end
    end
    names.pop if names.length > 1 && names.last == "self"
    [[names, as || names.last]]
  end

  # A path in an expression, a type or a pattern.
  def inline(cursor, path)
    names = [cursor.next]
    while cursor.peek == "::" && cursor.peek(1)&.match?(/\A\w/)
      cursor.next
      names << cursor.next
    end
    depend(path, at_root(names, path)) if names.length > 1
  end

  # In the root, a path can begin with the name of a module or an import.
  def bare(cursor, path)
    name = cursor.next
    return unless path.empty? && name.match?(/\A\w+\z/)

    depend(path, [name], imported: !(cursor.peek == "::" && cursor.peek(-2) != "::"))
  end

  # The path within the crate, unless it does not begin at the root.
  def at_root(names, path)
    case names.first
    when "crate" then names.drop(1)
    when "self" then path.any? ? path + names.drop(1) : names.drop(1)
    when "super"
      ups = names.take_while { |name| name == "super" }.length
      ups > path.length ? nil : path[0, path.length - ups] + names.drop(ups)
    end
  end

  # Notes a use of the item at a path within the crate. The root's imports are only known in the end.
  def depend(path, inner, imported: false)
    return if inner.nil? || inner.empty?

    @uses << Use.new(path.first || ROOT, inner, "#{@file.delete_prefix("#{@source}/")}: #{inner.join("::")}", imported)
  end

  def resolve(uses)
    uses.each do |use|
      to = module_of(use)
      next if to.nil? || to == use.from

      (@dependencies[use.from] ||= Set.new) << to
      (@witnesses[[use.from, to]] ||= []) << use.place
    end
  end

  # The module of an item. Names of neither a module nor an import are items of the root.
  def module_of(use)
    name = use.path.first
    return name if @dependencies.key?(name) && !use.imported

    # Items of other crates are no dependencies.
    return @exports[name].first.then { |exporter| exporter if @dependencies.key?(exporter) } if @exports.key?(name)

    ROOT unless use.from == ROOT || name == "*"
  end
end
