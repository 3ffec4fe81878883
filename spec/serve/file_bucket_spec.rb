# frozen_string_literal: true

require_relative "../support/agent_service"

RSpec.describe "The file bucket of `puppetfn serve --listen`" do
  include AgentService

  let(:content) { "old\n\0\xFF".b }
  let(:digest) { OpenSSL::Digest.hexdigest("SHA256", content) }

  def send_bucket(requests, method, key, body = nil, type: "application/octet-stream", query: "")
    answer = requests.ask(method, "/puppet/v3/file_bucket_file/#{key}?environment=production#{query}", body: body, headers: {"Content-Type" => type})
    [answer.code, answer.body]
  end

  it "stores contents by their digests, with the paths that they had" do
    listen do |requests, root|
      key = "sha256/#{digest}/etc/some%20file"
      expect(send_bucket(requests, "HEAD", key).first).to eq("404")
      expect(send_bucket(requests, "PUT", key, content)).to eq(["200", ""])
      expect(send_bucket(requests, "PUT", key, content)).to eq(["200", ""])
      place = "#{root}/var/bucket/#{digest[0, 8].chars.join("/")}/#{digest}"
      expect(File.binread("#{place}/contents")).to eq(content)
      expect(File.read("#{place}/paths")).to eq("etc/some file\n")
      expect(File.stat("#{place}/contents").mode & 0o777).to eq(0o440)
      expect(send_bucket(requests, "HEAD", key)).to eq(["200", nil])
      ["sha256/#{digest}", "sha256/#{digest}/", key].each { |known| expect(send_bucket(requests, "GET", known)).to eq(["200", content]) }
      expect(send_bucket(requests, "GET", "sha256/#{digest}/etc/other")).to match(["404", /Not Found: Could not find file_bucket_file/])
      send_bucket(requests, "PUT", "sha256/#{digest}/etc/other", content)
      expect(File.readlines("#{place}/paths", chomp: true)).to eq(["etc/some file", "etc/other"])
    end
  end

  it "gives a content the digest that it has, and replaces a damaged one" do
    listen do |requests, root, _certificates, service|
      other = "0" * 64
      expect(send_bucket(requests, "PUT", "sha256/#{other}/x", content).first).to eq("200")
      expect(send_bucket(requests, "GET", "sha256/#{other}/x").first).to eq("404")
      expect(send_bucket(requests, "GET", "sha256/#{digest}/x")).to eq(["200", content])
      file = Dir["#{root}/var/bucket/**/contents"].first
      File.chmod(0o640, file)
      File.write(file, "damaged")
      expect(send_bucket(requests, "PUT", "sha256/#{digest}/x", content).first).to eq("200")
      expect(File.binread(file)).to eq(content)
      expect(service.log).to include("WARN Existing backup does not match its expected sum, {sha256}#{digest}. Overwriting corrupted backup.")
    end
  end

  it "refuses other keys and requests" do
    listen do |requests, root|
      {
        "md5/#{"0" * 32}/x" => ["500", /Unsupported checksum type \\"md5\\"/], "sha256/#{"0" * 63}/x" => ["500", /Invalid checksum/],
        "sha256/#{"0" * 62}%20x/x" => ["500", /Invalid checksum/], "sha256/../../x" => ["400", /segment/], "sha256/#{"0" * 64}/a%0Ab" => ["500", /Invalid path/],
        "sha256" => ["500", /Invalid checksum/]
      }.each { |key, expected| expect(send_bucket(requests, "PUT", key, content)).to match(expected) }
      expect(send_bucket(requests, "PUT", "sha256/#{digest}", content, type: "text/plain")).to match(["415", %r{mime-type \(text/plain\)}])
      expect(send_bucket(requests, "GET", "sha256/#{digest}", query: "&list_all=true")).to match(["500", /Listing remote file buckets is not allowed/])
      expect(send_bucket(requests, "GET", "sha256/#{digest}", query: "&diff_with=#{digest}")).to match(["500", /not supported/])
      expect(requests.ask("GET", "/puppet/v3/file_bucket_file/sha256/#{digest}?environment=absent").code).to eq("404")
      expect(Dir["#{root}/var/bucket/**/*"]).to eq([])
    end
  end

  it "backs up and restores files of a real agent" do
    listen do |requests, root|
      File.write("#{root}/file", content)
      command = lambda do |*arguments|
        output, status = puppet(requests, root, "filebucket", *arguments, "--digest_algorithm", "sha256")
        expect(status.exitstatus).to eq(0), output
        output
      end
      expect(command.call("backup", "#{root}/file")).to include(digest)
      File.write("#{root}/file", "new")
      command.call("restore", "#{root}/file", digest)
      expect(File.binread("#{root}/file")).to eq(content)
    end
  end
end
