import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import Serve from '../../commands/serve.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folders: { remove(): void }[] = [];
afterEach(() => {
  for (const made of folders.splice(0)) made.remove();
});

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: web:1}]}\n';
const config = 'policy: enabled\ntemplates:\n  sidecar: |\n    spec: {containers: [{name: istio-proxy, image: {{ .Values.image }}}]}\n';
const indented = (text: string): string => text.replace(/^(?=.)/gm, '    ');
const configMap = `apiVersion: v1\ndata:\n  config: |-\n${indented(config)}  values: |-\n    image: proxy:1\nkind: ConfigMap\nmetadata: {name: istio-sidecar-injector}\n`;

function folderWith(files: Readonly<Record<string, string>>): string {
  const made = temporaryFolder(files);
  folders.push(made);
  return made.folder;
}

/** Invalid uses, and the exit code and the error. */
const refused: readonly (readonly [what: string, argv: readonly string[], exitCode: number, error: string])[] = [
  ['no --config', [], 2, '--handler injector needs --config; pass the configuration of the injector with --config FILE'],
  ['a missing file', ['--config', 'none.yaml'], 3, 'none.yaml: cannot be read: no such file or directory'],
  ['missing values', ['--config', 'config.yaml', '--values', 'none.yaml'], 3, 'none.yaml: cannot be read: no such file or directory'],
  [
    'an unknown function',
    ['--config', 'function.yaml'],
    3,
    'function.yaml:4:18: templates.sidecar: template: inject:1: function "sum" not defined; use functions of Go, sprig or Istio; "Functions of templates" in docs/injector.md lists them',
  ],
  [
    'invalid YAML',
    ['--config', 'broken.yaml'],
    3,
    'broken.yaml:2:1: error converting YAML to JSON: yaml: line 1: did not find expected node content',
  ],
  [
    'invalid YAML of values',
    ['--config', 'config.yaml', '--values', 'broken.yaml'],
    3,
    'broken.yaml:2:1: error converting YAML to JSON: yaml: line 1: did not find expected node content',
  ],
];

describe('serve --handler injector', () => {
  it.each(refused)('rejects %s', async (_, argv, exitCode, error) => {
    const unknownFunction = config.replace('containers', 'a: {{ sum }}, containers');
    const cwd = folderWith({ 'config.yaml': config, 'function.yaml': unknownFunction, 'broken.yaml': 'policy: [\n' });
    expect(await runCommand(Serve, ['--handler', 'injector', ...argv], { cwd })).toEqual({
      stdout: '',
      stderr: `error: ${error}\n`,
      exitCode,
    });
  });

  it.each(['config', 'values', 'revision'])('--%s needs it', async flag => {
    const { stderr, exitCode } = await runCommand(Serve, [`--${flag}`, 'a.yaml']);
    expect([exitCode, stderr]).toEqual([2, `error: --${flag} needs --handler injector; add --handler injector\n`]);
  });

  it.each([
    ['a ConfigMap', { 'config.yaml': configMap }, [], ''],
    ['a ConfigMap for both', { 'config.yaml': configMap }, ['--values', 'config.yaml'], ''],
    ['two files', { 'config.yaml': config, 'values.yaml': 'image: proxy:1\n' }, ['--values', 'values.yaml'], ''],
    [
      'a configuration with warnings',
      { 'config.yaml': config.replace('templates:', 'defaultTemplates: [sidecar, more]\ntemplates:'), 'values.yaml': 'image: proxy:1\n' },
      ['--values', 'values.yaml'],
      'warning: config.yaml:2:29: unknown template "more": pods for which it is selected are refused\n',
    ],
  ])('injects with %s', async (_, files, argv, warnings) => {
    const cwd = folderWith({ ...files, 'pod.yaml': pod });
    const { output, stderr, stop } = await served(['--config', 'config.yaml', ...argv], cwd);
    try {
      expect(stderr.replace(/^(\d|try: ).*\n/gm, '')).toBe(warnings);
      writeFileSync(path.join(cwd, 'ca.crt'), output);
      const flags = ['--url', `${output.split('\n', 1)[0]}/inject`, '--phase', 'mutating', '--ca-file', 'ca.crt', '-o', 'object'];
      const { stdout, exitCode } = await runCommand(Review, ['-f', 'pod.yaml', ...flags], { cwd });
      expect([exitCode, stdout.includes('image: proxy:1')]).toEqual(warnings === '' ? [0, true] : [1, false]);
    } finally {
      await stop();
    }
  });

  it('uses --cert-dir and --revision', async () => {
    const { cert, key, ca } = await issueServingPair({ dns: [], ips: ['127.0.0.1'] }, new Date());
    const cwd = folderWith({ 'config.yaml': configMap, 'pod.yaml': pod, 'tls.crt': cert, 'tls.key': key, 'ca.crt': ca });
    const { output, stderr, stop } = await served(['--config', 'config.yaml', '--revision', 'canary', '--cert-dir', '.'], cwd);
    try {
      const url = `${output.trim()}/inject`;
      expect(stderr).toContain(
        `\ntry: webhook-cli review --url ${url} --phase mutating -f pod.yaml --ca-file FILE, where FILE contains its CA `,
      );
      const flags = ['--url', url, '--phase', 'mutating', '--ca-file', 'ca.crt', '--now', new Date().toISOString(), '-o', 'object'];
      expect((await runCommand(Review, ['-f', 'pod.yaml', ...flags], { cwd })).stdout).toContain('"revision":"canary"}');
    } finally {
      await stop();
    }
  });
});

interface Served {
  /** Address and certificate. */
  readonly output: string;
  readonly stderr: string;
  stop(): unknown;
}

/** Serves the injector on a free port until it is stopped. */
async function served(argv: readonly string[], cwd: string): Promise<Served> {
  let stop: () => unknown = () => undefined;
  let stderr = '';
  const onInterrupt = (cleanUp: () => unknown) => {
    stop = cleanUp;
    return () => undefined;
  };
  const onStderr = (text: string): void => {
    stderr += text;
  };
  const output = await new Promise<string>((resolve, reject) => {
    runCommand(Serve, ['--handler', 'injector', ...argv], { cwd, onInterrupt, onStderr, onStdout: resolve }).then(
      ended => reject(new Error(ended.stderr)),
      reject,
    );
  });
  // The rest is written in the same turn.
  await new Promise(setImmediate);
  return { output, stderr, stop: () => stop() };
}
