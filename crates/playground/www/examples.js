// The examples of the page's menu. Each names the tab that shows it.

export const examples = [
  {
    name: "Values and lambdas",
    tab: "evaluate",
    code: `# The last expression is the result.
$ports = { 'http' => 80, 'https' => 443 }

$ports.map |$name, $port| {
  "\${name} listens on \${port}"
}.filter |$text| {
  $text =~ /https/
}
`,
  },
  {
    name: "Functions and types",
    tab: "evaluate",
    code: `type Port = Integer[1, 65535]

# @param port Where the server listens
function url(Port $port, String $host = 'localhost') >> String {
  "http://\${host}:\${port}"
}

notice("The server is at \${url(8080)}")
[url(80), url(443, $facts['networking']['fqdn'])]
`,
  },
  {
    name: "A mistake",
    tab: "check",
    code: `class motd(String $text, Integer $lines = 10) {
  file { '/etc/motd':
    ensure  => file,
    contents => $text,
    mode    => 644,
  }

  notify { "Shown on \${$lines + 'x'} lines": }
}
`,
  },
  {
    name: "A catalog",
    tab: "compile",
    code: `class ntp(String $service = 'ntpsec') {
  package { $service:
    ensure => installed,
  }

  -> file { '/etc/ntpsec/ntp.conf':
    content => "pool 2.\${facts['os']['family'].downcase}.pool.ntp.org iburst\\n",
  }

  ~> service { $service:
    ensure => running,
    enable => true,
  }
}

node /^web/ {
  include ntp
}
`,
  },
  {
    name: "Its graph",
    tab: "graph",
    code: `class app {
  contain app::install
  contain app::config
  contain app::service

  Class['app::install'] -> Class['app::config'] ~> Class['app::service']
}

class app::install {
  package { 'app': }
}

class app::config {
  file { ['/etc/app', '/etc/app/conf.d']: ensure => directory }
  file { '/etc/app/app.conf': content => 'port = 80' }
}

class app::service {
  service { 'app': ensure => running }
}

include app
`,
  },
];
