# frozen_string_literal: true

require_relative "../../support/module_tree"

# Files that functions and templates read as agents would. All answers are Puppet 8.11's, with files that the process
# itself serves, as for `puppet apply` and on a server.
RSpec.describe "Puppet::FileServing" do
  include ModuleTree

  files = {
    "app/files/motd" => "gr\u00fc\u00df dich\n",
    "app/files/sub/a b.txt" => "blank\n",
    "app/scripts/run.sh" => "echo\n",
    "app/lib/puppet_x/app.rb" => "# app\n",
    "app/lib/puppet/functions/app/serve.rb" => <<~RUBY
      require 'puppet/file_serving/content'
      Puppet::Functions.create_function(:'app::serve') do
        def serve(key, options = {})
          options = options.to_h { |name, value| [name.to_sym, value] }
          content = Puppet::FileServing::Content.indirection.find(key, options.slice(:links))
          metadata = Puppet::FileServing::Metadata.indirection.find(key, options)
          return [content, metadata] unless content && metadata

          text = metadata.ftype == 'directory' ? 'none' : content.content.dup.force_encoding('UTF-8')
          checksum = metadata.ftype == 'directory' ? metadata.checksum_type : metadata.checksum
          [text, content.full_path, metadata.ftype, checksum, metadata.destination]
        rescue StandardError => e
          "\#{e.class}: \#{e.message}"
        end
      end
    RUBY
  }.freeze

  define_method(:served) do |key, options = {}|
    with_runtime(files, node: "web1") do |runtime, root|
      File.symlink("motd", "#{root}/app/files/link")
      answer = runtime.call_function("app::serve", key.sub("ROOT", root), options)
      Array(answer).map { |part| part.is_a?(String) ? part.gsub(root, "ROOT") : part }
    end
  end

  motd = ["gr\u00fc\u00df dich\n", "ROOT/app/files/motd", "file", "{sha256}#{Digest::SHA256.hexdigest("gr\u00fc\u00df dich\n")}", nil]

  {
    "puppet:///modules/app/motd" => motd,
    "puppet:///modules//app//motd" => [nil, nil],
    "puppet:///modules/app//motd" => motd,
    "modules/app/motd" => motd,
    "ROOT/app/files/motd" => motd,
    "file://ROOT/app/files/motd" => motd,
    "puppet:///modules/app/sub/a b.txt" =>
      ["blank\n", "ROOT/app/files/sub/a b.txt", "file", "{sha256}#{Digest::SHA256.hexdigest("blank\n")}", nil],
    "puppet:///modules/app/sub" => ["none", "ROOT/app/files/sub", "directory", "ctime", nil],
    "puppet:///scripts/app/run.sh" =>
      ["echo\n", "ROOT/app/scripts/run.sh", "file", "{sha256}#{Digest::SHA256.hexdigest("echo\n")}", nil],
    "puppet:///plugins/puppet_x/app.rb" =>
      ["# app\n", "ROOT/app/lib/puppet_x/app.rb", "file", "{sha256}#{Digest::SHA256.hexdigest("# app\n")}", nil],
    "puppet:///modules/app/none" => [nil, nil],
    "puppet:///modules/none/motd" => [nil, nil],
    "puppet:///app/motd" => [nil, nil],
    "ROOT/none" => [nil, nil],
    "puppet:///modules/app/../app/motd" => ["ArgumentError: Cannot find file: Invalid relative path 'app/../app/motd'"],
    "puppet:///modules/" => ["RuntimeError: No module specified"],
    "ftp://host/motd" => ["ArgumentError: URI protocol 'ftp' is not currently supported for file serving"]
  }.each do |key, answer|
    it "has #{answer.inspect} for #{key}" do
      expect(served(key)).to eq(answer)
    end
  end

  {
    {"checksum_type" => "md5"} => "{md5}#{Digest::MD5.hexdigest("gr\u00fc\u00df dich\n")}",
    {"checksum_type" => "none"} => "{none}"
  }.each do |options, checksum|
    it "has the checksum #{checksum} for #{options}" do
      expect(served("puppet:///modules/app/motd", options)[3]).to eq(checksum)
    end
  end

  it "has errors for options that no file, or no content has" do
    expect(served("puppet:///modules/app/motd", "checksum_type" => "crc")).to eq(["ArgumentError: Unsupported checksum type crc"])
    expect(served("puppet:///modules/app/motd", "links" => "x")).to eq(["ArgumentError: :links can only be set to :manage or :follow"])
    with_runtime(files, node: "web1") do |runtime|
      code = "inline_template('<%= Puppet::FileServing::Content.indirection.find(\"puppet:///modules/app/motd\", checksum_type: :md5) %>')"
      expect { runtime.compile("notice(#{code})") }.to raise_error(Puppet::Error, /undefined method `checksum_type='/)
    end
  end

  it "has links, or the files that they lead to" do
    link = "puppet:///modules/app/link"
    expect(served(link).values_at(0, 2, 4)).to eq([motd.first, "link", "motd"])
    expect(served(link, "links" => "follow").values_at(0, 2, 4)).to eq([motd.first, "file", nil])
  end

  it "is for templates, too" do
    code = "notify { 'n': message => inline_template(\"<%= Puppet::FileServing::Content.indirection.find(" \
           "'puppet:///modules/app/motd').content.force_encoding('utf-8').upcase %>\") }"
    with_runtime(files, node: "web1") do |runtime|
      resources = runtime.compile(code).to_data_hash["resources"]
      expect(resources.last["parameters"]).to eq("message" => "GR\u00dcSS DICH\n")
    end
  end

  it "says that it asks no other machine" do
    ["puppet://host/modules/app/motd", "https://host/motd"].each do |key|
      expect(served(key).first).to match(/\APuppetfn::UnavailableError: Puppet::FileServing::Content.indirection of host is not available/)
    end
    expect { Puppet::FileServing::Content.indirection.search("puppet:///modules/app") }
      .to raise_error(Puppetfn::UnavailableError, /\APuppet::FileServing::Content.indirection.search is not available/)
  end
end
