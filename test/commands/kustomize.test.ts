import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import Init from '../../commands/init.js';
import Lint from '../../commands/lint.js';
import Match from '../../commands/match.js';
import { defaultMinor, releaseOf } from '../../src/kubernetes/kubernetes-version.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const configuration = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: v}
webhooks:
- name: w.example.com
  clientConfig: {url: "https://w.example.com/"}
  admissionReviewVersions: [v1]
  sideEffects: None
  rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: c, namespace: default}
`;
const searchPath = process.env['PATH'];
let folder: string;
let remove: () => void;

/** Puts a program on the search path that does what the shell script says. */
function install(program: string, script: string): void {
  const file = path.join(folder, 'bin', program);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

beforeEach(() => {
  ({ folder, remove } = temporaryFolder({ 'rendered.yaml': configuration, 'bin/.keep': '' }));
  process.env['PATH'] = path.join(folder, 'bin');
});
afterEach(() => {
  process.env['PATH'] = searchPath;
  remove();
});

describe('-k', () => {
  it('builds the folder with kubectl, for manifests and for the state', async () => {
    const print = `while IFS= read -r line; do echo "$line"; done < '${folder}/rendered.yaml'`;
    install('kubectl', `[ "$1 $2" = "kustomize config/default" ] && ${print}`);
    const { stdout } = await runCommand(Match, ['-k', 'config/default', '--state', 'kustomize:config/default']);
    expect(stdout).toContain('CREATE ConfigMap default/c\nPHASE       WEBHOOK          CALLED\nvalidating  v/w.example.com  yes\n');
  });

  it('builds it with kustomize when kubectl is not installed', async () => {
    install('kustomize', `[ "$1 $2" = "build config" ] && echo '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}}'`);
    const { stdout } = await runCommand(Match, ['--demo', '-k', 'config']);
    expect(stdout).toContain('CREATE ConfigMap default/c');
  });

  it('reports the error of the program', async () => {
    install('kubectl', 'echo "error: evalsymlink failure on config" >&2; exit 1');
    const { stderr, exitCode } = await runCommand(Lint, ['-k', 'config']);
    expect(stderr).toContain('error: "kubectl kustomize config" failed: evalsymlink failure on config\n');
    expect(exitCode).toBe(3);
  });

  it('ends a program that prints without end', { timeout: 60_000 }, async () => {
    install(
      'kubectl',
      `exec '${process.execPath}' -e 'const a = "a".repeat(1 << 20); const write = () => { while (process.stdout.write(a)); process.stdout.once("drain", write); }; write()'`,
    );
    const { stderr, exitCode } = await runCommand(Lint, ['-k', 'config']);
    expect([stderr, exitCode]).toEqual(['error: "kubectl kustomize config" failed: it printed more than 256 MiB\n', 3]);
  });

  it('says that neither program is installed', async () => {
    const { stderr } = await runCommand(Match, ['--demo', '-k', 'config']);
    expect(stderr).toContain(
      'error: cannot build the kustomization config: neither kubectl nor kustomize is installed; install kubectl, or build it elsewhere and pass the manifests with -f\n',
    );
  });

  it('announces what the program fetches from elsewhere', async () => {
    install('kubectl', 'echo \'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}}\'');
    const files = {
      'over/kustomization.yaml':
        'resources: [../base, https://a.example/b.yaml, map.yaml, missing.yaml]\ncomponents: ["git@a.example:b/c"]\n',
      'base/Kustomization': 'resources: [../over, "github.com/a/b//config?ref=v1", "a.example/\\e[1mb"]\n',
      'over/map.yaml': '',
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    const { stderr } = await runCommand(Match, ['--demo', '-k', 'over'], { cwd: folder });
    expect(stderr.split('\n').filter(line => line.startsWith('note: kustomize:'))).toEqual([
      'note: kustomize:over fetches https://a.example/b.yaml',
      'note: kustomize:over fetches git@a.example:b/c',
      'note: kustomize:over fetches github.com/a/b//config?ref=v1',
      'note: kustomize:over fetches a.example/\\u001b[1mb',
    ]);
  });
});

describe('helm: paths', () => {
  it('render the chart with files of values, for manifests and for the state', async () => {
    install(
      'helm',
      `[ "$*" = "template ./chart --include-crds --kube-version ${releaseOf(defaultMinor)} --values a.yaml --values b.yaml" ] && ${printRendered()}`,
    );
    const { stdout } = await runCommand(Match, ['-f', 'helm:chart:a.yaml:b.yaml', '--state', 'helm:chart:a.yaml:b.yaml']);
    expect(stdout).toContain('CREATE ConfigMap default/c\nPHASE       WEBHOOK          CALLED\nvalidating  v/w.example.com  yes\n');
  });

  it("report helm's errors, and that it is not installed", async () => {
    const missing = await runCommand(Lint, ['-f', 'helm:chart']);
    expect(missing.stderr).toContain(
      'error: cannot render the chart chart: helm is not installed; install helm, or render it elsewhere and pass the manifests with -f\n',
    );
    install('helm', 'echo "Error: Chart.yaml file is missing" >&2; exit 1');
    const failed = await runCommand(Lint, ['-f', 'helm:chart']);
    expect([failed.exitCode, failed.stderr]).toEqual([
      3,
      expect.stringContaining('"helm template ./chart --include-crds --kube-version v1.37.2" failed: Chart.yaml file is missing\n'),
    ]);
  });

  it('are charts of this machine only', async () => {
    install('helm', 'exit 0');
    expect((await runCommand(Lint, ['-f', 'helm:oci://a.example/chart'])).stderr).toContain(
      'is an address, and only local charts are read',
    );
  });

  it('are what init writes for a chart', async () => {
    install('helm', printRendered());
    const project = temporaryFolder({
      'charts/guard/Chart.yaml': 'name: guard\n',
      'charts/guard/templates/webhook.yaml': `{{ if true }}\n${configuration}{{ end }}\n`,
    });
    const { stdout, stderr } = await runCommand(Init, [], { cwd: project.folder });
    const suite = readFileSync(path.join(project.folder, 'webhook-tests/first.webhook-test.yaml'), 'utf8');
    const flags = readFileSync(path.join(project.folder, 'webhook-cli.yaml'), 'utf8');
    project.remove();
    expect([stderr, stdout]).toEqual(['', expect.stringContaining('  configuration  charts/guard (a chart, rendered by helm)\n')]);
    expect(suite).toContain('state: ["helm:../charts/guard"]\n');
    expect(flags).toContain('state: ["helm:charts/guard"]\n');
  });
});

function printRendered(): string {
  return `while IFS= read -r line; do echo "$line"; done < '${folder}/rendered.yaml'`;
}
