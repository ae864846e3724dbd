#!/usr/bin/env python3
"""sbom.py VERSION CURL: what the packages are made of, as SPDX 2.3 (JSON) on standard output; run from the top.

CURL is where .ci/packaging/curl.sh put libcurl. The same sources give the same bytes: the time is SOURCE_DATE_EPOCH.
"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

# Debian's packages whose code is in the program: (package, SPDX licence)
LINKED = [("libssl-dev", "Apache-2.0"), ("libnghttp2-dev", "MIT"), ("libsqlite3-dev", "blessing"), ("zlib1g-dev", "Zlib"),
          ("libutf8proc-dev", "MIT AND Unicode-DFS-2015"), ("libfmt-dev", "MIT"), ("nlohmann-json3-dev", "MIT"),
          ("libedit-dev", "BSD-3-Clause"), ("libbsd-dev", "BSD-3-Clause"), ("libmd-dev", "BSD-3-Clause"),
          ("libncurses-dev", "X11"),
          ("libcli11-dev", "BSD-3-Clause"), ("libdtl-dev", "BSD-3-Clause"),
          ("libstdc++-12-dev", "GPL-3.0-or-later WITH GCC-exception-3.1")]


def package(name, version, licence, purl):
    part = {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "name": name, "versionInfo": version,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": licence,
            "licenseDeclared": licence, "copyrightText": "NOASSERTION"}
    if purl:
        part["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]
    return part


def of_debian(name, licence):
    version = subprocess.run(["dpkg-query", "-W", "-f=${Version}\n", name], capture_output=True, text=True,
                             check=True).stdout.splitlines()[0]
    return package(name, version, licence, f"pkg:deb/debian/{name}@{version}")


def of_npm(lock, wanted):
    packages = json.loads(pathlib.Path(lock).read_text())["packages"]
    for path, facts in sorted(packages.items()):
        name = path.removeprefix("node_modules/")
        if name and "node_modules/" not in name and wanted(facts):  # not what a package has for itself
            yield package(name, facts["version"], facts.get("license", "NOASSERTION"),
                          f"pkg:npm/{name.replace('@', '%40')}@{facts['version']}")


def main():
    version, curl = sys.argv[1:]
    parts = []
    if curl:
        source = (pathlib.Path(curl) / "version").read_text().split()[0]
        parts.append(package("curl", source, "curl", f"pkg:deb/debian/curl@{source}?arch=source"))
    parts += [of_debian(*one) for one in LINKED if curl or one[0] in ("nlohmann-json3-dev", "libcli11-dev", "libdtl-dev")]
    named = json.loads(pathlib.Path("grammars/package-lock.json").read_text())["packages"][""]["dependencies"]
    parts += [one for one in of_npm("grammars/package-lock.json", lambda _: True) if one["name"] in named]
    parts += of_npm("clients/vscode/package-lock.json", lambda facts: not facts.get("dev") and not facts.get("devOptional"))
    assert len({one["SPDXID"] for one in parts}) == len(parts), "an identifier stands for two parts"
    top = package("bodkin", version, "Apache-2.0", None)
    made = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    text = json.dumps(parts, sort_keys=True).encode()
    print(json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"bodkin-{version}",
        "documentNamespace": f"urn:bodkin:{version}:{hashlib.sha256(text).hexdigest()}",
        "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: bodkin-packaging"]},
        "packages": [top, *parts],
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                           "relatedSpdxElement": top["SPDXID"]}]
        + [{"spdxElementId": top["SPDXID"], "relationshipType": "CONTAINS", "relatedSpdxElement": part["SPDXID"]}
           for part in parts]}, indent=1))


if __name__ == "__main__":
    main()
