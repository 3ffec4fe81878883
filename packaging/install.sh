#!/bin/sh
# Installs a release: install.sh [--gem] [VERSION]
#
# Without --gem, the program, which needs neither Ruby nor Puppet; PUPPETFN_BIN is its directory, ~/.local/bin unless set. With --gem,
# the gem for the Ruby of PATH, which runs specs, too. PUPPETFN_RELEASES is the address of the releases. Needs curl, tar and
# sha256sum or shasum.
set -eu

gem=
if [ "${1:-}" = --gem ]; then
  gem=yes
  shift
fi
version=${1:-0.1.0}
releases=${PUPPETFN_RELEASES:-https://github.com/puppetfn/puppetfn/releases/download}
compile="compile it from a checkout: gem build puppetfn.gemspec && gem install puppetfn-*.gem"

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) cpu=x86_64 ;;
  Linux-aarch64 | Linux-arm64) cpu=aarch64 ;;
  *) fail "there is no release for $(uname -s) on $(uname -m); $compile" ;;
esac
command -v curl >/dev/null || fail "curl is missing"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Downloads a file of the release, and compares its checksum.
download() {
  for name in "$1" SHA256SUMS; do
    curl --fail --silent --show-error --location --output "$work/$name" "$releases/v$version/$name" || fail "$releases/v$version/$name is missing"
  done
  # Only the line of this file.
  grep " $1\$" "$work/SHA256SUMS" >"$work/expected" || fail "SHA256SUMS does not list $1"
  sums="sha256sum"
  command -v sha256sum >/dev/null || sums="shasum --algorithm 256"
  (cd "$work" && $sums --check expected >/dev/null) || fail "the checksum of $1 is wrong"
}

if [ -n "$gem" ]; then
  command -v gem >/dev/null || fail "Ruby is missing: 3.1 or later is needed, with the command gem"
  system=$(ruby -e 'print RbConfig::CONFIG["host_os"]')
  case "$system" in
    linux-musl*) library=musl ;;
    linux*) library=gnu ;;
    *) fail "there is no gem for $system; $compile" ;;
  esac
  file=puppetfn-$version-$cpu-linux-$library.gem
  download "$file"
  gem install --local --no-document "$work/$file"
  exit
fi

directory=${PUPPETFN_BIN:-${HOME:?}/.local/bin}
file=puppetfn-$version-$cpu-linux-musl.tar.gz
download "$file"
mkdir -p "$directory"
tar -xzf "$work/$file" -C "$work" puppetfn
# A running program stays as it is.
mv "$work/puppetfn" "$directory/puppetfn.new"
chmod 755 "$directory/puppetfn.new"
mv "$directory/puppetfn.new" "$directory/puppetfn"
echo "$("$directory/puppetfn" --version) is in $directory"
case ":$PATH:" in
  *":$directory:"*) ;;
  *) echo "help: add $directory to PATH: export PATH=\"$directory:\$PATH\"" ;;
esac
