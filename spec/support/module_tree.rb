# frozen_string_literal: true

require "fileutils"
require "json"
require "tmpdir"

# Modules made for one example.
module ModuleTree
  # @param name [String] with that of the author before it
  # @param more [Hash{Symbol=>Object}] what else to say, or in other words
  # @return [String] a metadata.json that has all that Puppet requires
  def self.metadata(name, **more)
    author = name[/\w+/]
    JSON.generate({name: name, source: "", author: author, version: "1.0.0", license: "MIT", dependencies: []}.merge(more))
  end

  # @param files [Hash{String=>String}] content by path, the path starting with a module's name
  # @yieldparam modulepath [String]
  def with_modules(files)
    Dir.mktmpdir("puppetfn-modules-") do |root|
      root = File.realpath(root)
      files.each do |path, content|
        full = File.join(root, path)
        FileUtils.mkdir_p(File.dirname(full))
        File.binwrite(full, content)
      end
      yield root
    end
  end

  # A runtime for these modules.
  def with_runtime(files, **options)
    with_modules(files) { |root| yield Puppetfn::Runtime.new(modulepath: [root], **options), root }
  end
end
