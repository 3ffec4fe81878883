# frozen_string_literal: true

require "fileutils"
require_relative "../support/compile_service"
require_relative "../support/changing_environment"
require_relative "../support/module_tree"

RSpec.describe "`puppetfn serve`, while code and data change" do
  include ModuleTree

  # Runs a service for environments.
  def serve(files, *options, workers: 1)
    with_modules(files) do |root|
      CompileService.run("--environmentpath", root, "--workers", workers.to_s, *options) { |service| yield service, root }
    end
  end

  function = lambda do |value|
    "Puppet::Functions.create_function(:'m::f') do\n  def f\n    #{value}\n  end\nend\n"
  end

  it "has the new answer after each kind of change" do
    files = {
      "production/environment.conf" => "modulepath = modules\n", "production/hiera.yaml" => "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n",
      "production/data/a.yaml" => "m::p: 1\n",
      "production/manifests/site.pp" => "include m\nnotice(m::f())\nnotice(epp('m/t.epp'))\nnotice(template('m/t.erb'))\nnotice(file('m/f', '/nosuch'))\n",
      "production/modules/m/manifests/init.pp" => "class m($p) { notice(\"p ${p}\") }",
      "production/modules/m/lib/puppet/functions/m/f.rb" => function.call("'f 1'"),
      "production/modules/m/templates/t.epp" => "epp 1", "production/modules/m/templates/t.erb" => "erb 1", "production/modules/m/files/f" => "file 1"
    }
    serve(files) do |service, root|
      expected = ["p 1", "f 1", "epp 1", "erb 1", "file 1"]
      check = lambda do |place, now|
        expected[place] = now
        expect(service.catalog.then { |answer| answer.status == 200 ? answer.messages : answer.body }).to eq(expected)
      end
      write = ->(path, text) { File.write("#{root}/production/#{path}", text) }
      check.call(0, "p 1")
      write.call("data/a.yaml", "m::p: 2\n")
      check.call(0, "p 2")
      write.call("modules/m/lib/puppet/functions/m/f.rb", function.call("'f 2'"))
      check.call(1, "f 2")
      write.call("modules/m/templates/t.epp", "epp 2")
      check.call(2, "epp 2")
      write.call("modules/m/templates/t.erb", "erb 2")
      check.call(3, "erb 2")
      write.call("modules/m/files/f", "file 2")
      check.call(4, "file 2")
      write.call("hiera.yaml", "version: 5\nhierarchy: [{name: b, path: b.yaml}, {name: a, path: a.yaml}]\n")
      check.call(0, "p 2")
      write.call("data/b.yaml", "m::p: 3\n")
      check.call(0, "p 3")
      FileUtils.mkdir_p("#{root}/production/other")
      FileUtils.cp_r("#{root}/production/modules/m", "#{root}/production/other/m")
      write.call("other/m/manifests/init.pp", "class m { notice('other') }")
      write.call("environment.conf", "modulepath = other:modules\n")
      check.call(0, "other")
      FileUtils.mv("#{root}/production/other", "#{root}/production/gone")
      check.call(0, "p 3")
      FileUtils.rm("#{root}/production/manifests/site.pp")
      expect(service.catalog.messages).to eq([])
      write.call("manifests/site.pp", "notice('new')\n")
      expect(service.catalog.messages).to eq(["new"])
      write.call("manifests/site.pp", "notice('wen')\n")
      expect(service.catalog.messages).to eq(["wen"])
      write.call("manifests/site.pp", "notice(\n")
      expect(service.catalog.status).to eq(422)
      FileUtils.mv("#{root}/production", "#{root}/away")
      expect(service.catalog.status).to eq(404)
      write = ->(text) { FileUtils.mkdir_p("#{root}/production/manifests") && File.write("#{root}/production/manifests/site.pp", text) }
      write.call("notice('back')")
      expect(service.catalog.messages).to eq(["back"])
    end
  end

  it "has the settings of the project as they are now" do
    serve({"production/manifests/site.pp" => "notice($settings::vardir)\n"}) do |service, root|
      project = "#{root}/puppetfn.toml"
      usual = service.catalog.messages
      File.write(project, "[settings]\nvardir = \"/srv/one\"\n")
      expect(service.catalog.messages).to eq(["/srv/one"])
      File.write("#{root}/production/puppetfn.toml", "[settings]\nvardir = \"/srv/two\"\n")
      expect(service.catalog.messages).to eq(["/srv/two"])
      FileUtils.rm(["#{root}/production/puppetfn.toml", project])
      expect(service.catalog.messages).to eq(usual)
    end
  end

  it "evaluates Ruby code anew when its environment is flushed, or was absent for a while" do
    code = <<~RUBY
      Puppet::Functions.create_function(:'m::g') do
        dispatch(:one) { param 'M::Value', :value }
        dispatch(:other) { param 'Any', :value }
        def one(_) = 'yes'
        def other(_) = 'no'
      end
    RUBY
    type = ->(value) { "type M::Value = Enum[#{value}]\n" }
    files = {"manifests/site.pp" => "notice(m::g('one'))\n", "modules/m/lib/puppet/functions/m/g.rb" => code, "modules/m/types/value.pp" => type.call("one")}
    serve(files.transform_keys { |file| "production/#{file}" }) do |service, root|
      file = "#{root}/production/modules/m/types/value.pp"
      expect(service.catalog.messages).to eq(["yes"])
      service.request("DELETE", "/v1/environment-cache")
      expect(service.catalog.messages).to eq(["yes"])
      File.write(file, type.call("two"))
      expect(service.catalog.messages).to eq(["no"])
      FileUtils.mv("#{root}/production", "#{root}/away")
      expect(service.catalog.status).to eq(404)
      File.write(file.sub("production", "away"), type.call("one"))
      FileUtils.mv("#{root}/away", "#{root}/production")
      expect(service.catalog.messages).to eq(["yes"])
    end
  end

  it "compiles again where an environment is replaced meanwhile" do
    site = ->(value) { "$a = m::a()\ngenerate('/bin/sleep', $wait)\nnotice(\"${a} ${m::b()}\") # #{value}\n" }
    files = %w[one two].flat_map do |name|
      [["#{name}/manifests/site.pp", site.call(name)], ["#{name}/modules/m/functions/a.pp", "function m::a() { '#{name}' }"],
       ["#{name}/modules/m/functions/b.pp", "function m::b() { '#{name}' }"]]
    end
    with_modules(files.to_h) do |root|
      FileUtils.mkdir_p("#{root}/environments")
      File.symlink("#{root}/one", "#{root}/environments/production")
      CompileService.run("--environmentpath", "#{root}/environments", "--workers", "1") do |service|
        ask = ->(seconds) { service.catalog(parameters: {wait: seconds.to_s}) }
        expect(ask.call(0).messages).to eq(["one one"])
        request = Thread.new { ask.call(0.5) }
        service.wait { service.workers.find { |pid| CompileService.children(pid).any? } }
        File.symlink("#{root}/two", "#{root}/environments/new")
        File.rename("#{root}/environments/new", "#{root}/environments/production")
        expect(request.value.messages).to eq(["two two"])
        expect(service.metrics["puppetfn_recompilations_total"]).to be >= 1
      end
    end
  end

  it "answers with a state that held during the request, whatever changes" do
    with_modules({}) do |root|
      environment = ChangingEnvironment.new("#{root}/environments/production", Random.new(RSpec.configuration.seed))
      CompileService.run("--environmentpath", "#{root}/environments", "--workers", "2") do |service|
        problems, answers = environment.check(service, changes: 200, threads: 4)
        expect(problems).to eq([]), "seed #{RSpec.configuration.seed}: #{problems.first(3).inspect}"
        expect(answers).to be > 100
      end
    end
  end
end
