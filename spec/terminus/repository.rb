# frozen_string_literal: true

module TerminusSpec
  # An environment whose catalog has every kind of element.
  module Repository
    APP = "environments/production/modules/app"

    FILES = {
      "enc/web1.yaml" => <<~YAML,
        classes: {app: {greeting: hello}}
        parameters: {tier: one, nested: {a: [1, 2.5, null, true]}}
      YAML
      "enc/broken.yaml" => "{classes: [broken], parameters: {tier: two}}",
      "enc/typed.yaml" => "{classes: [typed], parameters: {tier: two}}",
      "enc/dated.yaml" => "parameters: {tier: two, day: 2020-01-01}",
      "enc/secret.yaml" => "{classes: [secret], parameters: {tier: two}}",
      "environments/production/environment.conf" => "config_version = /bin/echo v1\n",
      "environments/production/manifests/site.pp" => <<~'PUPPET',
        notify { "${facts['os']} ${trusted['certname']} ${tier} ${server_facts['environment']}": }
        warning('be careful')
        @@file { '/exported': ensure => file, tag => ['x'] }
        @notify { 'virtual': }
        @@notify { 'realized': }
        realize(Notify['realized'])
      PUPPET
      "#{APP}/manifests/init.pp" => <<~'PUPPET',
        class app(String $greeting, Sensitive $secret = Sensitive('hush-hush')) {
          file { '/etc/app': ensure => directory }
          -> app::thing { ['a', 'b']: value => $greeting }
          file { 'named': path => '/etc/app/named', content => $secret, alias => 'other', mode => '0644', require => App::Thing['a'] }
          file { '/etc/app/from': source => 'puppet:///modules/app/from', before => File['named'] }
          service { 'nginx': ensure => running, enable => true, subscribe => [App::Thing['b'], File['named']] }
          app::rich { 'rich': values => {
              'binary' => Binary('aGk='), 'time' => Timestamp('2020-01-01T00:00:00 UTC'), 'span' => Timespan('1-00:00:00'), 'version' => SemVer('1.2.3'),
              'range' => SemVerRange('>=1'), 'regexp' => /a.b/, 'default' => default, 'deferred' => Deferred('join', [['a'], ',']),
              'undef' => undef, 'uri' => URI('http://x/y'), 1 => 2, 'reference' => File['named'] } }
          app::rich { 'secret': values => {'k' => Sensitive('nested-secret')} }
          exec { 'true': path => '/bin', onlyif => ['a', ['b']], environment => [], user => undef }
          stage { 'late': require => Stage['main'] }
          composite { 'pkg:yum': value => 1 }
        }
      PUPPET
      "#{APP}/manifests/thing.pp" => "define app::thing($value) { notify { \"thing ${title}\": message => $value, loglevel => notice } }",
      "#{APP}/manifests/rich.pp" => "define app::rich($values) { }",
      "#{APP}/files/from" => "content",
      "#{APP}/lib/puppet/type/composite.rb" => <<~RUBY,
        Puppet::Type.newtype(:composite) do
          def self.title_patterns
            [[/\\A([^:]+):(.+)\\z/m, [[:package], [:provider_name]]], [/\\A(.*)\\z/m, [[:package]]]]
          end
          newparam(:package, namevar: true)
          newparam(:provider_name, namevar: true)
          newproperty(:value)
        end
      RUBY
      "environments/production/modules/broken/manifests/init.pp" => "class broken { warning('before') fail('no such luck') }",
      "environments/production/modules/typed/manifests/init.pp" => "class typed { app::rich { 'x': values => Array[String] } }",
      "environments/production/modules/secret/manifests/init.pp" => <<~'PUPPET'
        class secret {
          file { '/secret': content => Sensitive('open sesame') }
          file { '/leaked': content => "password = open sesame\n" }
        }
      PUPPET
    }.freeze
  end
end
