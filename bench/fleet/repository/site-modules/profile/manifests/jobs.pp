# What runs at times, spread over the hour.
class profile::jobs (
  Hash[String, Hash] $jobs,
) {
  $jobs.each |$name, $job| {
    cron { $name:
      minute => fqdn_rand(60, $name),
      hour   => fqdn_rand(6, $name),
      *      => { 'user' => 'root' } + $job,
    }
  }
}
