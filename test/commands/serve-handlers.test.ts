import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { issueServingPair } from '../../src/certificates/issue.js';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const handlers = (message: string): string => `import { allowed, type WebhookServer } from 'webhook-cli';
interface Anything { readonly metadata: { readonly name: string } }
export default (server: WebhookServer): void => server.register('/allow', ({ object }: { object: Anything }) => allowed(\`${message} \${object.metadata.name}\`));
`;

let folder: string;
let remove: () => void;
let child: ChildProcess | undefined;
let stderr = '';

beforeEach(async () => {
  const { cert, key } = await issueServingPair({ dns: [], ips: [] }, new Date());
  ({ folder, remove } = temporaryFolder({ 'handlers.ts': handlers('hello'), 'certs/tls.crt': cert, 'certs/tls.key': key }));
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(root, path.join(folder, 'node_modules/webhook-cli'));
  stderr = '';
});
afterEach(() => {
  child?.kill('SIGKILL');
  remove();
});

/** Starts the program; resolves with its first output. */
function started(...flags: readonly string[]): Promise<{ readonly webhook: string }> {
  const words = ['serve', '--handlers', 'handlers.ts', '--port', '0', '--cert-dir', 'certs', '-o', 'json', ...flags];
  const running = spawn(process.execPath, [path.join(root, 'bin/run.js'), ...words], {
    cwd: folder,
    // Killing it would spoil the cache of other tests.
    env: { ...process.env, WEBHOOK_CLI_NO_CODE_CACHE: '1' },
  });
  child = running;
  running.stderr.on('data', (bytes: Buffer) => {
    stderr += bytes.toString();
  });
  return new Promise((resolve, reject) => {
    running.stdout.once('data', (bytes: Buffer) => {
      const line = bytes.toString().split('\n', 1)[0] ?? '';
      // A multi-line Error document is printed before the end.
      if (line.startsWith('{"webhook"')) resolve(JSON.parse(line));
    });
    running.once('exit', code => reject(new Error(`ended with ${code}: ${stderr}`)));
  });
}

function asked(origin: string): Promise<string> {
  const body = JSON.stringify({ request: { uid: 'u', object: { metadata: { name: 'web' } } } });
  return new Promise((resolve, reject) => {
    const sent = request(
      `${origin}/allow`,
      { method: 'POST', headers: { 'Content-Type': 'application/json' }, rejectUnauthorized: false },
      response => {
        let text = '';
        response.on('data', (bytes: Buffer) => {
          text += bytes.toString();
        });
        response.on('end', () => resolve(text));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Waits until a message is in the log. */
async function logged(message: string): Promise<void> {
  while (!stderr.includes(message)) await new Promise(resolve => child?.stderr?.once('data', resolve));
}

describe('serve --handlers', () => {
  it('serves a TypeScript module, reloads it when it changes, and keeps the handlers when it is broken', async () => {
    const { webhook } = await started('--watch');
    expect(await asked(webhook)).toContain('"message":"hello web"');
    writeFileSync(path.join(folder, 'handlers.ts'), handlers('goodbye'));
    await logged('Reloaded handlers');
    expect(await asked(webhook)).toContain('"message":"goodbye web"');
    writeFileSync(path.join(folder, 'handlers.ts'), 'export default (server) => {\n  server.register(;\n};\n');
    await logged('failed to reload handlers');
    expect(stderr).toMatch(/"file":"[^"]*handlers\.ts","line":2/);
    expect(await asked(webhook)).toContain('"message":"goodbye web"');
  });

  it('listens on 127.0.0.1 alone by default', async () => {
    const { webhook } = await started();
    expect(await asked(webhook)).toContain('"message":"hello web"');
    // Another address of the loopback interface, or none on systems that have only one.
    await expect(asked(webhook.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow();
  });

  it('ends when it is aborted', async () => {
    await started();
    const ended = new Promise(resolve => child?.once('exit', resolve));
    child?.kill('SIGTERM');
    await ended;
    expect(stderr).toContain('Shutting down webhook server with timeout of 1 minute');
  });

  it('names the file of a pair that cannot be used', async () => {
    writeFileSync(path.join(folder, 'certs/tls.key'), 'garbage');
    await expect(started()).rejects.toThrow('tls: failed to find any PEM data in key input');
  });
});
