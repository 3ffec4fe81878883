# frozen_string_literal: true

require "digest"

module FleetBench
  # The data of the made control repository, as files of Hiera. Always the same.
  module Data
    ROLES = %w[webserver application proxy balancer mysql postgres cache dashboard runner backend builder repository].freeze
    DATACENTERS = %w[paris oslo lima].freeze
    PEOPLE = 40
    ADMINISTRATORS = 12
    JOBS = 50
    LOGS = 60
    CHECKS = 70
    SITES = 12

    class << self
      # @return [Hash{String => Hash}] what each file of `data` has
      def files
        {"common.yaml" => common, "os/Ubuntu.yaml" => {"profile::php::version" => "8.1"}, "os/Debian.yaml" => debian, "os/RedHat.yaml" => red_hat,
         **DATACENTERS.to_h { |name| ["datacenters/#{name}.yaml", datacenter(name)] },
         **roles.to_h { |name, data| ["roles/#{name}.yaml", data] }}
      end

      private

      def numbered(name, count)
        (1..count).to_h { |number| [format("%s%02d", name, number), yield(number)] }
      end

      def common
        {"lookup_options" => {"profile::base::packages" => {"merge" => "unique"},
                              "profile::monitoring::checks" => {"merge" => "hash"},
                              "profile::dashboards::secret" => {"convert_to" => "Sensitive"}},
         "profile::base::contact" => "operations@example.com",
         "profile::base::packages" => %w[curl vim git strace tcpdump rsync screen tmux unzip jq lsof sysstat],
         "profile::base::sysctl" => {"vm.swappiness" => "10", "net.ipv4.ip_forward" => "0", "fs.file-max" => "1000000",
                                     "net.core.somaxconn" => "1024", "kernel.pid_max" => "4194303"},
         "profile::accounts::people" => numbered("person", PEOPLE) { |number| person(number) },
         "profile::accounts::administrators" => numbered("person", ADMINISTRATORS) {}.keys,
         "profile::jobs::jobs" => numbered("job", JOBS) { |number| {"command" => "/usr/local/sbin/job#{number} --quiet"} },
         "profile::logs::rules" => numbered("service", LOGS) { |number| {"rotate" => 7 + number} },
         "profile::filter::ports" => {"ssh" => 22, "metrics" => 9100, "http" => 80, "https" => 443},
         "profile::filter::networks" => %w[10.0.0.0/8 172.16.0.0/12 192.168.0.0/16],
         "profile::monitoring::checks" => numbered("check", CHECKS) { |number| check(number) }}
      end

      def person(number)
        {"uid" => 5001 + number, "key" => Digest::SHA256.hexdigest("key #{number}"),
         "aliases" => {"ll" => "ls -l", "gs" => "git status", "p#{number}" => "cd /srv/project#{number}"}}
      end

      def check(number)
        {"command" => "/usr/lib/monitoring/check#{number}", "interval" => ["30s", "5m", "1h"][number % 3], "warning" => 50 + number}
      end

      def debian
        {"profile::base::packages" => %w[apt-transport-https dnsutils],
         "profile::monitoring::checks" => {"apt" => {"command" => "/usr/lib/monitoring/apt", "interval" => "1h"}}}
      end

      def red_hat
        {"profile::base::packages" => %w[yum-utils bind-utils],
         "profile::monitoring::checks" => {"dnf" => {"command" => "/usr/lib/monitoring/dnf", "interval" => "1h"}}}
      end

      def datacenter(name)
        {"profile::time::servers" => (1..3).map { |number| "time#{number}.#{name}.example.com" }}
      end

      def roles
        {"webserver" => sites("site"), "application" => sites("application").merge(php), "repository" => sites("archive").merge(checkouts),
         "proxy" => proxy, "dashboard" => proxy.merge(dashboards), "balancer" => haproxy, "mysql" => mysql, "postgres" => postgresql,
         "cache" => {"profile::cache::instances" => (1..8).to_h { |number| ["cache#{number}", 6400 + number] }},
         "runner" => containers, "backend" => java.merge(queue), "builder" => containers.merge(java, checkouts)}
      end

      def sites(name)
        {"profile::sites::modules" => %w[rewrite headers ssl proxy proxy_http],
         "profile::sites::sites" => (1..SITES).to_h do |number|
           ["#{name}#{number}.example.com", {"serveraliases" => ["www.#{name}#{number}.example.com"], "priority" => number}]
         end}
      end

      def php
        {"profile::php::settings" => {"PHP/memory_limit" => "256M", "PHP/upload_max_filesize" => "64M", "Date/date.timezone" => "UTC"},
         "profile::php::extensions" => %w[curl gd mbstring xml zip].to_h { |name| [name, {}] },
         "profile::php::pools" => (1..6).to_h { |number| ["pool#{number}", {"listen" => "127.0.0.1:#{9000 + number}"}] }}
      end

      def upstreams(name, port)
        (1..8).to_h do |number|
          ["#{name}#{number}", {"port" => port + number, "members" => (1..4).map { |host| "#{name}#{number}-#{host}.example.com" }}]
        end
      end

      def proxy
        {"profile::proxy::servers" => upstreams("application", 8000).transform_keys { |name| "#{name}.example.com" }}
      end

      def haproxy
        {"profile::haproxy::services" => upstreams("proxy", 8080)}
      end

      def databases(host)
        (1..8).to_h do |number|
          ["database#{number}", {"user" => "user#{number}", "password" => Digest::SHA1.hexdigest("password #{number}")[0, 16],
                                 "host" => host, "grant" => %w[SELECT INSERT UPDATE DELETE]}]
        end
      end

      def mysql
        {"profile::mysql::root_password" => "not a secret", "profile::mysql::databases" => databases("%"),
         "profile::mysql::options" => {"mysqld" => {"max_connections" => 500, "innodb_buffer_pool_size" => "4G"}}}
      end

      def postgresql
        {"profile::postgresql::databases" => databases("%"),
         "profile::postgresql::settings" => {"max_connections" => 300, "shared_buffers" => "4GB", "work_mem" => "64MB"},
         "profile::postgresql::rules" => (1..8).to_h do |number|
           ["applications #{number}", {"type" => "host", "database" => "database#{number}", "user" => "user#{number}",
                                       "address" => "10.#{number}.0.0/16", "auth_method" => "md5"}]
         end}
      end

      def dashboards
        {"profile::dashboards::secret" => "not a secret",
         "profile::dashboards::settings" => {"app_mode" => "production", "server" => {"http_port" => 8080}, "database" => {"type" => "sqlite3"}},
         "profile::dashboards::sources" => {"metrics" => {"type" => "prometheus", "access" => "proxy", "url" => "http://metrics.example.com"}}}
      end

      def containers
        {"profile::containers::images" => {"alpine" => "3.20", "postgres" => "16", "nginx" => "1.27"},
         "profile::containers::containers" => (1..10).to_h do |number|
           ["service#{number}", {"image" => "registry.example.com/service#{number}", "ports" => ["#{9100 + number}:8080"], "env" => ["NUMBER=#{number}"]}]
         end}
      end

      def java
        {"profile::java::services" => (1..6).to_h do |number|
          ["backend#{number}", {"version" => "1.#{number}.0", "memory" => 512 * number,
                                "settings" => (1..20).to_h { |key| ["setting.#{key}", key * number] }}]
        end}
      end

      def queue
        {"profile::queue::hosts" => (1..4).to_h { |number| ["queue#{number}", %w[reader writer].map { |name| "#{name}#{number}" }] }}
      end

      def checkouts
        {"profile::vcs::checkouts" => (1..10).to_h do |number|
          ["/srv/git/project#{number}", {"source" => "https://git.example.com/project#{number}.git", "revision" => "main"}]
        end}
      end
    end
  end
end
