# frozen_string_literal: true

require_relative "../support/module_tree"

# Applied catalogs, as specs of types and providers have them. All answers are Puppet 8.11's.
RSpec.describe "Puppet::Resource::Catalog#apply" do
  include ModuleTree

  files = {
    "shop/lib/puppet/type/article.rb" => <<~RUBY,
      Puppet::Type.newtype(:article) do
        ensurable
        newparam(:name, namevar: true)
        newparam(:check)
        newproperty(:price)
        newproperty(:labels, array_matching: :all)
        newproperty(:power) { newvalue(:on, invalidate_refreshes: true) { provider.call('power on') } }
        newproperty(:secret)
        autorequire(:article) { self[:name] == 'second' ? ['first'] : [] }
        def refresh = self[:check] == 'refresh' ? raise('cannot') : provider.refreshed
        def pre_run_check = self[:check] == 'run' ? raise(Puppet::Error, 'not today') : nil
      end
    RUBY
    "shop/lib/puppet/provider/article/till.rb" => <<~RUBY
      Puppet::Type.type(:article).provide(:till) do
        mk_resource_methods
        class << self
          attr_accessor :stock, :calls
          def instances = stock.map { |name, values| new({name: name, ensure: :present}.merge(values)) }
          def prefetch(resources)
            calls << "prefetch \#{resources.keys.sort}"
            raise 'no stock' if resources['broken']
            instances.each { |one| resources[one.name].provider = one if resources[one.name] }
          end
        end
        def exists? = @property_hash[:ensure] == :present
        def create = call('create') { raise Puppet::Error, 'sold out' if resource[:name] == 'gone' }
        def destroy = call('destroy')
        def refreshed = call('refresh')
        def flush = call('flush') { raise 'no flush' if resource[:name] == 'dirty' }
        define_method(:price=) { |value| call("price \#{value} of") { raise 'too much' if value == '99' } }
        def call(what) = (self.class.calls << "\#{what} \#{resource[:name]}") && (yield if block_given?)
      end
    RUBY
  }

  # Applies resources to a stock: what the provider did, the messages, and the transaction.
  define_method(:apply) do |*resources, stock: {}, host_config: true|
    with_runtime(files) do |runtime|
      runtime.activate do
        type = runtime.resource_type("article")
        till = type.provider(:till)
        till.stock, till.calls = stock, []
        catalog = Puppet::Resource::Catalog.new
        catalog.host_config = host_config
        catalog.add_resource(*resources.map { |values| type.new(values) })
        transaction = catalog.apply
        [till.calls, transaction.report.logs.map(&:message), transaction]
      end
    end
  end

  def states(transaction)
    transaction.report.resource_statuses.to_h do |name, status|
      [name[/\[(.*)\]/, 1], %i[changed failed skipped].select { |state| status.public_send(:"#{state}?") }]
    end
  end

  it "creates, changes and removes" do
    calls, logs, transaction = apply({name: "a", ensure: :present, price: "1"}, {name: "b", ensure: :present, price: "2", labels: %w[x y]},
      {name: "c", ensure: :absent}, {name: "d", price: "5"}, stock: {"b" => {price: "1"}, "c" => {}, "d" => {price: "5"}})

    expect(calls).to eq(['prefetch ["a", "b", "c", "d"]', "create a", "flush a", "price 2 of b", "flush b", "destroy c", "flush c"])
    expect(logs).to eq(["created", "price changed '1' to '2'", "defined 'labels' as ['x', 'y']", "removed"])
    expect(states(transaction)).to eq("a" => [:changed], "b" => [:changed], "c" => [:changed], "d" => [])
    expect([transaction.any_failed?, transaction.changed?.map(&:title)]).to eq([nil, %w[a b c]])
    transaction.report.finalize_report
    expect([transaction.report.status, transaction.report.exit_status]).to eq(["changed", 2])
    expect(transaction.events.map(&:name)).to eq(%i[article_created price_changed labels_changed article_removed])
  end

  it "goes on after failures, without what depends on them" do
    calls, logs, transaction = apply({name: "b", ensure: :present, require: "Article[gone]"}, {name: "gone", ensure: :present},
      {name: "a", ensure: :present, price: "99", labels: ["z"]}, {name: "dirty", ensure: :present}, stock: {"a" => {price: "1"}})

    expect(calls.drop(1)).to eq(["create gone", "price 99 of a", "flush a", "create dirty", "flush dirty"])
    expect(logs).to eq([
      "sold out", "change from 'absent' to 'present' failed: sold out", "Dependency Article[gone] has failures: true",
      "Skipping because of failed dependencies", "too much", "change from '1' to '99' failed: too much", "defined 'labels' as ['z']",
      "created", "Could not evaluate: no flush"
    ])
    expect(states(transaction)).to eq("gone" => [:failed], "b" => [:skipped], "a" => %i[changed failed], "dirty" => %i[changed failed])
  end

  it "follows relationships, and passes on events" do
    calls, logs, = apply({name: "second", ensure: :present}, {name: "c", subscribe: "Article[b]", before: "Article[first]"},
      {name: "b", ensure: :present, notify: "Article[d]"}, {name: "d", notify: "Article[c]"}, {name: "first", ensure: :present})

    expect(calls.drop(1)).to eq(["create b", "flush b", "refresh d", "refresh c", "create first", "flush first", "create second", "flush second"])
    expect(logs).to include("Triggered 'refresh' from 1 event", "Triggered 'refresh' from 2 events")
  end

  it "refreshes nothing that a change has started" do
    calls, = apply({name: "b", ensure: :present, notify: %w[c d].map { |name| "Article[#{name}]" }}, {name: "c", power: :on}, {name: "d"},
      stock: {"c" => {}})

    expect(calls.drop(1)).to eq(["create b", "flush b", "power on c", "flush c", "refresh d"])
  end

  it "fails where a refresh does" do
    _, logs, transaction = apply({name: "b", ensure: :present, notify: "Article[c]"}, {name: "c", check: "refresh"},
      {name: "d", ensure: :present, require: "Article[c]"})

    expect(logs.drop(1).first(3)).to eq(["Failed to call refresh: cannot", "cannot", "Dependency Article[c] has failures: true"])
    expect(states(transaction)).to eq("b" => [:changed], "c" => [:failed], "d" => [:skipped])
  end

  it "only says what it would do with noop, in catalogs of hosts" do
    resources = [{name: "a", ensure: :present, noop: true, notify: "Article[c]"}, {name: "c"}]

    expect(apply(*resources).first(2)).to eq([['prefetch ["a", "c"]'], ["created (noop)", "Would have triggered 'refresh' from 1 event"]])
    expect(apply(*resources, host_config: false)[1]).to eq(["created", "Triggered 'refresh' from 1 event"])
  end

  it "hides what is sensitive" do
    secret = Puppet::Pops::Types::PSensitiveType::Sensitive.new("new")
    expect(apply({name: "a", ensure: :present, secret: secret}, stock: {"a" => {secret: "old"}})[1])
      .to eq(["secret changed 'old' to Sensitive [value redacted]"])
  end

  it "skips the resources of a provider that cannot look at the system" do
    _, logs, transaction = apply({name: "broken", ensure: :present}, {name: "b", ensure: :present})

    expect(logs).to eq(["Could not prefetch article provider 'till': no stock", *["Skipping because provider prefetch failed"] * 2])
    expect(states(transaction)).to eq("broken" => %i[failed skipped], "b" => %i[failed skipped])
  end

  it "refuses cycles and failed checks" do
    expect { apply({name: "a", require: "Article[b]"}, {name: "b", require: "Article[a]"}) }
      .to raise_error(Puppet::Error, "One or more resource dependency cycles detected in graph")
    expect { apply({name: "a", check: "run"}) }.to raise_error(Puppet::Error, "Some pre-run checks failed")
  end
end
