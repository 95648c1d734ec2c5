import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { issueServingPair } from '../../src/certificates/issue.js';
import { loadHandlers } from '../../src/cli/commands/serve/load-handlers.js';
import { review } from '../../src/library/entry.js';
import type { AdmissionRequest, Handler } from '../../src/webhook-server/api/types.js';
import { createWebhookServer } from '../../src/webhook-server/serving/webhook-server.js';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const text = readFileSync(path.join(root, 'docs/serving.md'), 'utf8');
const modules = [...text.matchAll(/^## ([^\n]*)\n[^#]*?^```ts\n(.*?)^```/gms)].map(([, title = '', code = '']) => ({ title, code }));

/** Creates a folder with these files in which the package can be imported. */
function projectWith(files: Readonly<Record<string, string>>): { readonly folder: string; remove(): void } {
  const made = temporaryFolder(files);
  mkdirSync(path.join(made.folder, 'node_modules'));
  symlinkSync(root, path.join(made.folder, 'node_modules/webhook-cli'));
  return made;
}

/** Paths that a module registers. */
async function registered(file: string, folder: string): Promise<string[]> {
  const paths: string[] = [];
  const register = await loadHandlers(file, { cwd: folder, importModule: url => import(url) });
  const server = createWebhookServer();
  await server.replace(async target => {
    await register({
      ...target,
      register(at, handler) {
        paths.push(at);
        target.register(at, handler);
      },
    });
  });
  return paths;
}

describe('docs/serving.md', () => {
  it('has modules of handlers in TypeScript', () => {
    expect(modules.map(({ title }) => title)).toEqual(['Validate', 'Default', 'Write responses directly', 'Convert', 'Inject sidecars']);
  });

  it.each(modules)('shows a module that registers its handlers: $title', async ({ code }) => {
    const { folder, remove } = projectWith({ 'handlers.ts': code });
    try {
      expect((await registered('handlers.ts', folder)).length).toBeGreaterThan(0);
    } finally {
      remove();
    }
  });
});

/** What a handler of the page answers to a request with these members. */
interface Example {
  readonly title: string;
  readonly path: string;
  readonly request: Partial<AdmissionRequest>;
  readonly answer: object;
}

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'a', image: 'a:1' }] } };
const widget = { apiVersion: 'example.com/v2', kind: 'Widget', metadata: { name: 'w' }, spec: {} };
const owned = (owner: string): object => ({ ...widget, spec: { owner } });
const texts = { kind: { group: '', version: '', kind: '' }, namespace: '', operation: 'CREATE' };

const examples: readonly Example[] = [
  {
    title: 'Validate',
    path: '/validate-widget',
    request: { object: widget, dryRun: true },
    answer: {
      allowed: false,
      warnings: ['nothing is stored in a dry run'],
      status: { code: 422, reason: 'Invalid', message: 'Widget.example.com "w" is invalid: spec.owner: Required value: say who pays' },
    },
  },
  {
    title: 'Validate',
    path: '/validate-widget',
    request: { operation: 'UPDATE', object: owned('a'), oldObject: owned('b') },
    answer: { allowed: false, status: { code: 403, message: 'the owner cannot change' } },
  },
  { title: 'Validate', path: '/validate-widget', request: { object: owned('a') }, answer: { allowed: true } },
  {
    title: 'Default',
    path: '/mutate--v1-pod',
    request: { object: pod },
    answer: { allowed: true, patchType: 'JSONPatch' },
  },
  {
    title: 'Write responses directly',
    path: '/allow',
    request: {},
    answer: { allowed: true, warnings: ['saw CREATE'] },
  },
  {
    title: 'Write responses directly',
    path: '/deny',
    request: {},
    answer: { allowed: false, status: { code: 403, message: 'not on Fridays' } },
  },
  {
    title: 'Write responses directly',
    path: '/check',
    request: { name: 'a-name-of-more-than-twenty-characters' },
    answer: { allowed: false, status: { message: 'names have fewer than 20 characters' } },
  },
  {
    title: 'Write responses directly',
    path: '/error',
    request: {},
    answer: { allowed: false, status: { code: 503, message: 'the registry cannot be reached' } },
  },
  {
    title: 'Write responses directly',
    path: '/patch',
    request: { object: { spec: { a: 1 } }, raw: { object: '{"spec":{"a":1}}', oldObject: '', options: '' } },
    answer: { allowed: true, patches: [{ op: 'add', path: '/spec/paused', value: true }] },
  },
  {
    title: 'Write responses directly',
    path: '/count',
    request: { object: { a: 1 }, oldObject: { b: 2 } },
    answer: { allowed: true, status: { message: '2 changes' } },
  },
];

