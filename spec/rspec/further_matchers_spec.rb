# frozen_string_literal: true

require "json"
require "open3"
require_relative "../support/module_tree"

# Matchers and messages that rspec-puppet does not have.
RSpec.describe "puppetfn test" do
  include ModuleTree

  files = {
    "shop/metadata.json" => ModuleTree.metadata("ada-shop"),
    "shop/manifests/init.pp" => <<~PUPPET,
      class shop {
        package { ['bread', 'bread-dev', 'butter']: ensure => installed }
        file {
          '/etc/shop.conf': content => "a\\r\\nb\\r\\n", notify => Service['till'];
          '/etc/door': content => 'open';
          '/etc/sign': content => "open\\n", before => Package['butter'];
        }
        service { 'till': ensure => running, require => Package['bread'] }
        File['/etc/sign'] ~> Class['shop::counter'] -> Package['late']
        package { 'late': }
        shop::shelf { 'top': requires => 'ladder' }
        include shop::counter
      }
    PUPPET
    "shop/manifests/shelf.pp" => "define shop::shelf($requires) { }\n",
    "shop/manifests/counter.pp" => "class shop::counter { exec { '/bin/ring': refreshonly => true } }\n"
  }.freeze

  # Statuses and messages of examples that the expectations describe.
  def results(files, expectations)
    examples = expectations.map { |expectation| "it { is_expected.#{expectation} }" }
    spec = "describe 'shop' do\n#{examples.join("\n")}\nend\n"
    with_modules(files.merge("shop/spec/classes/shop_spec.rb" => spec)) do |root|
      output, = Open3.capture2(*Puppetfn::CLI.command, "test", "--format", "json", chdir: "#{root}/shop")
      found = JSON.parse(output.lines.grep(/\A\{/).first).fetch("examples")
      expectations.zip(found).to_h { |expectation, result| [expectation, result.dig("exception", "message")&.chomp || result["status"]] }
    end
  end

  define_method(:messages) { |*expectations| results(files, expectations).values }

  define_method(:verdicts) do |expected|
    results(files, expected.keys).transform_values { |result| result == "passed" }
  end

  it "matches titles with a Regexp" do
    expected = {
      "to contain_package(/dev$/)" => true, "not_to contain_package(/dev$/)" => false, "not_to contain_package(/devel/)" => true,
      "to contain_package(/bread/).with_ensure('installed')" => true, "to contain_package(/bread/).with_ensure('absent')" => false,
      "to contain_file(/sign|door/).with_content('open')" => true, "to contain_file(/sign|door/).with_content('shut')" => false,
      "to contain_file(/sign|door/).that_comes_before('Package[butter]')" => true,
      "to contain_class(/^shop::/)" => true, "to contain_class(/^Shop::Counter$/)" => true, "not_to contain_class(/Bakery/)" => true
    }
    expect(verdicts(expected)).to eq(expected)
  end

  it "says what a Regexp matches" do
    expect(messages("to contain_package(/cake/)", "not_to contain_package(/bread/)", "to contain_service(/t/).with_ensure('stopped')")).to eq([
      "expected that the catalogue would contain Package[(?-mix:cake)]\nof that type it has only bread, bread-dev, butter, late",
      "expected that the catalogue would not contain Package[(?-mix:bread)]\nit has Package[bread] and bread-dev",
      "expected that the catalogue would contain Service[(?-mix:t)] with ensure set to \"stopped\" but it is set to \"running\"\n" \
      "it has Service[till]"
    ])
  end

  it "negates relationships" do
    expected = {
      "to contain_file('/etc/shop.conf').without_notifies('Service[till]')" => false,
      "to contain_file('/etc/sign').without_notifies('Service[till]')" => true,
      "to contain_file('/etc/sign').without_notifies('Package[butter]')" => true,
      "to contain_file('/etc/sign').without_comes_before(['Service[till]', 'Package[butter]'])" => false,
      "to contain_service('till').without_subscribes_to('File[/etc/shop.conf]')" => false,
      "to contain_service('till').without_subscribes_to('Package[bread]').without_requires('Package[butter]')" => true,
      "to contain_service('till').without_requires('Package[bread]')" => false,
      "to contain_service('till').without_requires('Package[none]')" => true,
      "to contain_file('/etc/sign').without_notifies('Exec[/bin/ring]')" => false,
      "to contain_file('/etc/sign').without_notifies('Class[shop::counter]')" => false,
      "to contain_exec('/bin/ring').without_subscribes_to('File[/etc/door]')" => true,
      "to contain_package('late').without_requires('File[/etc/sign]')" => false,
      "to contain_package('late').without_requires('Class[Shop::Counter]')" => false,
      "to contain_package('late').without_subscribes_to('File[/etc/sign]')" => true,
      "to contain_class('shop::counter').without_comes_before('Package[late]')" => false,
      "to contain_service('other').without_requires('Package[none]')" => false
    }
    expect(verdicts(expected)).to eq(expected)
    expect(messages("to contain_file('/etc/sign').without_comes_before(['Service[till]', 'Package[butter]'])")).to eq([
      "expected that the catalogue would contain File[/etc/sign] with that does not come before Package[butter]"
    ])
  end

  it "prefers parameters of the names of negated relationships, as rspec-puppet does" do
    expected = {
      "to contain_shop__shelf('top').without_requires('Service[till]')" => true, "to contain_shop__shelf('top').without_requires('ladder')" => false,
      "to contain_shop__shelf('top').without_requires" => false, "to contain_file('/etc/shop.conf').without_notifies" => true
    }
    expect(verdicts(expected)).to eq(expected)
  end

  it "shows line ends in differences of texts" do
    expect(messages("to contain_file('/etc/shop.conf').with_content(\"a\\nb\\n\")", "to contain_file('/etc/sign').with_content('open')",
      "to contain_file('/etc/door').with_content('shut')", "to contain_file('/etc/sign').with_content(\"open\\n\\n\")")
      .map { |message| message[/^@@.*/m].lines.drop(1).map(&:chomp) }).to eq([
        ["-a", "-b", '+a\r', '+b\r'], [" open", '-\ No newline at end of file'], %w[-shut +open],
        [" open", "-", '-\ End of file']
      ])
  end
end
