# frozen_string_literal: true

require_relative "../support/module_tree"

# Processors of reports that modules define, as their specs use them. All answers are Puppet 8.11's.
RSpec.describe "Puppet::Reports" do
  include ModuleTree

  processor = <<~RUBY
    Puppet::Reports.register_report(:letter, useyaml: true) do
      desc 'Writes a letter.'
      def process = "\#{report_name}: \#{status}, \#{logs.size}"
    end
  RUBY

  it "have the processors of modules, which become part of reports" do
    with_runtime({"shop/lib/puppet/reports/letter.rb" => processor}) do |runtime|
      runtime.activate do
        letter = Puppet::Reports.report("letter")
        report = Puppet::Transaction::Report.new("1.0", "production", "uuid", "7")

        expect([letter.name, letter.useyaml, letter.doc]).to eq(["Puppet::Reports::Letter", true, "Writes a letter."])
        expect(report.extend(letter).process).to eq("letter: failed, 0")
        expect([report.configuration_version, report.environment, report.job_id, report.puppet_version, report.noop_pending])
          .to eq(["1.0", "production", "7", "8.11.0", false])
        expect(Puppet::Reports.report(:nothing)).to be_nil
      end
    end
  end

  it "are about events, which specs make" do
    event = Puppet::Transaction::Event.new(property: "message", message: "changed", status: "success", name: :message_changed)
    expect([event.to_s, event.status, event.property, event.audited, event.corrective_change]).to eq(["changed", "success", "message", false, false])
  end

  it "have messages with tags" do
    Puppetfn::Runtime.new.activate do
      log = Puppet::Util::Log.new(level: :notice, message: "first", tags: %w[one two])
      report = Puppet::Transaction::Report.new << log

      expect(report.logs.map { |message| message.tagged?("two") }).to eq([true])
      expect([log.tags.to_a.sort, log.to_report]).to match([%w[notice one two], /\A\d{4}-.* Puppet \(notice\): first\z/])
    end
  end
end
