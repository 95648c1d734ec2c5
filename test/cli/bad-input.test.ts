import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Inspect from '../../commands/certs/inspect.js';
import Diagnose from '../../commands/diagnose.js';
import Review from '../../commands/review.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { reportFormats } from '../../src/reports/report-formats.js';
import { handlers } from '../../src/webhook-server/handlers/handlers.js';
import { type RunningServer, startServer } from '../../src/webhook-server/server.js';
import { type CommandOptions, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: "nginx:1"}]}\n';
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';

const files = {
  'pod.yaml': pod,
  'b/brackets.yaml': 'a: 1\nb: [\n',
  'b/tab.yaml': `${configMap}---\n${configMap}data:\n\tx: y\n`,
  'b/only-tab.yaml': `${configMap}data:\n\tx: y\n`,
  'b/binary.yaml': new Uint8Array([0x1f, 0x8b, 8, 0]),
  'b/directive.yaml': '%YAML 1.0\n---\na: 1\n',
  'b/unfinished.json': '{"kind": "Pod",',
  'b/comments.json': '{"kind": "Pod", // a pod\n "apiVersion": "v1"}\n',
  'b/template.yaml': 'apiVersion: v1\nkind: {{ .Values.kind }}\n',
  'b/no-break-space.yaml': `kind:\u00a0Pod\napi: {{}\n`,
  'm/empty.yaml': '',
  'm/comments.yaml': '# nothing\n---\nnull\n',
  'm/array.yaml': '- a\n',
  'm/scalar.yaml': '<html></html>\n',
  'm/no-kind.yaml': 'apiVersion: v1\nmetadata: {name: a}\n',
  'm/no-version.yaml': 'kind: Pod\nmetadata: {name: a}\n',
  'm/version.yaml': 'apiVersion: a/b/c\nkind: Pod\n',
  'm/null-item.yaml': 'apiVersion: v1\nkind: List\nitems: [null]\n',
  'm/list-in-list.yaml': 'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: List, items: []}\n',
  'm/empty-list.yaml': 'apiVersion: v1\nkind: List\nitems: []\n',
  'm/zero-width.yaml': '\u200bapiVersion: v1\nkind: Pod\n',
  'm/unknown.yaml': 'apiVersion: example.com/v9\nkind: Zork\nmetadata: {name: z, namespace: shop}\n',
  'm/eviction.yaml': 'apiVersion: policy/v1\nkind: Eviction\nmetadata: {name: z}\n',
  'm/other-namespace.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: shop}\n',
  'm/no-name.yaml': 'apiVersion: v1\nkind: ConfigMap\n',
  'm/slash.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a/b}\n',
  'folder/readme.txt': 'no manifests here',
  'calls/odd.yaml': 'method: GET\npath: /api\nbdy: x\n',
};

const temporary = temporaryFolder(files);
afterAll(() => temporary.remove());

function review(argv: readonly string[], options: CommandOptions = {}) {
  return runCommand(Review, argv, { cwd: temporary.folder, ...options });
}

