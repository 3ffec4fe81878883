# frozen_string_literal: true

require "fileutils"
require_relative "module_tree"

# What is around the commands in documents: files that they name.
module DocumentWorlds
  MODULES = "/usr/share/puppet/modules"
  SPEC_MODULES = File.join(DocumentBlocks::ROOT, "spec", "rspec", "modules")

  # Modules that the specs in docs/specs.md may be of.
  MODULES_OF_SPECS = {
    "metadata.json" => ModuleTree.metadata("example-mymodule"),
    "types/port.pp" => "type Mymodule::Port = Integer[1, 65535]",
    "functions/connect.pp" => "function mymodule::connect($to) { \"${to}:${vault::secret($to)}\" }",
    "lib/puppet/functions/mymodule/double.rb" => <<~RUBY,
      Puppet::Functions.create_function(:"mymodule::double") do
        dispatch(:number) { param "Numeric", :x }
        dispatch(:each) { param "Array", :x; block_param }
        def number(x) = 2 * x
        def each(x, &block) = x.map(&block)
      end
    RUBY
    "lib/facter/kiosk_version.rb" => <<~RUBY,
      Facter.add(:kiosk_version) do
        confine kernel: "Linux"
        setcode { Facter::Core::Execution.execute("kiosk --version", on_fail: nil).split.last }
      end
    RUBY
    "spec/fixtures/modules/kiosk/functions/install.pp" => <<~PUPPET,
      function kiosk::install($path) {
        service { 'kiosk': }
        file { $path: ensure => directory, notify => Service['kiosk'] }
      }
    PUPPET
    "spec/fixtures/modules/ntp/manifests/init.pp" => <<~'PUPPET',
      class ntp(Array $servers, Sensitive $key, Any $notified = undef) {
        service { ['ntp', 'cron']: }
        include ntp::config
        include ntp::service
        Class['ntp::config'] -> Class['ntp::service']
        file { '/etc/ntp.conf': content => $servers.map |$s| { "server ${s}\n" }.join, notify => Service['ntp'] }
        @@host { 'ntp.example.com': ip => '10.0.0.1' }
      }
    PUPPET
    "spec/fixtures/modules/ntp/manifests/config.pp" => "class ntp::config { }",
    "spec/fixtures/modules/ntp/manifests/service.pp" => "class ntp::service { }",
    # Stands for what the gem facterdb knows.
    "spec/spec_helper.rb" => "def on_supported_os = {'debian-12-x86_64' => {os: {'family' => 'Debian'}}}",
    ".rspec" => "--require spec_helper"
  }.freeze

  # @param code [String] a spec
  # @return [String] where such a spec is below `spec`
  def self.place_of_specs(code)
    case code
    when /Facter::Util::Fact/ then "facter"
    when /describe "ntp"/ then "classes"
    when /describe "Mymodule/ then "type_aliases"
    else "functions"
    end
  end

  # Makes a directory for the commands of a document.
  #
  # @param document [String]
  # @param directory [String] an empty directory
  # @return [String] where the commands run
  def self.prepare(document, directory)
    new_world = WORLDS.fetch(document) { return directory }
    new_world.call(directory) || directory
  end

  def self.write(directory, path, text, mode = 0o644)
    path = File.join(directory, path)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
    File.chmod(mode, path)
  end

  # Without the links that runs in the modules have left.
  def self.copy(from, directory)
    system("cp", "-a", from, directory, exception: true)
    fixtures = File.join(directory, "modules", "kiosk", "spec", "fixtures", "modules")
    FileUtils.rm_rf(Dir.glob(File.join(directory, "*", "*", "spec", "fixtures", "modules")))
    FileUtils.mkdir_p(fixtures)
    FileUtils.ln_s(File.join(directory, "modules", "shop"), fixtures)
  end

  # A copy of the control repository, which is in git, with a change.
  def self.control_repository(directory)
    FileUtils.cp_r(File.join(DocumentBlocks::ROOT, "spec", "control_repository"), production = File.join(directory, "production"))
    FileUtils.cp_r(File.join(production, "modules", "ntp"), File.join(directory, "ntp"))
    # What draws graphs need not be there.
    write(directory, "bin/dot", "#!/bin/sh\ngrep -q digraph\n", 0o755)
    production
  end

  # The control repository with a change of a template that is not committed.
  def self.changed_repository(directory)
    production = control_repository(directory)
    commit(production)
    system("git branch -M main", chdir: production, exception: true)
    File.write(File.join(production, "site-modules/profile/templates/motd.epp"), "Be nice.\n", mode: "a")
    production
  end

  def self.commit(directory)
    git = "git -c user.name=x -c user.email=x@example.com"
    system("git init -q . && #{git} add . && #{git} commit -qm x", chdir: directory, exception: true)
  end

  # What stands for engines, which script/engines tries: they run what they are given at once, as the only part or one after the other.
  def self.engines(directory)
    write(directory, "bin/parallel", <<~'SH', 0o755)
      #!/bin/sh
      while [ "$1" != puppetfn ]; do shift; done
      while read -r number; do PARALLEL_SEQ=$number "$@" || exit 1; done
    SH
    write(directory, "bin/sbatch", <<~'SH', 0o755)
      #!/bin/sh
      for command; do :; done
      echo 1
      SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=1 SLURM_CPUS_PER_TASK=2 sh -c "$command" >&2
    SH
  end

  # The module that the blocks of entity-types.md make, with objects of its types in files.
  def self.books(directory)
    blocks = DocumentBlocks.all.select { |block| block.document == "docs/reference/entity-types.md" && block.language == "puppet" }
    write(directory, "branch.json", '{"city": "Berlin", "books": [{"title": "Dune", "isbn": "9780441013593"}]}')
    blocks.each { |block| block.code[/\A# (\S+\.pp)\n/, 1]&.then { |path| write(directory, "modules/#{path}", block.code) } }
  end

  # A manifest for `puppet apply`, beside the library.
  def self.beside_puppet(directory)
    write(directory, "site.pp", "notice('hello')\n")
    FileUtils.ln_s(File.join(DocumentBlocks::ROOT, "lib"), File.join(directory, "lib"))
    nil
  end

  # Modules with specs, the one with most of them as `mymodule`.
  def self.module_with_specs(directory)
    copy(SPEC_MODULES, directory)
    FileUtils.mv(File.join(directory, "modules", "kiosk"), File.join(directory, "mymodule"))
    nil
  end

  WORLDS = {
    "docs/coming-from.md" => ->(directory) { module_with_specs(directory) },
    "README.md" => lambda do |directory|
      module_with_specs(directory)
      write(directory, "nginx/init.pp", <<~PUPPET)
        class nginx {
          package { 'nginx': ensure => installed }
          file { '/etc/nginx': ensrue => directory, mode => 0755 }
        }
      PUPPET
      repository = control_repository(directory)
      commit(repository)
      system("git branch -M main", chdir: repository, exception: true)
      File.write(File.join(repository, "site-modules/profile/templates/motd.epp"), "Be nice.\n", mode: "a")
      FileUtils.mv(repository, File.join(directory, "control-repo"))
      nil
    end,
    "a module" => lambda do |directory|
      MODULES_OF_SPECS.each { |path, text| write(directory, "mymodule/#{path}", text) }
      FileUtils.ln_s(File.join(MODULES, "host_core"), File.join(directory, "mymodule/spec/fixtures/modules"))
      File.join(directory, "mymodule")
    end,
    "docs/reference/command-line.md" => lambda do |directory|
      production = control_repository(directory)
      write(production, "site.pp", "file { '/tmp/x': ensure => file }\n")
      write(production, "secrets/data/secrets.eyaml", "db::password: ENC[PKCS7,aGVsbG8=]\n")
      write(production, "secrets/hiera.yaml",
        "version: 5\nhierarchy: [{name: Secrets, path: secrets.eyaml, lookup_key: eyaml_lookup_key}]\n")
      production
    end,
    "docs/compile.md" => lambda do |directory|
      production = control_repository(directory)
      commit(production)
      File.write(File.join(production, "data/common.yaml"), "\n# Changed.\n", mode: "a")
      production
    end,
    # The first block makes the module that all others use.
    "docs/get-started.md" => lambda do |directory|
      first = DocumentBlocks.all.find { |block| block.document == "docs/get-started.md" && block.language == "sh" }
      system("sh", "-c", first.code, chdir: directory, exception: true)
      nil
    end,
    "docs/puppet-8.md" => lambda do |directory|
      blocks = DocumentBlocks.all.select { |block| block.document == "docs/puppet-8.md" && block.language == "sh" }
      blocks.each { |block| system("sh", "-c", block.code, chdir: directory, exception: true) }
      nil
    end,
    "docs/console.md" => lambda do |directory|
      production = control_repository(directory)
      block = DocumentBlocks.all.find { |one| one.document == "docs/console.md" && one.language == "console" }
      write(production, "session.pp", block.code[/^\$ cat session\.pp\n(.*?)^\$ puppetfn/m, 1])
      production
    end,
    "docs/graphs.md" => lambda do |directory|
      production = control_repository(directory)
      write(production, "cycle.pp", <<~PUPPET)
        class a { notify { 'x': } }
        include a
        notify { 'y': require => Class['a'] }
        Notify['y'] -> Notify['x']
      PUPPET
      production
    end,
    "docs/documentation.md" => ->(directory) { FileUtils.ln_s(MODULES, File.join(directory, "modules")) && nil },
    "docs/drop-in.md" => ->(directory) { beside_puppet(directory) },
    "docs/compatibility.md" => ->(directory) { beside_puppet(directory) },
    "docs/reference/entity-types.md" => ->(directory) { books(directory) && nil },
    "docs/compile-and-diff.md" => lambda do |directory|
      production = changed_repository(directory)
      system("git update-ref refs/remotes/origin/main main", chdir: production, exception: true)
      engines(directory)
      production
    end,
    "docs/get-started-control-repository.md" => ->(directory) { changed_repository(directory) },
    "docs/puppetdb.md" => ->(directory) { changed_repository(directory) },
    "docs/serve.md" => ->(directory) { control_repository(directory) },
    # The report of `mode = shadow`.
    "docs/serve-terminus.md" => lambda do |directory|
      difference = {"resource" => "File[/etc/motd]", "attribute" => "content", "puppet" => "Welcome", "puppetfn" => "Hello"}
      lines = {"same" => [], "different" => [difference]}.map do |outcome, differences|
        JSON.generate("node" => "web1", "outcome" => outcome, "differences" => differences, "puppet_seconds" => 3.5, "puppetfn_seconds" => 0.1)
      end
      File.write(File.join(directory, "puppetfn.jsonl"), "#{lines.join("\n")}\n")
      nil
    end,
    "docs/format.md" => lambda do |directory|
      write(directory, "manifests/init.pp", <<~PUPPET)
        class web($root="/srv",
          $port=80){
            file{$root: ensure=>directory,
                mode => "0755" }
          if $port==80 { include web::plain }
          else { include web::other } # for now
        }
      PUPPET
      nil
    end,
    "docs/specs.md" => lambda do |directory|
      copy(SPEC_MODULES, directory)
      FileUtils.cp_r(File.join(__dir__, "../rspec/roles"), File.join(directory, "control-repo"))
      write(directory, "modules/kiosk/spec/functions/price_spec.rb", "# A price.\n" * 11 + "describe('size') { it { is_expected.to run.with_params('a').and_return(1) } }\n")
      File.join(directory, "modules", "kiosk")
    end,
    "docs/check.md" => lambda do |directory|
      write(directory, "modules/ntp/functions/line.pp", "function ntp::line(String $server) { \"server ${server}\" }\n")
      write(directory, "modules/app/manifests/init.pp", "# Uses ntp.\nclass app {\n  include ntp\n  $line = ntp::line(3)\n}\n")
      write(directory, "modules/ntp/manifests/init.pp", "class ntp { }\n")
      write(directory, "modules/files/manifests/init.pp",
        "class files {\n  file_line { 'a': path => '/a', line => pick(undef, 'b') }\n}\n")
      nil
    end,
    "docs/checking-projects.md" => lambda do |directory|
      write(directory, "modules/ntp/manifests/init.pp", "class ntp(String $service_name = 'ntp') {\n  notice($nowhere)\n}\n")
      FileUtils.mkdir_p(File.join(directory, "site-modules"))
      write(directory, "hiera.yaml", "version: 5\nhierarchy: [{name: Nodes, path: 'nodes/%{trusted.certname}.yaml'}]\n")
      write(directory, "data/nodes/web1.yaml", "#{"# Nothing is here.\n" * 7}ntp::servce_name: ntpd\n")
      nil
    end
  }.freeze
end
