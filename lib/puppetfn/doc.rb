# frozen_string_literal: true

module Puppetfn
  # The documentation of declarations in modules, found without running any code.
  #
  # @example
  #   doc = Puppetfn::Doc.read("stdlib::extname", modulepath: "/usr/share/puppet/modules")
  #   doc.to_h["puppet_functions"].map { |function| function["name"] }  # => ["stdlib::extname"]
  #
  # It reads the same comments as Puppet Strings, and {#to_h} is in the JSON schema of Puppet Strings.
  class Doc
    # Ripper and the classes built on it, for when a Ruby file is read as Puppet Strings does.
    autoload :StringsFile, "#{__dir__}/doc/strings_file"

    # Something that should be changed.
    #
    # @!attribute [r] file
    #   @return [String]
    # @!attribute [r] line
    #   @return [Integer]
    # @!attribute [r] rule
    #   @return [Symbol]
    # @!attribute [r] message
    #   @return [String] the problem, its reason, and the remedy
    Finding = Struct.new(:file, :line, :rule, :message) do
      # @return [String] as compilers print it
      def to_s
        "#{file}:#{line}: #{message} [#{rule}]"
      end
    end

    private_class_method :document

    # Reads files, directories, and the files that define names.
    #
    # @param subjects [Array<String>] texts with a slash or a dot are paths; a word is a name, or else a path
    # @param modulepath [Array<String>, String] directories in which names are looked up
    # @param environment [String, nil] the environment in which names are looked up first
    # @param strings_quirks [Boolean] whether files are read as Puppet Strings does, with its truncations and omissions
    # @param data [Boolean] whether parameters of classes have their values in the module's own data
    # @return [Doc]
    # @raise [ArgumentError] when a subject does not exist, or a file cannot be read
    # @raise [Puppet::ParseError] when a file with Puppet code cannot be parsed
    def self.read(*subjects, modulepath: [], environment: nil, strings_quirks: false, data: false)
      document(subjects.map(&:to_s), Array(modulepath), environment, strings_quirks, data)
    end

    # @return [Hash] the documentation in the schema of Puppet Strings
    def to_h
      require "json"
      JSON.parse(to_json)
    end
  end
end
