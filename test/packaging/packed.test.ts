import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A module for each way in which the types are used; every line below `ts-expect-error` has to be an error. */
const typed = `import { allowed, type AdmissionHandler, type BuiltInKinds, type Container, defaulter, multiMutating, patched, type Pod, review, validator } from 'webhook-cli';

const sidecar: Container = { name: 'proxy', image: 'proxy:1' };

export const labels = defaulter({
  for: 'v1/Pod',
  default(pod, request) {
    (pod.metadata.labels ??= {})['team'] ??= request.namespace;
    pod.spec.containers.push(sidecar);
    // @ts-expect-error a pod has no replicas
    pod.spec.replicas = 1;
  },
});
export const named = defaulter<Pod>({ for: 'v1/Pod', default: pod => void (pod.spec.nodeName = 'a') });
export const scaled = validator({
  for: 'apps/v1/Deployment',
  validateUpdate(before, after, _request, warn) {
    if ((before.spec.replicas ?? 1) > (after.spec.replicas ?? 1)) warn('fewer replicas');
    // @ts-expect-error the number of replicas is not a text
    const text: string = after.spec.replicas;
    return text;
  },
});
export const own = validator<{ spec: { owner?: string } }>({ validateCreate: ({ spec }) => spec.owner?.length });
export const zone: AdmissionHandler<Pod> = ({ object }) =>
  object.spec.nodeName ? allowed() : patched('zone', { op: 'add', path: '/spec/nodeSelector', value: { zone: 'a' } });
export const all: AdmissionHandler = multiMutating(labels, zone);
export type Ingress = BuiltInKinds['networking.k8s.io/v1/Ingress'];
export const reviewed = review({ manifest: { apiVersion: 'v1', kind: 'Pod' }, handler: labels, phase: 'mutating' });
`;

const documented = [...readFileSync(path.join(root, 'docs/serving.md'), 'utf8').matchAll(/^```ts\n(.*?)^```/gms)].map(
  ([, code = '']) => code,
);

let folder: string;
let remove: () => void;

/** Where the packed package is. */
let target: string;

/** Unpacks the built package into node_modules, beside the packages that it depends on. */
beforeAll(() => {
  const modules = Object.fromEntries(documented.map((code, i) => [`documented-${i}.ts`, code]));
  ({ folder, remove } = temporaryFolder({ 'typed.ts': typed, ...modules, 'package.json': '{"type": "module", "private": true}' }));
  const packed = spawnSync(process.execPath, ['scripts/pack.js', folder], { cwd: root, encoding: 'utf8' });
  const [archive = ''] = readdirSync(folder).filter(name => name.endsWith('.tgz'));
  expect({ archive, stderr: packed.stderr }).toMatchObject({ archive: expect.stringMatching(/^webhook-cli-/) });
  target = path.join(folder, 'node_modules/webhook-cli');
  mkdirSync(target, { recursive: true });
  expect(spawnSync('tar', ['-xzf', path.join(folder, archive), '-C', target, '--strip-components', '1']).status).toBe(0);
  for (const name of ['@types', '@oclif', 'undici-types'])
    symlinkSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name));
}, 120_000);
afterAll(() => remove());

const compiler = path.join(path.dirname(createRequire(import.meta.url).resolve('typescript-7/package.json')), 'bin/tsc');

describe('the types of the packed package', { timeout: 120_000 }, () => {
  it.each([
    { module: 'NodeNext', moduleResolution: 'NodeNext' },
    { module: 'ESNext', moduleResolution: 'bundler' },
  ])('hold in strict TypeScript with the resolution $moduleResolution', resolution => {
    const compilerOptions = { ...resolution, target: 'ES2023', strict: true, noEmit: true, skipLibCheck: false, types: ['node'] };
    const file = `tsconfig.${resolution.moduleResolution}.json`;
    writeFileSync(path.join(folder, file), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', file], { cwd: folder, encoding: 'utf8' });
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });
});

describe('README.md and docs', () => {
  const pages = readdirSync(path.join(root, 'docs')).filter(name => name.endsWith('.md'));

  it('name only files of the package', () => {
    const named = ['README.md', ...pages.map(page => `docs/${page}`)].flatMap(page => {
      const text = readFileSync(path.join(root, page), 'utf8');
      const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link).filter(link => !link.includes(':'));
      const fixtures = [...text.matchAll(/fixtures\/[\w./-]*\w/g)].map(([name]) => name);
      return [...links.map(link => path.join(path.dirname(page), link)), ...fixtures].map(name => ({ page, name }));
    });
    expect(named.length).toBeGreaterThan(80);
    expect(named.filter(({ name }) => !existsSync(path.join(target, name)))).toEqual([]);
  });
});
