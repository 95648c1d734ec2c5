#!/usr/bin/env node
// Writes what package managers read of a release, from packaging/targets.json and the archives of the executables:
// node scripts/packages.js --repository OWNER/NAME --archives FOLDER --base IMAGE=sha256:DIGEST. SHA256SUMS, krew's manifest, Homebrew's formula and a
// Containerfile are written beside the archives. The release workflow looks up the digests of the two base images, by which the Containerfile names them.
// Fails if an archive or a digest is missing.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { archiveOf, executableOf } from './archive-names.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: { repository: { type: 'string' }, archives: { type: 'string' }, base: { type: 'string', multiple: true, default: [] } },
});
if (!/^[\w.-]+\/[\w.-]+$/.test(values.repository ?? '') || values.archives === undefined) {
  process.stderr.write('usage: node scripts/packages.js --repository OWNER/NAME --archives FOLDER --base IMAGE=sha256:DIGEST\n');
  process.exit(2);
}
const { version, license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const homepage = `https://github.com/${values.repository}`;
const summary = 'Review API calls with your webhooks, without a cluster';
const description = 'The admission half of kube-apiserver on a laptop: what would the cluster do with this call and this webhook?';
const targets = JSON.parse(readFileSync(path.join(root, 'packaging/targets.json'), 'utf8')).map(target => {
  const archive = archiveOf(target);
  const sha256 = createHash('sha256')
    .update(readFileSync(path.join(values.archives, archive)))
    .digest('hex');
  return { ...target, archive, sha256, uri: `${homepage}/releases/download/v${version}/${archive}` };
});
const bases = ['docker.io/library/debian:12-slim', 'gcr.io/distroless/cc-debian12:nonroot'];
const digests = new Map(values.base.map(text => text.split('=')));
for (const base of bases) {
  if (/^sha256:[0-9a-f]{64}$/.test(digests.get(base) ?? '')) continue;
  process.stderr.write(`missing digest of ${base}: pass --base ${base}=sha256:DIGEST\n`);
  process.exit(2);
}
const [unpackerImage, programImage] = bases.map(base => `${base}@${digests.get(base)}`);

write('SHA256SUMS', targets.map(({ sha256, archive }) => `${sha256}  ${archive}\n`).join(''));
write('webhook.yaml', krewManifest());
write('webhook-cli.rb', homebrewFormula());
write('Containerfile', containerfile());

function write(name, text) {
  writeFileSync(path.join(values.archives, name), text);
  process.stdout.write(`${name} written\n`);
}

/** Go's name of an architecture. */
function goArch(arch) {
  return arch === 'x64' ? 'amd64' : arch;
}

/** For `kubectl krew install --manifest=webhook.yaml`, which makes it `kubectl webhook`. */
function krewManifest() {
  const platforms = targets.map(target => ({
    selector: { matchLabels: { os: target.platform === 'win32' ? 'windows' : target.platform, arch: goArch(target.arch) } },
    uri: target.uri,
    sha256: target.sha256,
    bin: executableOf(target),
    files: [executableOf(target), 'LICENSE', 'LICENSES.txt'].map(from => ({ from, to: '.' })),
  }));
  const spec = { version: `v${version}`, homepage, shortDescription: summary, description, platforms };
  return stringify(
    { apiVersion: 'krew.googlecontainertools.github.com/v1alpha2', kind: 'Plugin', metadata: { name: 'webhook' }, spec },
    { lineWidth: 0 },
  );
}

function homebrewFormula() {
  const systems = [
    ['on_macos', 'darwin'],
    ['on_linux', 'linux'],
  ].map(([block, platform]) => {
    const archs = targets
      .filter(target => target.platform === platform)
      .map(({ arch, uri, sha256 }) => {
        return `    ${arch === 'arm64' ? 'on_arm' : 'on_intel'} do\n      url "${uri}"\n      sha256 "${sha256}"\n    end`;
      });
    return `  ${block} do\n${archs.join('\n')}\n  end`;
  });
  return `class WebhookCli < Formula
  desc "${summary}"
  homepage "${homepage}"
  version "${version}"
  license "${license}"

${systems.join('\n\n')}

  def install
    bin.install "webhook-cli"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/webhook-cli --version")
  end
end
`;
}

/** The builder checks the archive before it is unpacked; the image has the executable and the libraries of C. */
function containerfile() {
  const linux = targets.filter(({ platform }) => platform === 'linux');
  const archives = linux.map(
    ({ arch, uri, sha256 }) => `FROM scratch AS archive-${goArch(arch)}\nADD --checksum=sha256:${sha256} ${uri} /webhook-cli.tar.gz\n`,
  );
  return `# syntax=docker/dockerfile:1
${archives.join('\n')}
FROM archive-\${TARGETARCH} AS archive

FROM ${unpackerImage} AS unpacked
COPY --from=archive /webhook-cli.tar.gz /
RUN tar -xzf /webhook-cli.tar.gz -C /usr/local/bin webhook-cli

FROM ${programImage}
COPY --from=unpacked /usr/local/bin/webhook-cli /usr/local/bin/webhook-cli
WORKDIR /work
ENTRYPOINT ["/usr/local/bin/webhook-cli"]
`;
}
