# frozen_string_literal: true

require "open3"

RSpec.describe "script/verify" do
  root = File.expand_path("../..", __dir__)
  programs = Dir.children("#{root}/script/verifiers").sort
  contributing = File.read("#{root}/CONTRIBUTING.md", encoding: "UTF-8")[/^### Random and external inputs$.*?(?=^##)/m]

  it "lists all programs, each with a description" do
    output, status = Open3.capture2e("#{root}/script/verify")

    expect(status).to be_success
    expect(output.lines.drop(1)).to match(programs.map { |name| /\A  #{name} +[A-Z].+\.\n\z/ })
  end

  it "says which program does not exist" do
    output, status = Open3.capture2e("#{root}/script/verify", "border")

    expect(status).not_to be_success
    expect(output).to start_with("script/verify: there is no program 'border'\n").and include("fuzz-ruby-api")
  end

  it "has programs that CONTRIBUTING.md explains, with specs that exist" do
    rows = contributing.scan(%r{^\| `([a-z-]+)(?: [^`]*)?` \| .+ \| (?:`(spec\S+)`)?.*\|$})

    expect(rows.map(&:first)).to match_array(programs)
    expect(rows.filter_map(&:last).reject { |file| File.file?("#{root}/#{file}") }).to eq([])
  end

  programs.each do |name|
    it "#{name} is an executable that names itself in its usage" do
      path = "#{root}/script/verifiers/#{name}"

      expect(File.executable?(path)).to be(true)
      expect(File.read(path)).to match(%r{^#     script/verify #{name}\b})
    end
  end
end
