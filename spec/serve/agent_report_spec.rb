# frozen_string_literal: true

require_relative "agent_report"

# The comparison of `script/verify serve-agents`.
RSpec.describe "reports of agents, without times" do
  def report(message: "created", time: "2026-11-26T18:00:00.1+00:00", uuid: "1", port: 8140, status: :changed)
    AgentVerifier::AgentReport.read(<<~YAML)
      --- !ruby/object:Puppet::Transaction::Report
      host: web
      time: '#{time}'
      transaction_uuid: #{uuid}
      server_used: localhost:#{port}
      status: #{status}
      metrics:
        time: !ruby/object:Puppet::Util::Metric
          values: [[total, Total, #{uuid}]]
        events: !ruby/object:Puppet::Util::Metric
          values: [[total, Total, 1]]
      logs:
      - !ruby/object:Puppet::Util::Log
        level: !ruby/sym notice
        message: Applied catalog in #{uuid}.5 seconds
        time: #{time}
      resource_statuses:
        File[/a]: !ruby/object:Puppet::Resource::Status
          evaluation_time: 0.#{uuid}
          events:
          - !ruby/object:Puppet::Transaction::Event
            message: #{message}
            time: '#{time}'
    YAML
  end

  it "are the same for two runs that did the same" do
    expect(report).to eq(report(time: "2026-11-27T19:00:00.2+00:00", uuid: "2", port: 8141))
    expect(report["resource_statuses"]["File[/a]"]).to eq("events" => [{"message" => "created"}])
    expect(report["logs"]).to eq([{"level" => "notice", "message" => "Applied catalog in N seconds"}])
  end

  it "differ for runs that did something else" do
    expect(report).not_to eq(report(message: "removed"))
    expect(report).not_to eq(report(status: :failed))
  end

  it "leave in the output all but times and temporary names" do
    output = "--- /etc/motd\t2026-11-26 18:00:00.1 +0000\n+++ /tmp/puppet-file20261126-1-x\t2026-11-26 18:00:00.2 +0000\n-a 1.5\n+b\n"
    expect(AgentVerifier::AgentReport.text(output)).to eq("--- /etc/motd\n+++ /tmp/puppet-fileTEMPORARY\n-a 1.5\n+b\n")
  end
end
