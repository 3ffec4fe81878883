#!/bin/sh
# Installs the program of a release: install.sh [VERSION]
#
# Needs curl, tar and sha256sum or shasum. PUPPETFN_BIN is the directory of the program, ~/.local/bin unless set; PUPPETFN_RELEASES the
# address of the releases. The program needs neither Ruby nor Puppet.
set -eu

version=${1:-0.1.0}
directory=${PUPPETFN_BIN:-${HOME:?}/.local/bin}
releases=${PUPPETFN_RELEASES:-https://github.com/puppetfn/puppetfn/releases/download}

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) platform=x86_64-linux-musl ;;
  Linux-aarch64 | Linux-arm64) platform=aarch64-linux-musl ;;
  *) fail "there is no program for $(uname -s) on $(uname -m); install the gem: gem install puppetfn" ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
file=puppetfn-$version-$platform.tar.gz
for name in "$file" SHA256SUMS; do
  curl --fail --silent --show-error --location --output "$work/$name" "$releases/v$version/$name" || fail "$releases/v$version/$name is missing"
done

# Only the line of this file.
grep " $file\$" "$work/SHA256SUMS" >"$work/expected" || fail "SHA256SUMS does not list $file"
sums="sha256sum"
command -v sha256sum >/dev/null || sums="shasum --algorithm 256"
(cd "$work" && $sums --check expected >/dev/null) || fail "the checksum of $file is wrong"

mkdir -p "$directory"
tar -xzf "$work/$file" -C "$work" puppetfn
# A running program stays as it is.
mv "$work/puppetfn" "$directory/puppetfn.new"
chmod 755 "$directory/puppetfn.new"
mv "$directory/puppetfn.new" "$directory/puppetfn"
echo "$("$directory/puppetfn" --version) is in $directory"
case ":$PATH:" in
  *":$directory:"*) ;;
  *) echo "help: add $directory to PATH" ;;
esac
