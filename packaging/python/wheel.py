#!/usr/bin/env python3
"""Writes a wheel with the program: packaging/python/wheel.py VERSION PROGRAM PLATFORM README DIRECTORY

`pip install` puts the program, as it is, beside the interpreter. PLATFORM is one of the keys of TAGS. The wheel of a program and a
version is always the same file.
"""

import base64
import hashlib
import pathlib
import sys
import zipfile

# Tags of the systems that run a program. A static program runs with every C library.
TAGS = {
    "x86_64-linux-musl": ["manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"],
    "aarch64-linux-musl": ["manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"],
    "x64-mingw": ["win_amd64"],
}

METADATA = """\
Metadata-Version: 2.1
Name: puppetfn
Version: {version}
Summary: Test, check, format, document, compile and serve Puppet code, without Puppet
Home-page: https://github.com/puppetfn/puppetfn
License: Apache-2.0
Keywords: puppet,linter,formatter,language-server
Project-URL: Documentation, https://github.com/puppetfn/puppetfn/blob/main/docs/README.md
Project-URL: Changelog, https://github.com/puppetfn/puppetfn/blob/main/CHANGELOG.md
Classifier: Environment :: Console
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Topic :: Software Development :: Quality Assurance
Requires-Python: >=3.7
Description-Content-Type: text/markdown

{readme}"""


def entry(archive, name, content, mode=0o644):
    """Adds a file, and returns its line of RECORD."""
    info = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    info.external_attr = (0o100000 | mode) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, content, compresslevel=9)
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def write(version, program, platform, readme, directory):
    """Writes the wheel, and returns its path."""
    tags = TAGS[platform]
    path = pathlib.Path(directory) / f"puppetfn-{version}-py3-none-{'.'.join(tags)}.whl"
    info = f"puppetfn-{version}.dist-info"
    wheel = "Wheel-Version: 1.0\nGenerator: puppetfn\nRoot-Is-Purelib: false\n"
    wheel += "".join(f"Tag: py3-none-{tag}\n" for tag in tags)
    command = "puppetfn.exe" if platform == "x64-mingw" else "puppetfn"
    with zipfile.ZipFile(path, "w") as archive:
        scripts = f"puppetfn-{version}.data/scripts/{command}"
        record = entry(archive, scripts, pathlib.Path(program).read_bytes(), 0o755)
        metadata = METADATA.format(version=version, readme=pathlib.Path(readme).read_text(encoding="utf-8"))
        record += entry(archive, f"{info}/METADATA", metadata.encode())
        record += entry(archive, f"{info}/WHEEL", wheel.encode())
        record += entry(archive, f"{info}/LICENSE", pathlib.Path("LICENSE").read_bytes())
        entry(archive, f"{info}/RECORD", (record + f"{info}/RECORD,,\n").encode())
    return path


if __name__ == "__main__":
    if len(sys.argv) != 6 or sys.argv[3] not in TAGS:
        sys.exit(f"usage: wheel.py VERSION PROGRAM {'|'.join(TAGS)} README DIRECTORY")
    print(write(*sys.argv[1:]))