/** Calls a function with the handler that the module of a section registers at a path. */
async function withHandler(title: string, at: string, use: (handler: Handler | undefined) => Promise<void>): Promise<void> {
  const code = modules.find(module => module.title === title)?.code ?? '';
  const { folder, remove } = projectWith({ 'handlers.ts': code });
  try {
    const handlers = new Map<string, Handler>();
    const nothing = (): void => undefined;
    const register = await loadHandlers('handlers.ts', { cwd: folder, importModule: url => import(url) });
    await register({
      register: (registeredAt, handler) => void handlers.set(registeredAt, handler),
      addHealthzCheck: nothing,
      addReadyzCheck: nothing,
      startedChecker: () => nothing,
    });
    await use(handlers.get(at));
  } finally {
    remove();
  }
}

describe('examples of docs/serving.md', () => {
  it.each(examples)('$title answers a request to $path with $answer', ({ title, path: at, request, answer }) =>
    withHandler(title, at, async handler => {
      if (typeof handler !== 'function') throw new Error(`${at} is not a function`);
      expect(await handler({ ...texts, ...request } as AdmissionRequest)).toMatchObject(answer);
    }),
  );

  it('Convert converts a widget', () =>
    withHandler('Convert', '/convert', async handler => {
      if (typeof handler !== 'object' || handler.webhook !== 'conversion') throw new Error('not a conversion');
      const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { count: 3 } };
      const asked = { request: { uid: 'u', desiredAPIVersion: 'example.com/v2', objects: [object] } };
      const { body } = await handler.answer(Buffer.from(JSON.stringify(asked)));
      expect(JSON.parse(body).response.convertedObjects).toEqual([
        { apiVersion: 'example.com/v2', kind: 'Widget', metadata: { name: 'w' }, spec: { replicas: 3 } },
      ]);
    }));

  it('Inject sidecars adds a container', () =>
    withHandler('Inject sidecars', '/inject', async handler => {
      if (typeof handler !== 'object' || handler.webhook !== 'injector') throw new Error('not an injector');
      const { decision } = await review({ manifest: pod, handler, phase: 'mutating' });
      expect(decision.object).toMatchObject({ spec: { containers: [{ name: 'a' }, { image: 'registry.example.com/proxy:1' }] } });
    }));
});

const programs = new Map([...text.matchAll(/^## ([^\n]*)\n[^#]*?^```js\n(.*?)^```/gms)].map(([, title = '', code = '']) => [title, code]));

describe('programs of docs/serving.md', () => {
  it('test a handler with node:test', () => {
    const { folder, remove } = projectWith({ 'labels.test.mjs': programs.get('Test without a server') ?? '' });
    try {
      const { status, stdout } = spawnSync(process.execPath, ['--test', 'labels.test.mjs'], { cwd: folder, encoding: 'utf8' });
      expect(stdout).toMatch(/pass 1\n/);
      expect(status).toBe(0);
    } finally {
      remove();
    }
  });

  it('serve in a process of their own', async () => {
    const { cert, key } = await issueServingPair({ dns: [], ips: [] }, new Date());
    const code = (programs.get('Run it in your own process') ?? '').replaceAll(/\b(9443|8080|8081)\b/g, '0').replace('/certs', 'certs');
    const files = { 'server.mjs': `${code}await server.stop();\n`, 'certs/tls.crt': cert, 'certs/tls.key': key };
    const { folder, remove } = projectWith(files);
    try {
      const { status, stdout } = spawnSync(process.execPath, ['server.mjs'], { cwd: folder, encoding: 'utf8' });
      expect(stdout).toMatch(/^serving https:\/\/.*:\d+\n$/);
      expect(status).toBe(0);
    } finally {
      remove();
    }
  });
});

describe('fixtures/handlers', () => {
  it('registers handlers for pods, widgets and their conversion', async () => {
    const code = readFileSync(path.join(root, 'fixtures/handlers/handlers.ts'), 'utf8');
    const { folder, remove } = projectWith({ 'handlers.ts': code });
    try {
      expect(await registered('handlers.ts', folder)).toEqual([
        '/validate-example-com-v2-widget',
        '/mutate-example-com-v2-widget',
        '/mutate--v1-pod',
        '/convert',
      ]);
    } finally {
      remove();
    }
  });
});
