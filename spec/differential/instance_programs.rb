# frozen_string_literal: true

require_relative "catalog_programs/drawing"
require_relative "instances/program"
require_relative "instances/types"
require_relative "instances/values"
require_relative "instances/graphs"

module Differential
  # Resources drawn at random, with good and bad values: the same number always gives the same program.
  class InstancePrograms
    include CatalogPrograms::Drawing
    include Values
    include Graphs

    # How many resources a program has.
    SIZE = 12
    TITLES = {
      "exec" => ["/bin/true", "/bin/echo 'a b'", "echo a", "run"], "file" => ["/a", "/a/b", "/a/b/c", "/etc/x/", "//x//y", "C:/x"], "tidy" => ["/tmp/x", "/a"],
      "user" => %w[joe root a-b], "group" => %w[staff joe], "service" => %w[ssh nginx], "package" => %w[vim lib:i386 a-b], "resources" => %w[user file cron nosuch],
      "mount" => ["/mnt", "/a/b/", "/a b"], "host" => %w[a.example b], "cron" => %w[job], "augeas" => %w[change], "sshkey" => %w[a.example a.example@ssh-rsa],
      "ssh_authorized_key" => %w[joe@x], "mailalias" => %w[postmaster], "zone" => %w[z], "vcsrepo" => %w[/srv/r], "ini_setting" => %w[a], "firewall" => ["100 accept all", "x"],
      "archive" => ["/tmp/a.tar.gz", "/tmp/a.zip"], "mysql_grant" => ["u@h/*.*", "u@h/a.b"], "mysql_user" => ["u@localhost", "u"], "file_line" => %w[a]
    }.freeze
    ANY_TITLES = ["a", "a/b", "/x/y", "a b", "A::b", "a@b", "main/key", "é", "1"].freeze
    # Types of single settings have titles of their own.
    CONFIGURATION = /_(?:config|ini|paste|setting)|config\z/
    SETTINGS = ["DEFAULT/key", "a/b c", "x y/z"].freeze
    # What makes a resource right where the title alone does not.
    GIVEN = {
      "file" => ["ensure => file", "ensure => directory", "content => 'x'"], "tidy" => ["age => '1d'", "size => '1k'"], "exec" => ["path => '/bin:/usr/bin'", "command => '/bin/x'"],
      "vcsrepo" => ["ensure => present, provider => git"], "archive" => ["source => 'http://a.example/a.tar.gz'"], "cron" => ["command => '/bin/true'"], "user" => ["ensure => present", "home => '/home/joe'"],
      "file_line" => ["path => '/etc/x', line => 'y'"], "ini_setting" => ["path => '/etc/x', section => 's', setting => 'k'"], "ssh_authorized_key" => ["user => 'joe', type => 'rsa', key => 'abc'"],
      "sshkey" => ["type => 'rsa', key => 'abc'"], "host" => ["ip => '10.0.0.1'"], "mount" => ["device => '/dev/x', fstype => 'ext4'"], "package" => ["ensure => installed"], "augeas" => ["changes => 'set a b', context => '/files/x'"]
    }.freeze
    METAPARAMETERS = {
      "noop" => %w[true false 'true' 'x' 1], "loglevel" => %w['info' verbose 'x' 1], "schedule" => %w['daily' ['a'] 1], "audit" => %w[all 'ensure' ['ensure','mode'] 'nosuch' [] 1],
      "alias" => %w['other' ['one','two'] 1 ''], "tag" => %w['t' ['a::b','c'] 'x-y' 1 'é'], "require" => %w[File['/a'] [User['joe']] 'x' [] 1], "before" => %w[File['/a'] 'File[/a]' undef],
      "notify" => %w[User['joe'] [Group['staff'],File['/a']]], "subscribe" => %w[File['/a/b'] Class['main'] User['joe','root']], "stage" => %w['main' 'x']
    }.freeze

    # @param number [Integer]
    # @return [InstanceProgram]
    def self.of(number)
      new(number).program
    end

    # A program that is a graph.
    #
    # @param number (see of)
    # @return (see of)
    def self.graph(number)
      new(number).graph
    end

    def initialize(number)
      @number = number
      @random = Random.new(number)
      @count = 0
    end

    # @return [InstanceProgram]
    def program
      declared = []
      statements = Array.new(SIZE) { resource(declared) }
      InstanceProgram.new(number: @number, statements: statements.compact, alone: true)
    end

    private

    def resource(declared)
      type = InstanceTypes.all.fetch(one_of(2) ? pick(InstanceTypes::OWN) : pick(InstanceTypes.all.keys))
      title = pick(one_of(4) ? ANY_TITLES : TITLES.fetch(type.name) { CONFIGURATION.match?(type.name) ? SETTINGS : ANY_TITLES })
      return if declared.include?([type.name, title])

      declared << [type.name, title]
      "#{type.name} { #{quoted(title)}: #{attributes(type).map { |attribute| "#{attribute}, " }.join}}"
    end

    # The last of those of the same name is the one that is meant.
    def attributes(type)
      given = GIVEN.key?(type.name) && !one_of(6) ? pick(GIVEN[type.name]).split(", ") : []
      drawn = type.attributes.sample(weighted(1 => 6, 2 => 3, 3 => 2, 0 => 1, 5 => 1), random: @random).map { |attribute| assignment(type, attribute) }
      drawn << metaparameter if one_of(6)
      (given + drawn).to_h { |text| [text[/\A\w+/], text] }.values
    end

    def assignment(type, attribute)
      provider = attribute.name == "provider" && type.providers.any? && !one_of(8)
      "#{attribute.name} => #{provider ? quoted(pick(type.providers)) : value(attribute)}"
    end

    def metaparameter
      name = pick(METAPARAMETERS.keys)
      "#{name} => #{pick(METAPARAMETERS[name])}"
    end
  end
end
