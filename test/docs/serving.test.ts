import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadHandlers } from '../../src/cli/handlers/load-handlers.js';
import { createWebhookServer } from '../../src/webhook-server/serving/webhook-server.js';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const text = readFileSync(path.join(root, 'docs/serving.md'), 'utf8');
const modules = [...text.matchAll(/^## ([^\n]*)\n[^#]*?^```ts\n(.*?)^```/gms)].map(([, title = '', code = '']) => ({ title, code }));

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
    const { folder, remove } = temporaryFolder({ 'handlers.ts': code });
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(root, path.join(folder, 'node_modules/webhook-cli'));
    try {
      expect((await registered('handlers.ts', folder)).length).toBeGreaterThan(0);
    } finally {
      remove();
    }
  });
});

describe('fixtures/handlers', () => {
  it('registers handlers for pods, widgets and their conversion', async () => {
    const code = readFileSync(path.join(root, 'fixtures/handlers/handlers.ts'), 'utf8');
    const { folder, remove } = temporaryFolder({ 'handlers.ts': code });
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(root, path.join(folder, 'node_modules/webhook-cli'));
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
