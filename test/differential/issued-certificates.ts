import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { issueAuthority, issueServing } from '../../src/certificates/issue.js';
import { type KeyType, keyTypes } from '../../src/certificates/key-types.js';
import { joinNames, localNames, presets, serviceNames } from '../../src/certificates/serving-names.js';

/** A handshake in memory with the default context, and the strict rules that are default since Python 3.13. */
const pythonProgram = `
import ssl, sys
ca, cert, key, *hosts = sys.argv[1:]
for strict in (False, True):
    for host in hosts:
        client = ssl.create_default_context(cafile=ca)
        if strict: client.verify_flags |= ssl.VERIFY_X509_STRICT | ssl.VERIFY_X509_PARTIAL_CHAIN
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        server.load_cert_chain(cert, key)
        a, b = ssl.MemoryBIO(), ssl.MemoryBIO()
        c, s = client.wrap_bio(a, b, server_hostname=host), server.wrap_bio(b, a, server_side=True)
        done = set()
        for _ in range(10):
            for side in (c, s):
                try:
                    side.do_handshake(); done.add(side)
                except ssl.SSLWantReadError: pass
        assert len(done) == 2, host
`;

/**
 * Compares certificates of every key type, issued by authorities of every key type, with the installed verifiers: Go (ASK_FUNCTIONS),
 * OpenSSL with strict rules, Python and Java with defaults. Exits with code 1 when one of them rejects one.
 */
const names = joinNames(serviceNames('team', 'webhook'), ...Object.values(presets), localNames);
const all = [...names.dns, ...names.ips];
const scratch = mkdtempSync(path.join(tmpdir(), 'issued-'));
const now = new Date();
const figures = new Map<string, { good: number; bad: string[] }>();

const authorities = await Promise.all(keyTypes.map(async type => ({ type, issued: await issueAuthority(type, now) })));
for (const { type, issued: authority } of authorities) {
  for (const keyType of keyTypes) {
    const serving = await issueServing({ names, keyType, days: 365, now }, authority);
    const files = { ca: path.join(scratch, 'ca.crt'), cert: path.join(scratch, 'tls.crt'), key: path.join(scratch, 'tls.key') };
    writeFileSync(files.ca, authority.certificatePem);
    writeFileSync(files.cert, serving.certificatePem);
    writeFileSync(files.key, serving.keyPem);
    const pair = { name: `${keyType} under ${type}`, ...files, serving, authority };
    count('Go', pair.name, askGo(pair.authority.certificatePem, pair.serving));
    count(
      'openssl -x509_strict',
      pair.name,
      run('openssl', ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', files.ca, files.cert]),
    );
    for (const host of ['webhook.team.svc', 'localhost']) {
      count(
        'openssl host',
        pair.name,
        run('openssl', ['verify', '-x509_strict', '-verify_hostname', host, '-CAfile', files.ca, files.cert]),
      );
    }
    count(
      'python',
      pair.name,
      run('python3', ['-c', pythonProgram, files.ca, files.cert, files.key, 'webhook.team.svc', 'localhost', '127.0.0.1', '::1']),
    );
    if (isSample(keyType) && isSample(type)) count('java', pair.name, run('java', [javaProgram(), files.ca, files.cert]));
  }
}
rmSync(scratch, { recursive: true });
for (const [verifier, { good, bad }] of figures) {
  console.log(`${verifier}: ${good} accepted, ${bad.length} refused`);
  for (const words of bad.slice(0, 3)) console.log(`  ${words.slice(0, 400)}`);
  if (bad.length > 0) process.exitCode = 1;
}

/** Java takes half a second to start. */
function isSample(type: KeyType): boolean {
  return type === 'ecdsa-p256' || type === 'rsa-2048' || type === 'ed25519';
}

/** Undefined: accepted. `absent`: this verifier is not installed. */
type Answer = string | undefined | 'absent';

function count(verifier: string, pair: string, answer: Answer): void {
  if (answer === 'absent') return;
  const figure = figures.get(verifier) ?? { good: 0, bad: [] };
  figures.set(verifier, figure);
  if (answer === undefined) figure.good += 1;
  else figure.bad.push(`${pair}: ${answer}`);
}

function askGo(bundle: string, { certificatePem: chain, keyPem: key }: { certificatePem: string; keyPem: string }): Answer {
  const binary = process.env['ASK_FUNCTIONS'];
  if (binary === undefined) return 'absent';
  const questions = all.map(serverName => JSON.stringify({ fn: 'certificates', chain, key, bundle, serverName, time: now.toISOString() }));
  const { stdout } = spawnSync(binary, { input: `${questions.join('\n')}\n`, encoding: 'utf8' });
  const answers = stdout.trimEnd().split('\n');
  return answers.length === all.length ? answers.find(answer => !answer.includes('"error":null')) : 'an answer is missing';
}

function run(command: string, argv: readonly string[]): Answer {
  const { error, status, stdout, stderr } = spawnSync(command, argv, { encoding: 'utf8' });
  if (error !== undefined) return 'absent';
  return status === 0 ? undefined : stdout + stderr;
}

/** Java's default trust manager, with the checks that HTTPS clients add. */
function javaProgram(): string {
  const file = path.join(scratch, 'Verify.java');
  writeFileSync(
    file,
    `import java.io.*; import java.security.*; import java.security.cert.*; import javax.net.ssl.*;
public class Verify {
  public static void main(String[] a) throws Exception {
    var factory = CertificateFactory.getInstance("X.509");
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry("ca", factory.generateCertificate(new FileInputStream(a[0])));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    var leaf = (X509Certificate) factory.generateCertificate(new FileInputStream(a[1]));
    ((X509TrustManager) trust.getTrustManagers()[0]).checkServerTrusted(new X509Certificate[] {leaf}, "UNKNOWN");
  }
}
`,
  );
  return file;
}
