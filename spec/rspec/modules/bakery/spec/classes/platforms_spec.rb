# frozen_string_literal: true

require 'spec_helper'

describe 'bakery' do
  {
    'windows' => { 'os' => { 'family' => 'windows', 'name' => 'windows' } },
    'windows, by a fact of old' => { 'osfamily' => 'Windows' },
    'darwin' => { 'os' => { 'family' => 'Darwin', 'name' => 'Darwin' } },
    'solaris' => { 'os' => { 'family' => 'Solaris', 'name' => 'Solaris', 'release' => { 'major' => '11' } } },
    'debian' => { 'os' => { 'family' => 'Debian', 'name' => 'Debian', 'release' => { 'major' => '12' } } }
  }.each do |name, facts|
    context "on #{name}" do
      let(:facts) { facts }
      let(:post_condition) { code }

      [
        "file { 'C:/bakery': ensure => directory }", "file { '/srv/bakery': ensure => directory }",
        "exec { 'C:/bakery/bake.exe': }", "exec { '/usr/bin/bake': }", "exec { 'bake': path => 'C:/bakery;C:/bin' }",
        "exec { 'bake': provider => shell }", "service { 'oven': enable => delayed }",
        "package { 'flour_': ensure => latest }", "package { 'flour_': ensure => held }",
        "package { 'flour_': source => 'C:/flour.msi', install_options => ['/S'] }"
      ].each do |code|
        context "with #{code}" do
          let(:code) { code }

          it { is_expected.to compile }
        end
      end
    end
  end

  context 'on windows' do
    let(:facts) { { 'os' => { 'family' => 'windows', 'name' => 'windows' } } }

    it 'is windows for code in Ruby, too' do
      catalogue
      expect([Puppet::Util::Platform.windows?, Puppet.features.microsoft_windows?, Puppet.features.posix?]).to eq([true, true, false])
    end
  end

  it 'is windows for no other example' do
    expect([Puppet::Util::Platform.windows?, Puppet.features.posix?]).to eq([false, true])
  end
end
