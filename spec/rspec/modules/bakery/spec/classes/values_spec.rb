# frozen_string_literal: true

require 'spec_helper'

# Values that are others in the catalog than in code.
describe 'bakery' do
  let(:post_condition) do
    <<~PUPPET
      file { '/a': content => Binary('bXlzZWNyZXQ=') } ~> file { '/b': ensure => file }
      file { '/c': before => File['/b'] } -> File['/a']
      define bakery::note(Optional[Variant[String, Deferred]] $text) { notify { $title: message => $text } }
      bakery::note { 'deferred': text => Deferred('bakery::shout', [{ 'names' => [Deferred('bakery::shout', [{ 'a' => 1 }])] }]) }
    PUPPET
  end

  it { is_expected.to contain_file('/a').with_content('mysecret') }
  it { is_expected.to contain_file('/a').with_notify('["File[/b]"]') }
  it { is_expected.to contain_file('/a').with_notify('File[/b]') }
  it { is_expected.to contain_file('/a').with_notify(['File[/b]']) }
  it { is_expected.to contain_file('/c').with_before(['File[/b]', 'File[/a]']).that_comes_before(['File[/a]', 'File[/b]']) }
  it { is_expected.to contain_notify('deferred').with_message('NAMES: ["A: 1"]') }
  it { is_expected.to compile.with_all_deps }
end
