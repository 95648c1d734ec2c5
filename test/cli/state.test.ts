import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readState } from '../../src/cli/work/input/state.js';
import { stringAt } from '../../src/go/value.js';
import { testSurroundings } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const hook = (webhook: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: v}
webhooks: [{name: ${webhook}.example.com}]
`;
const kustomization = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [map.yaml]\n';
const map = (name: string, text: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {text: "${text}"}\n`;
const files = {
  'hooks/a.yaml': hook('a'),
  'hooks/b.yaml': `${map('m', 'x')}---\n${hook('b')}`,
  'hooks/c.yaml': hook('a'),
  'map.yaml': map('plain', 'x'),
  'about.yaml': map('about', 'see kustomize.config.k8s.io'),
  'kustomization.yaml': 'resources: [map.yaml]\n',
  'overlay.yaml': kustomization,
  'overlay.json': JSON.stringify({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' }),
};

let folder: string;
let remove: () => void;

beforeAll(() => {
  ({ folder, remove } = temporaryFolder(files));
});
afterAll(() => remove());

describe('the state of a folder', () => {
  it('skips kustomizations regardless of file names, and nothing else', async () => {
    const surroundings = testSurroundings({ cwd: folder }, { stdout: '', stderr: '' });
    const { objects } = await readState(
      { state: ['.'], filename: undefined, recursive: false, kubernetesVersion: undefined },
      surroundings,
    );
    expect(objects.map(object => stringAt(object, 'metadata', 'name'))).toEqual(['about', 'plain']);
  });

  it('warns of a configuration that has the name of another one, unless they are equal', async () => {
    const out = { stdout: '', stderr: '' };
    await readState(
      { state: ['hooks'], filename: undefined, recursive: false, kubernetesVersion: undefined },
      testSurroundings({ cwd: folder }, out),
    );
    expect(out.stderr).toBe(
      'warning: hooks/b.yaml:6:1: the ValidatingWebhookConfiguration v is not used: another one of that name is at hooks/a.yaml:1:1\n',
    );
  });
});
