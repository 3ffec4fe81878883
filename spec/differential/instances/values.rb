# frozen_string_literal: true

module Differential
  class InstancePrograms
    # Values of attributes, as code has them.
    module Values
      WORDS = %w[present absent installed latest held purged running stopped true false yes no on off file directory link none all undef enabled].freeze
      TEXTS = [
        "", " ", "a", "abc", "a b", "A", "a,b", "a:b", "a=b", "a;b", "a\nb", "x\n", "é", "日本", "a@b", "a.b.c", "-", "--flag", "*", "%", "$x", "'q'", "1.2.3", "0", "1", "-1", "10", "80-90",
        "1.5", "0x1F", "010", "1e3", "100 a", "2030-01-02", "12:30", "2 - 4", "22:00 - 4:30", "1d", "2w", "10k", "3 mb", "user@host", "[a]", "{a}", "main/key", "set /a b", "rsa", "ssh-rsa",
        "AAAAB3NzaC1yc2E=", "Monday", "mon", "Feb", "root", "wheel", "1000", "$6$ab$cd", "{md5}d41d8cd98f00b204e9800998ecf8427e", "d41d8cd98f00b204e9800998ecf8427e", "sha256", "md5", "mtime",
        "/bin/true", "true && false", "echo 'a b'", "KEY=value", "A=1=2", "=x", "ext4", "defaults", "10.0.0.1", "fe80::1", "10.0.0.0/8", "example.com", "http://a.example/b?c=d#e", "puppet:///modules/a/b"
      ].freeze
      PATHS = ["/", "/a", "/a/b", "/a/b/", "//a//b", "/a/../b", "/a b/c", "a/b", "./a", "~", "~/a", "C:/x", "C:\\x", "\\\\host\\x", "file:///a/b", "puppet:///x", "https://a.example/b", "/é", "/a*"].freeze
      MODES = %w[0644 644 0755 4755 99 8 u=rwx,g=rx u+x a-w,o= ug=rw,o-w u=w,u=r x 06444 00644 +s a= =rw].freeze
      NUMBERS = %w[0 1 2 8 10 59 60 100 644 0644 65536 4294967296 -1 3.7 0.5 1e3 0x10].freeze
      LONG = "x" * 400
      # What is neither text nor number.
      RICH = [
        "true", "false", "undef", "default", "[]", "{}", "[[]]", "[undef]", "['']", "[true]", "[1, 2]", "[1, [2, 'a']]", "['a', 'b']", "['a', 'a']", "['b', 'a', undef]", "{ 'a' => 'b' }", "{ 'a' => 1, 'b' => [2] }",
        "{ 1 => { 'x' => undef } }", "[{ 'a' => 'b' }]", "Sensitive('secret')", "Sensitive(1)", "Sensitive(['a'])", "[Sensitive('a')]", "/re/", "Integer", "String[1, 2]", "File['/a']", "[File['/a'], User['joe']]", "Class['main']",
        "Deferred('upcase', ['a'])", "Binary('YWJj')", "SemVer('1.2.3')", "Timespan(90)", "Timestamp('2020-01-01')"
      ].freeze
      NAMES = {
        /path|file|dir|target|cwd|source|home|root|device|creates|shell|location|config/ => PATHS, /mode|umask/ => MODES,
        /uid|gid|port|size|depth|limit|age|timeout|sleep|tries|count|min|max|hour|day|month|week|prio|number|repeat/ => NUMBERS
      }.freeze
      private_constant(*constants)

      private

      def value(attribute)
        case @random.rand(10)
        when 0..3 then likely(attribute)
        when 4..6 then quoted(pick(TEXTS))
        when 7 then pick(NUMBERS)
        when 8 then list(attribute)
        else pick(RICH)
        end
      end

      # What the attribute may be meant for.
      def likely(attribute)
        return quoted(pick(attribute.values)) if attribute.values.any? && !one_of(6)

        _, values = NAMES.find { |pattern, _| pattern.match?(attribute.name) }
        return values.equal?(NUMBERS) && one_of(2) ? pick(NUMBERS) : quoted(pick(values)) if values

        one_of(40) ? quoted(LONG) : quoted(pick(WORDS + TEXTS))
      end

      def list(attribute)
        "[#{Array.new(between(1, 3)) { one_of(4) ? pick(RICH) : likely(attribute) }.join(", ")}]"
      end

      # As a string of Puppet's, on one line.
      def quoted(text)
        return "'#{text.gsub(/['\\]/) { |found| "\\#{found}" }}'" unless text.include?("\n")

        "\"#{text.gsub(/["\\$]/) { |found| "\\#{found}" }.gsub("\n", "\\n")}\""
      end
    end
  end
end
