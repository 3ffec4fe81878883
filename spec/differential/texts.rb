# frozen_string_literal: true

module Differential
  # Strings of the kinds that patterns in modules describe, one a line. Each is tried as it is and with
  # small changes, so that a pattern is tried on both sides of its border.
  TEXTS = <<~'TEXT'.lines(chomp: true).freeze
    /
    /etc/apache2/sites-available/x.conf
    //double//slash/
    relative/path
    C:/
    c:\Windows\System32
    \\server\share\file
    \\?\C:\long
    http://example.com
    https://example.com:8443/a/b?c=d&e=f#g
    HTTPS://EXAMPLE.COM
    file:///etc/motd
    puppet:///modules/apache/x.conf
    puppet://server.example.com/modules/x
    gs://bucket/object
    s3://bucket/a/b
    ftp://host/file
    ldap://ldap.example.com/dc=example,dc=com
    mysql+pymysql://user:pw@host/database
    sqlite:///tmp/db
    amqp://guest:guest@localhost:5672/
    127.0.0.1
    255.255.255.255
    256.1.1.1
    10.0.0.0/8
    192.168.1.1/255.255.255.0
    ::
    ::1
    2001:db8::8a2e:370:7334
    fe80::1/64
    fe80::1%eth0
    ::ffff:10.1.2.3
    1:2:3:4:5:6:7:8
    00:11:22:33:44:55
    00-11-22-AA-BB-CC
    80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:02:00:28:4c:ab
    host
    host.example.com
    -bad-.example.com
    xn--bcher-kva.example
    user@example.com
    user.name+tag@sub.example.co.uk
    0644
    u=rw,g=r,o=
    a+x
    rwxr-xr-x
    10
    -1
    007
    3.14
    1e5
    100%
    10K
    512M
    2GB
    10kb
    5min
    30s
    2weeks
    1year
    00:30
    23:59:59
    2021-02-28
    2021-02-28T12:30:45Z
    2021-02-28T12:30:45.123+01:00
    Mon *-*-* 00:00:00
    Mon..Fri 10:00
    daily
    monthly
    1.2.3
    1.2.3-rc.1+build.5
    1.0
    v2
    latest
    present
    absent
    installed
    running
    stopped
    true
    False
    yes
    NO
    On
    off
    enabled
    debug
    info
    warning
    trace8
    emerg
    kern
    local7
    GET
    POST
    RS256
    code id_token
    basic
    Aladdin
    QWxhZGRpbjpvcGVuIHNlc2FtZQ==
    MFRGGZDF======
    mfrggzdf
    d41d8cd98f00b204e9800998ecf8427e
    deadbeef
    0xDEADBEEF
    {sha512}abc
    ssh-rsa
    ssh-ed25519
    CN=example,O=Example
    a=b
    a=b&c=d%20e
    key: value
    name@instance.service
    foo.service
    foo.conf
    .conf
    a/b.conf
    eth0
    eth0.100
    br-ex
    vlan100
    100:200
    physnet1:br-eth1
    1-65535
    8000-9000
    tcp
    udp/53
    root
    www-data
    domain\user
    snake_case_1
    CamelCase
    kebab-case
    a::b::c
    ::apache
    File[/etc/motd]
    Class['apache']
    %{facts.os}
    ${var}
    "quoted"
    #comment
    ---
    *
    *.example.com
    [2001:db8::1]:80
    localhost:5672
    host1:5672,host2:5672
    line one
  TEXT

  # Changes that are tried on a text at each of a few places.
  CHANGES = ["", " ", "\n", "/", ".", "-", ":", "x", "0", "é"].freeze

  # Texts that are near a text, always the same ones.
  def self.near(text, random, count)
    Array.new(count) do
      changed = text.dup
      place = random.rand(text.length + 1)
      changed[place, random.rand(2)] = CHANGES.sample(random: random)
      changed
    end
  end
end
