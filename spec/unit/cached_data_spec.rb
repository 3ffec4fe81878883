# frozen_string_literal: true

require_relative "../support/module_tree"

# Values cached in a Puppet::LookupContext keep their identity, as in Puppet 8.11.
RSpec.describe "Data that functions of Hiera cache" do
  include ModuleTree

  files = {
    "own/lib/puppet/functions/own/data.rb" => <<~RUBY
      require 'yaml'
      Puppet::Functions.create_function(:'own::data') do
        dispatch :data do
          param 'String[1]', :key
          param 'Hash', :options
          param 'Puppet::LookupContext', :context
        end

        def data(key, options, context)
          all = context.cached_file_data(options['path']) { |text| YAML.safe_load(text) }
          context.cache('first', all) unless context.cache_has_key('first')
          context.cache_all('second' => {'a' => 1}) unless context.cache_has_key('second')
          same = all.equal?(context.cached_file_data(options['path'])) && all.equal?(context.cached_value('first')) &&
                 context.cached_value('second').equal?(context.cached_value('second'))
          all['calls'] = all.fetch('calls', 0) + 1
          key == 'k' ? [same, all['calls'], all['v']] : context.not_found
        end
      end
    RUBY
  }.freeze

  it "is the same object, with what was done to it" do
    environment = {"env/hiera.yaml" => "version: 5\nhierarchy: [{name: a, path: a.yaml, lookup_key: own::data, datadir: .}]\n",
                   "env/a.yaml" => "v: x\n"}
    with_modules(files.merge(environment)) do |root|
      runtime = Puppetfn::Runtime.new(modulepath: [root], environment: File.join(root, "env"), node: "web1")
      runtime.compile("notice(lookup('k')) notice(lookup('k'))")
      expect(runtime.logs.map { |_, message| message }).to eq(["[true, 2, x]", "[true, 2, x]"])
    end
  end

  it "is Ruby's error for a file that cannot be read, which functions rescue" do
    function = <<~RUBY
      Puppet::Functions.create_function(:'own::absent') do
        dispatch :data do
          param 'String[1]', :key
          param 'Hash', :options
          param 'Puppet::LookupContext', :context
        end

        def data(key, options, context)
          context.not_found if key != 'k'
          context.cached_file_data(options['file'])
        rescue Errno::ENOENT => e
          e.message
        end
      end
    RUBY
    environment = {"env/hiera.yaml" => "version: 5\nhierarchy: [{name: a, lookup_key: own::absent, options: {file: /nope}}]\n",
                   "own/lib/puppet/functions/own/absent.rb" => function}
    with_modules(environment) do |root|
      runtime = Puppetfn::Runtime.new(modulepath: [root], environment: File.join(root, "env"), node: "web1")
      runtime.compile("notice(lookup('k'))")
      expect(runtime.logs.map { |_, message| message }).to eq(["No such file or directory @ rb_file_s_stat - /nope"])
    end
  end
end
