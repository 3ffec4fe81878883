# frozen_string_literal: true

require "open3"
require_relative "../support/module_tree"

# Methods of types and providers that read or change the system. Each example passes with rspec-puppet 5 on Puppet 8.11.
RSpec.describe "puppetfn test of providers that know the system" do
  include ModuleTree

  files = {
    "metadata.json" => ModuleTree.metadata("ada-shelf"),
    "spec/spec_helper.rb" => "require 'puppetlabs_spec_helper/module_spec_helper'",
    "lib/puppet/type/shelf.rb" => <<~RUBY,
      Puppet::Type.newtype(:shelf) do
        class ShelfPlace < Puppet::Property
          def insync?(is) = is.to_s == should.to_s
        end
        feature :lockable, 'locks', methods: [:lock]
        ensurable
        newparam(:name, namevar: true)
        newproperty(:place, parent: ShelfPlace)
        newproperty(:locked, required_features: :lockable) { newvalues(:true, :false) }
        newproperty(:target) { defaultto { @resource.class.defaultprovider.default_target } }
        newproperty(:lamp) do
          newvalue(:on, event: :lamp_lit) { provider.lamp = :on }
          newvalue(:off) { raise ArgumentError, 'no switch' }
        end
      end
    RUBY
    "lib/puppet/provider/shelf/parsed.rb" => <<~RUBY,
      require 'puppet/provider/parsedfile'
      Puppet::Type.type(:shelf).provide(:parsed, parent: Puppet::Provider::ParsedFile, default_target: '/no/shelves', filetype: :flat) do
        text_line :comment, match: /^#/
        text_line :blank, match: /^\\s*$/
        record_line :parsed, fields: %w[name place], optional: %w[place], separator: /:/, joiner: ':', rts: true
        def lamp = :off
        def lamp=(value)
          @property_hash[:lamp] = value
        end
      end
    RUBY
    "spec/unit/parsed_spec.rb" => <<~RUBY,
      require 'spec_helper'
      describe Puppet::Type.type(:shelf).provider(:parsed) do
        let(:path) { File.join(Dir.mktmpdir, 'shelves') }
        let(:text) { "# ours\\noak:cellar\\n\\npine:attic  \\n" }
        let(:shelf) { Puppet::Type.type(:shelf).new(name: 'oak', place: 'attic', target: path) }
        before { File.write(path, text); described_class.clear; described_class.default_target = path }
        before { allow_any_instance_of(described_class.filetype).to receive(:backup) }

        it { expect(described_class.parse_line('oak:cellar')).to eq(name: 'oak', place: 'cellar', record_type: :parsed) }
        it { expect(described_class.parse_line('oak')).to eq(name: 'oak', place: :absent, record_type: :parsed) }
        it { expect(described_class.parse_line('# x')).to eq(line: '# x', record_type: :comment) }
        it { expect(described_class.to_line(record_type: :parsed, name: 'oak', place: :absent)).to eq('oak:') }
        it { expect { described_class.to_line(record_type: :parsed, place: 'x') }.to raise_error(ArgumentError, "Field 'name' is required") }
        it { expect { described_class.to_line(record_type: :other) }.to raise_error(ArgumentError, 'Invalid record type :other') }
        it { expect(described_class.instances.map { |found| [found.name, found.place.strip] }).to eq([%w[oak cellar], %w[pine attic]]) }
        it { expect { described_class.record_line(:parsed, fields: %w[a]) }.to raise_error(ArgumentError, 'Line type parsed is already defined') }
        it { expect { described_class.record_line(:other, fields: %w[target]) }.to raise_error(ArgumentError, 'Cannot have fields named target') }
        it { expect { described_class.filetype = :nothing }.to raise_error(ArgumentError, 'Invalid filetype nothing') }

        it 'writes a file whose record changed' do
          described_class.prefetch('oak' => shelf)
          expect(shelf.retrieve.to_hash).to include(ensure: :present, place: 'cellar')
          place = shelf.property(:place)
          expect(place.safe_insync?(place.retrieve)).to be(false)
          place.sync
          shelf.flush
          expect(File.read(path)).to match(/\\A# HEADER: .*^# ours\\noak:attic\\n\\npine:attic\\n\\z/m)
        end

        it 'creates and removes records' do
          described_class.prefetch('oak' => shelf)
          shelf.provider.destroy
          shelf.provider.flush
          other = Puppet::Type.type(:shelf).new(name: 'elm', place: 'hall', target: path)
          expect(other.provider.create).to eq(:shelf_created)
          other.flush
          expect(File.read(path).lines.grep_v(/HEADER/).join).to eq("# ours\\n\\npine:attic\\nelm:hall\\n")
        end

        it 'takes files that cannot be read for empty' do
          described_class.default_target = '/no/shelves'
          expect(described_class.instances).to eq([])
        end
      end
    RUBY
    "spec/unit/shelf_spec.rb" => <<~RUBY,
      require 'spec_helper'
      describe Puppet::Type.type(:shelf) do
        let(:shelf) { described_class.new(name: 'oak', place: 'hall', lamp: 'on', provider: :parsed) }

        it { expect(described_class.attrclass(:place).ancestors).to include(ShelfPlace) }
        it { expect(Puppet::Type::Shelf::ProviderParsed).to equal(described_class.provider(:parsed)) }
        it { expect(shelf.property(:lamp).event_name).to eq(:lamp_lit) }
        it { expect(shelf.property(:place).event_name).to eq(:place_changed) }
        it { expect(shelf.property(:ensure).event_name).to eq(:shelf_created) }
        it { expect(shelf.property(:place).insync_values?(['x'], 'x')).to be(true) }
        it { expect { shelf.property(:lamp).set(:off) }.to raise_error(Puppet::Error, "Could not set 'off' on lamp: no switch") }
        it { expect(shelf.retrieve_resource.to_hash).to include(ensure: :absent, place: :absent) }
        it { expect(shelf.currentpropvalues.transform_keys(&:name)).to include(ensure: :absent, place: :absent) }
        it { expect(shelf.to_resource[:place]).to eq(:absent) }

        it 'prints a manifest' do
          resource = Puppet::Resource.new(:shelf, "o'k", parameters: {place: 'hall', ensure: 'present'})
          expect(resource.to_manifest).to eq("shelf { 'o\\\\'k':\\n  ensure => 'present',\\n  place  => 'hall',\\n}")
        end

        it 'asks for features each time' do
          expect(shelf.provider.class).to receive(:satisfies?).with(:lockable).twice.and_return(false)
          shelf[:locked] = true
          shelf[:locked] = false
        end

        it 'finds resources' do
          allow(described_class.provider(:parsed)).to receive(:instances).and_return([described_class.provider(:parsed).new(name: 'elm', ensure: :present, record_type: :parsed, place: 'bar')])
          expect(described_class.instances.map(&:name)).to eq(['elm'])
          expect(Puppet::Resource.indirection.find('shelf/elm')[:place]).to eq('bar')
          expect(Puppet::Resource.indirection.find('shelf/oak')[:ensure]).to eq(:absent)
          expect(Puppet::Resource.indirection.search('shelf').map(&:title)).to eq(['elm'])
        end

        it 'knows its neighbours' do
          other = described_class.new(name: 'elm', before: 'Shelf[oak]')
          catalog = Puppet::Resource::Catalog.new('test') { |new| new.add_resource(shelf, other) }
          expect(catalog.relationship_graph.direct_dependents_of(other)).to eq([shelf])
          expect(catalog.relationship_graph.direct_dependencies_of(shelf)).to eq([other])
        end
      end
    RUBY
    "lib/puppet/type/lamp.rb" => <<~RUBY,
      Puppet::Type.newtype(:lamp) do
        ensurable
        newparam(:name, namevar: true)
      end
    RUBY
    "lib/puppet/provider/lamp/found.rb" => <<~RUBY,
      Puppet::Type.type(:lamp).provide(:found) do
        mk_resource_methods
        def self.instances = [new(name: 'desk', ensure: :present)]
        def exists? = @property_hash[:ensure] == :present
      end
    RUBY
    "spec/unit/found_spec.rb" => <<~RUBY,
      require 'spec_helper'
      describe 'found resources' do
        it { expect(Puppet::Resource.indirection.find('lamp/desk')[:ensure]).to eq(:present) }
        it { expect(Puppet::Resource.indirection.find('file//')[:ensure]).to eq(:directory) }
        it { expect(Puppet::Resource.indirection.find('file//no/such')[:ensure]).to eq(:absent) }

        it 'has the properties of files' do
          path = File.join(Dir.mktmpdir, 'a')
          File.write(path, 'a')
          File.chmod(0o640, path)
          expect(Puppet::Resource.indirection.find("file/\#{path}").to_hash).to include(mode: '0640', owner: Process.uid, type: 'file')
        end
      end
    RUBY
    "lib/puppet/type/crate.rb" => <<~RUBY,
      require 'puppet/resource_api'
      Puppet::ResourceApi.register_type(
        name: 'crate', desc: 'A crate.',
        attributes: {
          ensure: {type: 'Enum[present, absent]', desc: 'there', default: 'present'},
          name: {type: 'String', desc: 'a name', behaviour: :namevar},
          size: {type: 'Optional[Integer]', desc: 'a size'}
        }
      )
    RUBY
    "lib/puppet/provider/crate/crate.rb" => <<~RUBY,
      require 'puppet/resource_api/simple_provider'
      class Puppet::Provider::Crate::Crate < Puppet::ResourceApi::SimpleProvider
        def get(_context) = [{name: 'a', ensure: 'present', size: 1}]
        def create(context, name, _should) = context.notice("made \#{name}")
        def update(context, name, should) = context.notice("\#{name} is \#{should[:size]}")
        def delete(_context, _name) = raise('nailed down')
      end
    RUBY
    "spec/unit/crate_spec.rb" => <<~RUBY,
      require 'spec_helper'
      require 'puppet/resource_api'
      require 'puppet/resource_api/base_context'
      describe 'crates' do
        let(:type) { Puppet::Type.type(:crate) }
        let(:context) { instance_double(Puppet::ResourceApi::BaseContext, 'context') }
        let(:provider) { Puppet::Provider::Crate::Crate.new }
        let(:logged) { @logs.map { |log| [log.level, log.message.sub(/[\\d.]+ seconds/, 'N seconds')] } }

        before { type.my_provider }

        it 'sets what differs' do
          type.my_provider.set(type.context, 'b' => {is: nil, should: {name: 'b', ensure: 'present'}}, 'a' => {should: {name: 'a', ensure: 'present', size: 2}})
          expect(logged).to eq([[:notice, 'crate[b]: Creating: made b'], [:notice, 'crate[b]: Creating: Finished in N seconds'],
                                [:notice, 'crate[a]: Updating: a is 2'], [:notice, 'crate[a]: Updating: Finished in N seconds']])
        end

        it 'notes failures' do
          type.context.deleting('a') { raise 'nailed down' }
          expect(type.context.failed?).to be(true)
          expect(logged).to eq([[:err, 'crate[a]: Deleting: Failed after N seconds: nailed down']])
        end

        it 'has messages' do
          type.context.attribute_changed('a', 'size', 1, 'x')
          type.context.warning(%w[a b], 'careful')
          expect(logged).to eq([[:notice, "crate: a: attribute 'size' changed from 1 to 'x'"], [:warning, 'crate[a, b]: careful']])
        end

        it { expect { type.context.processed(['a'], 1, 2) }.to raise_error('processed only accepts a single resource title') }
        it { expect(type.instances.map { |one| [one.name, one.retrieve[:size]] }).to eq([['a', 1]]) }
        it { expect { type.new(name: 'a', ensure: 'absent').flush }.to raise_error('Execution encountered an error') }
        it { expect { Puppet::ResourceApi::SimpleProvider.new.create(context, 'a', {}) }.to raise_error(/has not implemented `create`/) }
        it { expect { type.context.type.check_schema(name: 'a', size: 'x', other: 1) }.to raise_error(Puppet::DevError, /Unknown attribute:\\n    \\* other\\n\\n Value type mismatch:\\n    \\* size: x/) }
      end
    RUBY
    "spec/unit/ini_spec.rb" => <<~RUBY,
      require 'spec_helper'
      require 'puppet/util/inifile'
      describe Puppet::Util::IniConfig do
        let(:path) { File.join(Dir.mktmpdir, 'a.ini').tap { |file| File.write(file, "# first\\n[one]\\na = 1\\n more\\n\\n[two]\\nb=2\\n") } }
        let(:file) { described_class::PhysicalFile.new(path).tap(&:read) }

        it { expect(file.sections.map(&:name)).to eq(%w[one two]) }
        it { expect(file.get_section('one')['a']).to eq("1\\n more") }
        it { expect { file.add_section('one') }.to raise_error(described_class::IniParseError, /Section "one" is already defined, cannot redefine/) }
        it { expect { file.parse('x=1') }.to raise_error(described_class::IniParseError, /Property with key "x" outside of a section/) }
        it { expect { file.parse("[a]\\n!") }.to raise_error(described_class::IniParseError, /Can't parse line '!'/) }

        it 'writes sections that changed' do
          file.store
          file.get_section('two')['b'] = '3'
          file.get_section('two')['c'] = 'x'
          file.get_section('one').destroy = true
          file.store
          expect(File.read(path)).to eq("# first\\n[two]\\nb=3\\nc=x\\n")
        end
      end
    RUBY
    "spec/unit/package_spec.rb" => <<~RUBY,
      require 'spec_helper'
      require 'puppet/type/package'
      describe Puppet::Type.type(:package) do
        before { require 'puppet/type/package' }
        it { expect(described_class).to equal(Puppet::Type::Package) }
      end
    RUBY
    "lib/puppet/provider/shelf/hidden.rb" => <<~RUBY,
      Puppet::Type.type(:shelf).provide(:named_otherwise, parent: Puppet::Type.type(:shelf).provider(:parsed)) do
        commands saw: 'no-such-saw'
        confine 'os.family' => :nowhere
        confine true: -> { false }
        optional_commands drill: 'no-such-drill'
      end
    RUBY
    "spec/unit/confines_spec.rb" => <<~RUBY,
      require 'spec_helper'
      require 'puppet/confine_collection'
      require 'puppet/util/warnings'
      require 'puppet/util/retry_action'
      describe Puppet::Type.type(:shelf).provider(:named_otherwise) do
        it { expect(described_class).not_to be_suitable }
        it { expect(described_class.suitable?(false)).to include(exists: ['no-such-saw'], variable: {'os.family' => ['nowhere']}) }
        it { expect(Puppet::Type.type(:shelf).suitableprovider.map(&:name)).not_to include(:named_otherwise) }
        it { expect(described_class.confine_collection.instance_variable_get(:@confines)).to include(be_a(Puppet::Confine::Exists).and(have_attributes(values: ['no-such-saw'], for_binary: true))) }
        it 'warns once' do
          2.times { Puppet::Util::Warnings.warnonce('careful of shelves') }
          expect(@logs.map(&:message)).to eq(['careful of shelves'])
        end
        it { expect { Puppet::Util::RetryAction.retry_action(retries: 0) { raise 'x' } }.to raise_error(Puppet::Util::RetryAction::RetryException::RetriesExceeded, '0 exceeded') }
        it { expect(Puppet::Resource::Catalog.new).to be_a(Puppet::Resource::Catalog) }
        it 'asks nothing that specs stub' do
          allow(File).to receive(:file?).with('/x').and_return(true)
          expect(described_class).not_to be_suitable
        end
        it 'has scopes' do
          scope = Puppet::Parser::Scope.new(Puppet::Parser::Compiler.new(Puppet::Node.new('localhost')))
          Puppet::Parser::Functions.function('sprintf')
          expect(scope.call_function('join', [%w[a b], '-'])).to eq('a-b')
        end
      end
    RUBY
    "manifests/init.pp" => "class shelf { notify { 'a': } @notify { 'b': } }",
    "spec/classes/shelf_spec.rb" => <<~RUBY,
      require 'spec_helper'
      describe 'shelf' do
        it 'has catalogs without some resources' do
          kept = catalogue.filter { |resource| resource.type == 'Notify' }
          expect(kept.resources.map(&:ref)).to contain_exactly('Stage[main]', 'Class[Settings]', 'Class[main]', 'Class[Shelf]')
          expect(kept.resource('Notify', 'a')).to be_nil
          expect(kept.resource('Class', 'shelf').title).to eq('Shelf')
          expect(kept.to_ral.resource('Class', 'Shelf').ref).to eq('Class[Shelf]')
        end
        it { expect(catalogue.to_resource.resource('Notify', 'a').to_manifest).to eq("notify { 'a':\n  name => 'a',\n}") }
      end
    RUBY
    "spec/unit/system_spec.rb" => <<~RUBY,
      require 'spec_helper'
      describe 'the system' do
        it { expect(Puppet::Util.uid('root')).to eq(0) }
        it { expect(Puppet::Util.uid('no such user')).to be_nil }
        it { expect(Puppet::Util.gid(0)).to eq(0) }
        it { expect(Puppet::Util::RunMode[:agent].conf_dir).to end_with('puppet') }
        it { expect(Puppet::Provider.execute(['printf', 'x'])).to eq('x') }
        it { expect(Puppet::Util::SUIDManager.asuser { 7 }).to eq(7) }
        it { expect(Puppet::Node::Environment.create(:mine, ['/no/modules']).name).to eq(:mine) }
        it { expect { Puppet::Util::Log.newdestination(:console); Puppet.notice('printed') }.to output(/printed/).to_stdout }

        it 'adds a destination for a while' do
          logs = []
          Puppet::Util::Log.with_destination(Puppet::Test::LogCollector.new(logs)) { Puppet.warning('x') }
          Puppet.warning('y')
          expect(logs.map(&:message)).to eq(['x'])
        end

        it 'compares versions in providers' do
          provider = Class.new(Puppet::Provider) { include Puppet::Util::Package; def compare = versioncmp('1.10', '1.9') }
          expect(provider.new.compare).to eq(1)
        end
      end
    RUBY
  }.freeze

  def run(files)
    with_modules(files) { |directory| Open3.capture2e(*Puppetfn::CLI.command, "test", "--no-color", chdir: directory) }
  end

  it "passes them" do
    output, status = run(files)
    expect(output).to match(/^67 examples, 0 failures$/)
    expect(status.exitstatus).to eq(0)
  end
end
