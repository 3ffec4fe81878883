# frozen_string_literal: true

module Differential
  class InstancePrograms
    # Small graphs: resources in classes, defined types and stages, and what relates them.
    module Graphs
      # Resources that types relate by themselves.
      RELATED = [
        "file { '/a': ensure => directory, owner => 'joe' }", "file { '/a/b': ensure => directory, group => 'staff' }", "file { '/a/b/c': content => 'x' }", "file { '/a/d': ensure => link, target => '/a/b' }",
        "file { '/e/f': source => '/a/b/c' }", "user { 'joe': gid => 'staff', groups => ['wheel'] }", "user { 'ann': home => '/a/ann', managehome => true }", "group { 'staff': }", "group { 'wheel': members => ['ann'] }",
        "exec { '/a/b/run': cwd => '/a', user => 'joe' }", "exec { 'e': command => '/a/d/x', creates => '/a/b/c', onlyif => '/e/f -x' }", "notify { 'n': }", "notify { 'm': }", "service { 's': }", "package { 'p': }",
        "tidy { '/a/t': age => '1d' }", "schedule { 'h': period => hourly }", "filebucket { 'main': }", "cron { 'c': command => '/a/b/c', user => 'joe' }", "mount { '/a/b/m': ensure => mounted, device => '/dev/x', fstype => 'ext4' }",
        "mount { '/a/b': ensure => mounted, device => '/dev/y', fstype => 'ext4' }", "ssh_authorized_key { 'k': user => 'joe', type => 'rsa', key => 'abc' }", "resources { 'host': purge => false }", "file_line { 'l': path => '/a/b/c', line => 'x' }"
      ].freeze
      ARROWS = %w[-> ~> <- <~].freeze
      private_constant :RELATED, :ARROWS

      # @return [InstanceProgram]
      def graph
        texts = RELATED.sample(between(3, 10), random: @random)
        references = texts.map { |text| reference(text) }
        containers = Array.new(between(0, 3)) { container(texts) }
        references += containers.map(&:last)
        lines = texts + containers.map(&:first)
        between(0, 5).times { lines << relation(references) }
        InstanceProgram.new(number: @number, statements: lines, alone: false)
      end

      private

      def reference(text)
        type, title = text.match(/\A(\w+) \{ '([^']*)'/).captures
        "#{type.capitalize}['#{title}']"
      end

      # Takes some of the resources into a class or a defined type, and gives its code and its name.
      def container(texts)
        inside = texts.shift(between(0, [texts.size - 1, 3].min))
        name = "c#{number}"
        within = inside.map { |text| one_of(5) ? with_metaparameter(text, inside) : text }.join(" ")
        return ["class #{name} { #{within} } #{include_class(name)}", "Class['#{name}']"] unless one_of(3)

        ["define #{name}() { #{within} } #{name} { 'one': #{"require => Class['main'], " if one_of(15)}}", "#{name.capitalize}['one']"]
      end

      def include_class(name)
        return "stage { 's#{name}': before => Stage['main'] } class { '#{name}': stage => 's#{name}' }" if one_of(8)

        one_of(3) ? "contain #{name}" : "include #{name}"
      end

      def with_metaparameter(text, inside)
        other = reference(pick(inside))
        text.sub(/,? *\}\z/) { "#{"," unless text.match?(/': \}\z/)} #{pick(%w[require before notify subscribe])} => #{other} }" }
      end

      def relation(references)
        case @random.rand(8)
        when 0 then "#{pick(references)} #{pick(ARROWS)} #{pick(references)} #{pick(ARROWS)} #{pick(references)}"
        when 1 then "[#{pick(references)}, #{pick(references)}] #{pick(ARROWS)} #{pick(references)}"
        when 2 then "#{%w[File User Notify Exec].sample(random: @random)} <| |> #{pick(ARROWS)} #{pick(references)}"
        when 3 then "notify { 'x#{number}': #{pick(%w[require before notify subscribe])} => #{one_of(2) ? pick(references) : "[#{pick(references)}, #{pick(references)}]"} }"
        when 4 then "notify { 'y#{number}': require => Notify['nosuch'] }" if one_of(10)
        end || "#{pick(references)} #{pick(ARROWS)} #{pick(references)}"
      end
    end
  end
end
