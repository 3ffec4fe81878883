# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "tmpdir"

# The answers are simp-rspec-puppet-facts 4's: https://github.com/simp/rubygem-simp-rspec-puppet-facts.
RSpec.describe "facts of the SIMP modules' specs" do
  metadata = {name: "ada-shop", version: "1.0.0", author: "ada", license: "MIT", source: "", dependencies: [],
              operatingsystem_support: [{operatingsystem: "CentOS", operatingsystemrelease: ["9"]}]}
  spec = <<~RUBY
    require 'puppetlabs_spec_helper/module_spec_helper'
    require 'simp/rspec-puppet-facts'
    include Simp::RspecPuppetFacts
    describe 'facts' do
      on_supported_os.each_value do |facts|
        it { expect(facts[:os][:release][:major]).to eq('9') }
        it { expect(facts[:lsbmajdistrelease]).to eq('9') }
        it { expect(facts.slice(:selinux, :selinux_enforced, :selinux_state)).to eq(selinux: true, selinux_enforced: true, selinux_state: 'enforcing') }
      end
      added = {tmp_mount_tmp: 'rw,seclabel,nodev', tmp_mount_dev_shm: 'rw'}
      on_supported_os(selinux_mode: :disabled, extra_facts: added, extra_facts_immutable: {selinux_state: 'x'}).each_value do |facts|
        it { expect(facts.values_at(:selinux, :selinux_current_mode, :selinux_state)).to eq([false, 'disabled', 'x']) }
        it { expect(facts.values_at(:tmp_mount_tmp, :tmp_mount_dev_shm)).to eq(['rw,nodev', 'rw']) }
      end
      on_supported_os(selinux_mode: :permissive, extra_facts: added).each_value do |facts|
        it { expect(facts.values_at(:selinux_enforced, :tmp_mount_dev_shm)).to eq([false, 'rw,seclabel']) }
      end
      it { expect { on_supported_os(selinux_mode: :lax) }.to raise_error(/must be one of: :enforcing, :permissive, :disabled/) }
    end
  RUBY

  def run(metadata, spec, environment = {})
    Dir.mktmpdir do |directory|
      File.write("#{directory}/metadata.json", JSON.generate(metadata))
      FileUtils.mkdir_p("#{directory}/spec/unit")
      File.write("#{directory}/spec/unit/facts_spec.rb", spec)
      Open3.capture2e(environment, *Puppetfn::CLI.command, "test", chdir: directory).first
    end
  end

  it "have symbols at all depths, and those of SELinux and LSB" do
    expect(run(metadata, spec)).to include("7 examples, 0 failures")
  end

  it "come from the gem, where there is one" do
    Dir.mktmpdir do |library|
      FileUtils.mkdir_p("#{library}/simp")
      File.write("#{library}/simp/rspec-puppet-facts.rb", "module Simp; module RspecPuppetFacts; def on_supported_os = {'of-the-gem' => {a: 1}}; end; end")
      own = "require 'puppetlabs_spec_helper/module_spec_helper'\nrequire 'simp/rspec-puppet-facts'\ninclude Simp::RspecPuppetFacts\n" \
            "describe('facts') { it { expect(on_supported_os.keys).to eq(['of-the-gem']) } }"
      expect(run(metadata, own, "RUBYLIB" => library)).to include("1 example, 0 failures")
    end
  end

  it "are those of the systems that SIMP_FACTS_OS names" do
    expect(run(metadata, spec, "SIMP_FACTS_OS" => "debian-12, ubuntu")).to include("1 example, 0 failures")
    expect(run(metadata, spec, "SIMP_FACTS_OS" => "centos-9")).to include("7 examples, 0 failures")
  end
end
