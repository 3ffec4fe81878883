# frozen_string_literal: true

require "fileutils"
require "open3"
require "rbconfig"
require "tmpdir"

# Loading `puppetfn/pal` changes what a process answers where no runtime is at work, so each example has one of
# its own. spec/differential/pal_spec.rb compares with real Puppet.
RSpec.describe "puppetfn/pal" do
  lib = File.expand_path("../../lib", __dir__)

  # What a program prints.
  define_method(:output) do |program|
    said, status = Open3.capture2e(RbConfig.ruby, "-W:no-experimental", "-I", lib, "-r", "puppetfn/pal", "-r", "json", "-e", program)
    raise said unless status.success?

    said
  end

  it "begins each compilation with what was set before" do
    program = <<~'RUBY'
      Puppet[:vardir] = "/var/mine"
      seen = []
      Puppet::Util::Log.newdestination(seen)
      Puppet.notice("outside")
      Puppet::Pal.in_tmp_environment("e", facts: {}) do |pal|
        pal.with_script_compiler { |compiler| compiler.evaluate_string("notice('inside')"); print Puppet[:vardir] }
      end
      print seen.map(&:to_s)
    RUBY

    expect(output(program)).to match(%r{\A/var/mine\["outside", ".*inside"\]\z})
  end

  it "keeps the environments of threads apart" do
    program = <<~'RUBY'
      names = Array.new(4) do |n|
        Thread.new do
          Puppet::Pal.in_tmp_environment("e#{n}", facts: {"n" => n}) do |pal|
            pal.with_script_compiler { |compiler| Thread.pass; [compiler.evaluate_string("$facts['n']"), Puppet.lookup(:pal_env).to_s] }
          end
        end
      end
      print names.map(&:value)
    RUBY

    expect(output(program)).to eq('[[0, "e0"], [1, "e1"], [2, "e2"], [3, "e3"]]')
  end

  it "says that plans and tasks need Bolt" do
    program = <<~'RUBY'
      Puppet::Pal.in_tmp_environment("e", facts: {}) do |pal|
        %i[list_plans list_tasks].each { |name| pal.with_script_compiler { |compiler| compiler.public_send(name) } rescue puts "#{$!.class}: #{$!.message}" }
      end
    RUBY

    expect(output(program).lines.map(&:chomp)).to match(
      [/\APuppetfn::UnavailableError: Puppet::Pal::ScriptCompiler#list_plans is .* Plans need Bolt/,
       /\APuppetfn::UnavailableError: Puppet::Pal::ScriptCompiler#list_tasks is .* Tasks need Bolt/]
    )
  end

  it "evaluates the manifest that an environment is configured to have" do
    Dir.mktmpdir do |root|
      FileUtils.mkdir_p(["#{root}/live/mods/m/functions", "#{root}/live/manifests"])
      File.write("#{root}/live/environment.conf", "modulepath = mods:$basemodulepath\nmanifest = site.pp # the only one\n")
      File.write("#{root}/live/mods/m/functions/f.pp", "function m::f() { 'found' }")
      File.write("#{root}/live/site.pp", "$x = m::f()")
      program = <<~RUBY
        Puppet::Pal.in_environment("live", envpath: "/nowhere:#{root}", facts: {}) do |pal|
          pal.with_script_compiler(configured_by_env: true) { |compiler| print compiler.evaluate_string("$x") }
        end
      RUBY

      expect(output(program)).to eq("found")
    end
  end
end
