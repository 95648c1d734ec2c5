import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import Dev from '../../commands/dev.js';
import { isAlive } from '../support/is-alive.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { developed, plainRounds } from './support/developed.js';

const server = `import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { rule } from './rule.mjs';
const [, , port, certs] = process.argv;
// Not watched.
writeFileSync('node_modules/server.pid', String(process.pid));
createServer({ cert: readFileSync(certs + '/tls.crt'), key: readFileSync(certs + '/tls.key') }, async (incoming, outgoing) => {
  const { request } = JSON.parse(Buffer.concat(await incoming.toArray()));
  const response = { uid: request.uid, ...rule(request.object) };
  outgoing.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }));
}).listen(Number(port), '127.0.0.1');
`;
const needsTeam = `export const rule = ({ metadata }) => ({ allowed: metadata.labels?.team !== undefined, status: { message: 'no team' } });\n`;
const patch = Buffer.from(JSON.stringify([{ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } }])).toString('base64');
const setsLabel = `export const rule = () => ({ allowed: true, patchType: 'JSONPatch', patch: '${patch}' });\n`;
const pod = (labels: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: a${labels}}\nspec: {automountServiceAccountToken: false, containers: [{name: c, image: "nginx:1"}]}\n`;
const configuration = (resource: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: guard.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {namespace: shop, name: guard, path: /mutate}}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [${resource}]}]
`;
const files = {
  'node_modules/.keep': '',
  'server.mjs': server,
  'rule.mjs': needsTeam,
  'pod.yaml': pod(''),
  'hooks.yaml': configuration('pods'),
};

describe('dev', { timeout: 60_000 }, () => {
  it('shows what changes of a manifest, the code and the configuration do, and leaves no process', async () => {
    const { folder, remove } = temporaryFolder(files);
    const write = (name: string, text: string) => () => writeFileSync(path.join(folder, name), text);
    const { stdout, stderr, exitCode } = await developed(
      folder,
      ['--exec', `"${process.execPath}" server.mjs \${PORT} \${CERTS}`, '--state', 'hooks.yaml', '-f', 'pod.yaml'],
      [
        write('pod.yaml', pod(', labels: {team: x}')),
        write('rule.mjs', setsLabel),
        press => press('d'),
        press => press('f'),
        write('hooks.yaml', configuration('services')),
      ],
    );
    const pid = Number(readFileSync(path.join(folder, 'node_modules/server.pid'), 'utf8'));
    remove();
    expect(plainRounds(stdout)).toEqual([
      'started: 1 call',
      '  ✗ CREATE Pod default/a: refused (400)',
      '      denied: no team',
      'pod.yaml changed: 1 of 1 call changed',
      '  ✓ CREATE Pod default/a: refused (400) -> allowed (201)',
      'rule.mjs changed: 1 of 1 call changed',
      '  ✓ CREATE Pod default/a: allowed (201)',
      '        metadata:',
      '          generation: 1',
      '          labels:',
      '      -     team: x',
      "      +     seen: 'yes'",
      '          name: a',
      '          namespace: default',
      '        spec:',
      'with what the webhooks change',
      '  ✓ CREATE Pod default/a: allowed (201)',
      '      changes by guard.example.com:',
      '        kind: Pod',
      '        metadata:',
      '          labels:',
      '      -     team: x',
      "      +     seen: 'yes'",
      '          name: a',
      '          namespace: default',
      '        spec:',
      'failures only',
      '  none',
      'hooks.yaml changed: 1 of 1 call changed',
    ]);
    expect([exitCode, stderr]).toEqual([0, 'watching for changes; r: again, f: failures only, d: what the webhooks change, q: end\n']);
    expect(isAlive(pid)).toBe(false);
  });

  it('keeps calls apart from those that come and go', async () => {
    const other = pod('').replace('name: a', 'name: b');
    const { folder, remove } = temporaryFolder({ ...files, 'pods/1.yaml': pod(''), 'pods/2.yaml': other });
    const { stdout } = await developed(
      folder,
      ['--exec', `"${process.execPath}" server.mjs \${PORT} \${CERTS}`, '--state', 'hooks.yaml', '-f', 'pods'],
      [() => rmSync(path.join(folder, 'pods/1.yaml'))],
    );
    remove();
    expect(plainRounds(stdout).slice(-2)).toEqual(['pods/1.yaml changed: 1 of 2 calls changed', '  - CREATE Pod default/a: removed']);
  });

  it('runs the suite of a folder, and says why its process does not start until that is repaired', async () => {
    const suite = `apiVersion: webhook-cli.dev/v1alpha1
kind: Suite
exec: '"${process.execPath}" server.mjs \${PORT} \${CERTS}'
url: https://127.0.0.1:\${PORT}/
cases: [{name: it, filename: pod.yaml, expect: {allowed: true}}]
`;
    const { folder, remove } = temporaryFolder({ ...files, 'rule.mjs': 'no module\n', 'own.webhook-test.yaml': suite });
    const repair = () => writeFileSync(path.join(folder, 'rule.mjs'), setsLabel);
    const spoil = () => writeFileSync(path.join(folder, 'rule.mjs'), 'no module\n');
    // What changes within 400 ms of three starts is taken for a file that the process writes.
    const later = (act: () => void) => () => setTimeout(act, 500);
    const { stdout } = await developed(folder, ['.'], [repair, press => press('r'), later(spoil), later(repair)]);
    const hasSnapshots = existsSync(path.join(folder, '__snapshots__'));
    remove();
    const lines = plainRounds(stdout);
    const isOutput = (line: string) => line.startsWith('      ');
    expect(lines.filter(line => !isOutput(line))).toEqual([
      'started: the process did not start',
      '  ✗ own: not started',
      'rule.mjs changed: 1 call',
      '  ✓ it: CREATE Pod default/a: passed, allowed (201)',
      expect.stringMatching(/^again: 0 of 1 call changed/),
      // A broken build removes no case.
      'rule.mjs changed: the process did not start',
      '  ✗ own: not started',
      'rule.mjs changed: 0 of 1 call changed',
    ]);
    expect(hasSnapshots).toBe(false);
  });

  it('says what it waits for while the process is built', async () => {
    const late = 'await new Promise(resolve => setTimeout(resolve, 1200));\n';
    const { folder, remove } = temporaryFolder({ ...files, 'rule.mjs': late + setsLabel });
    const argv = ['--exec', `"${process.execPath}" server.mjs \${PORT} \${CERTS}`, '--state', 'hooks.yaml', '-f', 'pod.yaml'];
    const { stderr } = await developed(folder, argv, []);
    remove();
    expect(stderr).toContain('building or starting: "');
  });

  it.each<[string, string[], RegExp]>([
    ['manifests with a suite', ['suite', '-f', 'pod.yaml'], /excludes --exec and -f/],
    ['a command without calls', ['--exec', 'true'], /no calls to make; pass manifests with -f/],
    ['stdin', ['--demo', '-f', '-'], /cannot be watched/],
  ])('refuses %s', async (_, argv, message) => {
    const { exitCode, stderr } = await runCommand(Dev, argv);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
