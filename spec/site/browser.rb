# frozen_string_literal: true

require "open3"
require "tmpdir"

# A browser without a window, one at a time and for a limited time.
module Browser
  COMMAND = %w[chromium chromium-browser google-chrome].find do |name|
    ENV.fetch("PATH").split(":").any? { |directory| File.executable?(File.join(directory, name)) }
  end
  FLAGS = %w[--headless --no-sandbox --disable-gpu --disable-quic --disable-dev-shm-usage --no-first-run --disable-background-networking
             --disable-component-update --disable-sync --enable-logging=stderr --v=0].freeze
  SECONDS = 60

  # What a browser makes of a page.
  #
  # @attr [String] dom the document after its scripts have run
  # @attr [Array<String>] messages what stands in the console
  Seen = Struct.new(:dom, :messages)

  # @param file [String] the page
  # @param query [String, nil]
  # @return [Seen]
  def look(file, query = nil)
    skip "there is no Chromium" unless COMMAND
    # A browser that does not even start says nothing of the page.
    2.times do
      Dir.mktmpdir("browser-") do |profile|
        address = "file://#{file}#{"?#{query}" if query}"
        dom, told, status = Open3.capture3("timeout", "-s", "KILL", SECONDS.to_s, COMMAND, *FLAGS, "--user-data-dir=#{profile}", "--dump-dom", address)
        return Seen.new(dom.force_encoding("UTF-8"), told.scrub.lines.grep(/CONSOLE/)) if status.success? && dom.include?("</html>")
      end
    end
    raise "the browser did not show #{file}"
  end
end