describe('an input error has a one-sentence message and an exit code', () => {
  it.each<[string, string[], number, string]>([
    ['b/brackets.yaml', [], 3, 'b/brackets.yaml:3:1: error converting YAML to JSON: yaml: line 2: did not find expected node content'],
    [
      'b/only-tab.yaml',
      [],
      3,
      'b/only-tab.yaml:5:1: error converting YAML to JSON: yaml: line 5: found character that cannot start any token; indent with spaces: YAML does not allow tabs',
    ],
    ['b/binary.yaml', [], 3, 'b/binary.yaml:1:1: error converting YAML to JSON: yaml: control characters are not allowed'],
    ['b/directive.yaml', [], 3, 'b/directive.yaml:1:1: error converting YAML to JSON: yaml: found incompatible YAML document'],
    ['m/empty.yaml', [], 3, 'no objects found in m/empty.yaml; pass a manifest to -f'],
    ['m/comments.yaml', [], 3, 'no objects found in m/comments.yaml; pass a manifest to -f'],
    ['m/empty-list.yaml', [], 3, 'no objects found in m/empty-list.yaml; pass a manifest to -f'],
    [
      'm/array.yaml',
      [],
      3,
      'm/array.yaml:1:1: json: cannot unmarshal array into Go value of type unstructured.detector; did you mean `kind: List`?',
    ],
    ['m/scalar.yaml', [], 3, 'm/scalar.yaml:1:1: json: cannot unmarshal string into Go value of type unstructured.detector'],
    ['m/no-kind.yaml', [], 3, `m/no-kind.yaml:1:1: Object 'Kind' is missing in '{"apiVersion":"v1","metadata":{"name":"a"}}'`],
    [
      'm/no-version.yaml',
      [],
      3,
      `m/no-version.yaml:1:1: Object 'apiVersion' is missing in '{"kind":"Pod","metadata":{"name":"a"}}'; add apiVersion`,
    ],
    ['m/version.yaml', [], 3, 'm/version.yaml:1:1: unexpected GroupVersion string: a/b/c; set apiVersion to GROUP/VERSION'],
    [
      'm/unknown.yaml',
      [],
      3,
      'm/unknown.yaml:1:1: resource mapping not found for name: "z" namespace: "shop" from "m/unknown.yaml": no matches for kind "Zork" in version "example.com/v9"; pass the CustomResourceDefinition with --state',
    ],
    [
      'm/eviction.yaml',
      [],
      3,
      'm/eviction.yaml:1:1: resource mapping not found for name: "z" namespace: "" from "m/eviction.yaml": no matches for kind "Eviction" in version "policy/v1"; pass --subresource eviction',
    ],
    ['m/no-name.yaml', ['--operation', 'delete'], 3, 'm/no-name.yaml:1:1: resource name may not be empty; add metadata.name'],
    ['m/slash.yaml', ['--operation', 'update'], 3, `invalid resource name "a/b": [may not contain '/']`],
    [
      'm/other-namespace.yaml',
      ['-n', 'team'],
      2,
      'm/other-namespace.yaml:1:1: the namespace from the provided object "shop" does not match the namespace "team"; pass --namespace shop',
    ],
    ['nope.yaml', [], 3, 'the path "nope.yaml" does not exist; pass a file, a folder or a pattern to -f'],
    ['m/*.txt', [], 3, 'the path "m/*.txt" does not exist; pass a file, a folder or a pattern to -f'],
    ['folder', [], 3, 'error reading [folder]: recognized file extensions are [.json .yaml .yml]; pass -R to search its subfolders'],
    ['https://example.com/pod.yaml', [], 3, 'https://example.com/pod.yaml is an address, and only local files are read; download it first'],
  ])('%s %j', async (file, flags, exitCode, sentence) => {
    expect(await review(['--demo', '-f', file, ...flags])).toEqual({ stdout: '', stderr: `error: ${sentence}\n`, exitCode });
  });

  it.each([
    ['b/unfinished.json', /^error: b\/unfinished\.json:1:\d+: .*unexpected/],
    ['b/comments.json', /^error: b\/comments\.json:\d+:\d+: .*; remove the comments: JSON does not allow them$/],
    ['b/template.yaml', /^error: b\/template\.yaml:\d+:\d+: .*; render the template first: it contains \{\{$/],
    ['b/no-break-space.yaml', /^error: b\/no-break-space\.yaml:\d+:\d+: .*; check 1:6, which contains a no-break space \(U\+00A0\)$/],
    [
      'm/zero-width.yaml',
      /^error: m\/zero-width\.yaml:1:1: Object 'Kind'|^error: .*a zero-width space \(U\+200B\)|Object 'apiVersion' is missing/,
    ],
    ['m/null-item.yaml', /^error: m\/null-item\.yaml:3:\d+: .*Object 'Kind' is missing/],
    ['m/list-in-list.yaml', /^error: m\/list-in-list\.yaml:4:\d+: items\[0\] is a list: /],
  ])('%s', async (file, sentence) => {
    const { stdout, stderr, exitCode } = await review(['--demo', '-f', file]);
    expect({ stdout, stderr: stderr.trimEnd(), exitCode }).toEqual({ stdout: '', stderr: expect.stringMatching(sentence), exitCode: 3 });
  });

  it('a dangling link and a circular link', async () => {
    symlinkSync('nowhere', path.join(temporary.folder, 'dangling.yaml'));
    symlinkSync('circle.yaml', path.join(temporary.folder, 'circle.yaml'));
    expect((await review(['--demo', '-f', 'dangling.yaml'])).stderr).toBe(
      'error: dangling.yaml: cannot be read: no such file or directory\n',
    );
    expect((await review(['--demo', '-f', 'circle.yaml'])).stderr).toBe(
      'error: circle.yaml: cannot be read: too many levels of symbolic links\n',
    );
  });

  it('nothing on stdin', async () => {
    expect(await review(['--demo', '-f', '-'])).toEqual({
      stdout: '',
      stderr: 'error: no objects found in STDIN; pass a manifest to -f\n',
      exitCode: 3,
    });
  });

  it('a bad document does not stop the others', async () => {
    const { stdout, stderr, exitCode } = await review(['--demo', '-f', 'pod.yaml', '-f', 'b/tab.yaml', '-o', 'name']);
    expect([stdout, exitCode]).toEqual(['pod/a allowed\nconfigmap/a allowed\n', 3]);
    expect(stderr).toMatch(/^error: b\/tab.yaml:\d+:\d+: .*\n3 calls: 2 allowed, 0 refused, 1 unusable\n$/);
  });

  it('unusual input is accepted as by kubectl, with a warning', async () => {
    const text = 'apiVersion: v1\nkind: Secret\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: "?", b: \u201cx\u201d}\n';
    const stdin = Buffer.from(text);
    stdin[stdin.indexOf('?')] = 0xff;
    const { stderr, exitCode } = await review(['--demo', '-f', '-'], { stdin });
    expect([exitCode, stderr.split('\n')]).toEqual([
      0,
      expect.arrayContaining([
        'warning: STDIN:5:12: a byte that is not UTF-8',
        'warning: STDIN:3:7: key "kind" already set in map; the last one is used',
      ]),
    ]);
  });
});

describe('a usage error has exit code 2', () => {
  it.each<[string[], string]>([
    [['--demo', '--wat', '-f', 'pod.yaml'], 'unknown flag --wat; see --help'],
    [['--demo', '--filname', 'pod.yaml'], 'unknown flag --filname; did you mean --filename?'],
    [['--demo', '--operation', 'update'], 'no call specified; pass a manifest with -f, or exact HTTP calls with --call'],
    [['-f', 'pod.yaml'], 'no webhook specified; pass --url URL, or --demo, or --state PATH with webhook configurations'],
    [['--demo', '--url', 'https://localhost/', '-f', 'pod.yaml'], '--url and --demo are mutually exclusive'],
    [['--demo', '-f'], 'flag --filename expects a value; see --help'],
    [['--demo', '-f', 'pod.yaml', 'more.yaml'], 'unexpected argument: more.yaml; pass files with -f: -f more.yaml'],
    [['--demo', '-n', 'a', '-n', 'b', '-f', 'pod.yaml'], 'flag --namespace can only be specified once; see --help'],
    [['--demo', '-f', 'pod.yaml', '-o', 'xml'], `invalid --output "xml": expected one of ${Object.keys(reportFormats).join(', ')}`],
    [
      ['--demo', '-f', 'pod.yaml', '--operation', 'eat'],
      'invalid --operation "eat": expected one of create, update, patch, apply, delete, deletecollection, connect',
    ],
    [['--url', 'localhost', '-f', 'pod.yaml'], 'invalid --url "localhost": expected an address such as https://127.0.0.1:8443/validate'],
    [
      ['--url', 'http://localhost/', '-f', 'pod.yaml'],
      'invalid --url "http://localhost/": the API server calls webhooks only over https; pass --allow-http to call a development server anyway',
    ],
    [
      ['--url', 'https://localhost/', '--timeout', '0', '-f', 'pod.yaml'],
      'invalid --timeout "0": expected a duration from 1s to 30s, in whole seconds',
    ],
    [
      ['--url', 'https://localhost/', '--timeout', '1500ms', '-f', 'pod.yaml'],
      'invalid --timeout "1500ms": expected a duration from 1s to 30s, in whole seconds',
    ],
    [
      ['--url', 'https://localhost/', '--timeout', '31s', '-f', 'pod.yaml'],
      'invalid --timeout "31s": expected a duration from 1s to 30s, in whole seconds',
    ],
    [
      ['--url', 'https://localhost/', '--timeout', '0x10', '-f', 'pod.yaml'],
      'invalid --timeout "0x10": expected a duration from 1s to 30s, in whole seconds',
    ],
    [['--demo', '--failure-policy', 'Ignore', '-f', 'pod.yaml'], '--failure-policy has no effect without --url'],
    [['--demo', '--seed', '-1', '-f', 'pod.yaml'], 'invalid --seed "-1": expected an integer from 0 to 4294967295'],
    [['--demo', '--now', 'noon', '-f', 'pod.yaml'], 'invalid --now "noon": expected a time such as 2026-01-02T15:04:05Z'],
    [['--demo', '--service', 'guard', '-f', 'pod.yaml'], 'invalid --service "guard": expected NAMESPACE/NAME[:PORT]=URL or *=URL'],
    [['--demo', '--resolve', 'guard', '-f', 'pod.yaml'], 'invalid --resolve "guard": expected HOST:PORT:ADDRESS'],
    [['--demo', '--header', 'guard', '-f', 'pod.yaml'], 'invalid --header "guard": expected KEY=VALUE, without line breaks'],
    [['--demo', '--client-key', 'pod.yaml', '-f', 'pod.yaml'], '--client-certificate and --client-key must be given together'],
    [
      ['--demo', '--as-group', 'devs', '-f', 'pod.yaml'],
      'requesting uid, groups or user-extra without impersonating a user; pass --as NAME',
    ],
    [
      ['--demo', '--old', 'pod.yaml', '-f', 'pod.yaml'],
      '--old cannot be used with --operation create; pass --operation update, or pass existing objects with --state',
    ],
    [['--demo', '--cascade', 'orphan', '-f', 'pod.yaml'], '--cascade can only be used with --operation delete or deletecollection'],
    [['--demo', '--patch', '{}', '-f', 'pod.yaml'], '--patch can only be used with --operation patch'],
    [
      ['--demo', '--operation', 'connect', '-f', 'pod.yaml'],
      '--operation connect needs a subresource to connect to; pass --subresource attach, or pass --subresource exec, or pass --subresource portforward, or pass --subresource proxy',
    ],
    [['--demo', '--operation', 'patch', '-f', 'pod.yaml'], 'missing patch; pass either --patch or --patch-file'],
    [
      ['--demo', '--kubernetes-version', 'v1.20', '-f', 'pod.yaml'],
      'invalid --kubernetes-version "v1.20": expected v1.34, v1.35, v1.36, v1.37 or v1.38',
    ],
    [['--demo', '-f', '-', '--state', '-'], '-f and --state cannot both read stdin'],
    [['--state', 'pod.yaml', '--webhook', 'w', '-f', 'pod.yaml'], 'unknown webhook "w"; pass configurations with --state'],
  ])('%j', async (argv, sentence) => {
    expect(await review(argv)).toEqual({ stdout: '', stderr: `error: ${sentence}\n`, exitCode: 2 });
  });
});

describe('a missing argument is described', () => {
  it.each([
    [Diagnose, 'the error as it was printed, or - for stdin'],
    [Inspect, 'a file, a folder, or a server as HOST:PORT'],
  ])('%s', async (command, description) => {
    const stderr = `error: missing argument: ${description}; see --help\n`;
    expect(await runCommand(command, [])).toEqual({ stdout: '', stderr, exitCode: 2 });
  });
});

describe('with -o json an error is an Error document on stdout', () => {
  it.each<[string[], number, object]>([
    [
      ['--demo', '-f', 'm/version.yaml', '-o', 'json'],
      3,
      {
        code: 'invalid-manifest',
        location: { file: 'm/version.yaml', line: 1, column: 1 },
        suggestions: ['set apiVersion to GROUP/VERSION'],
      },
    ],
    [['--demo', '-f', 'pod.yaml', '-ojson', '--wat'], 2, { code: 'usage', location: null, suggestions: ['see --help'] }],
    [
      ['--output=json', '--demo', '-f', 'nope.yaml'],
      3,
      { code: 'unreadable-file', location: null, suggestions: ['pass a file, a folder or a pattern to -f'] },
    ],
  ])('%j', async (argv, exitCode, expected) => {
    const result = await review(argv);
    expect({ ...result, stdout: JSON.parse(result.stdout) }).toEqual({
      stdout: { apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'Error', message: expect.any(String), ...expected },
      stderr: '',
      exitCode,
    });
  });

  it('and checks the calls of --call, too', async () => {
    expect((await review(['--demo', '--call', 'calls/odd.yaml'])).stderr).toBe(
      'error: calls/odd.yaml:1: unknown member of a call: "bdy"; use method, path, headers, contentType, body, bodyBase64, userAgent, user\n',
    );
  });
});

describe('a webhook that cannot be called ends with exit code 4', () => {
  let server: RunningServer;
  let otherAuthority: string;

  beforeAll(async () => {
    const issued = await issueServingPair({ dns: [], ips: [] }, new Date());
    otherAuthority = (await issueServingPair({ dns: [], ips: [] }, new Date())).ca;
    server = await startServer({ handler: handlers.allow, cert: issued.cert, key: issued.key, host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());

  it('a dead port', async () => {
    const { port, close } = await startServer({ ...(await spareServer()), host: '127.0.0.1', port: 0 });
    await close();
    const { stdout, exitCode } = await review(['--url', `https://127.0.0.1:${port}/`, '-f', 'pod.yaml', '-o', 'json']);
    const report = JSON.parse(stdout);
    expect([exitCode, report.webhooks[0].outcome, report.webhooks[0].failure.class]).toEqual([4, 'callFailed', 'tcp']);
    expect(report.decision.status.message).toBe(
      `Internal error occurred: failed calling webhook "webhook.webhook-cli.dev": failed to call webhook: Post "https://127.0.0.1:${port}/?timeout=10s": dial tcp 127.0.0.1:${port}: connect: connection refused`,
    );
  });

  it('a wrong authority', async () => {
    const folder = temporaryFolder({ 'ca.crt': otherAuthority, 'pod.yaml': pod });
    const { stdout, exitCode } = await review(['--url', server.origin, '--ca-file', 'ca.crt', '-f', 'pod.yaml', '-o', 'json'], {
      cwd: folder.folder,
    });
    folder.remove();
    const report = JSON.parse(stdout);
    expect([exitCode, report.webhooks[0].failure.class]).toEqual([4, 'tls']);
    expect(report.decision.status.message).toContain('x509: certificate signed by unknown authority');
  });

  it('and with failurePolicy Ignore the call succeeds', async () => {
    const { stdout, exitCode } = await review(['--url', server.origin, '--failure-policy', 'Ignore', '-f', 'pod.yaml', '-o', 'name']);
    expect([exitCode, stdout]).toEqual([0, 'pod/a allowed\n']);
  });
});

async function spareServer() {
  const { cert, key } = await issueServingPair({ dns: [], ips: [] }, new Date());
  return { handler: handlers.allow, cert, key };
}
