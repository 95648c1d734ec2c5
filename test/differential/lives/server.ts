import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** A server under comparison. */
export interface Server {
  readonly call: (sent: Sent) => Promise<Answer>;
  /** Returns what a watch sends until it is silent. */
  readonly watch: (path: string) => Promise<Answer>;
  /** Opens a watch, and waits for its answer. */
  readonly open: (path: string) => Promise<OpenWatch>;
  readonly close: () => void;
}

/** A watch that remains open. */
export interface OpenWatch {
  /** Returns what was sent until now, and whether the server ended it; closes it. */
  readonly take: () => Answer;
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string | undefined;
  readonly body?: object | undefined;
}

export interface Answer {
  /** Zero for a connection that the server closed. */
  readonly status: number;
  readonly body: string;
}

const silenceMs = 350;
/** Max time for which an open watch is waited for. */
const answerMs = 3000;

/** Returns the server at an address. */
export function serverAt(url: string, token: string, close = (): void => undefined): Server {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  const send = ({ method, path, contentType = 'application/json', body }: Sent, isWatch: boolean): Promise<Answer> =>
    new Promise(resolve => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json',
        'User-Agent': 'lives',
        ...(text === undefined ? {} : { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(text) }),
      };
      const going = request(`${url}${path}`, { method, headers, agent: isWatch ? false : agent, rejectUnauthorized: false }, response => {
        let received = '';
        const status = response.statusCode ?? 0;
        const finish = (): void => {
          resolve({ status, body: received });
          if (isWatch) going.destroy();
        };
        let timer = isWatch ? setTimeout(finish, silenceMs) : undefined;
        response.on('data', (chunk: Buffer) => {
          received += chunk.toString('utf8');
          if (timer === undefined) return;
          clearTimeout(timer);
          timer = setTimeout(finish, silenceMs);
        });
        response.on('end', () => {
          clearTimeout(timer);
          finish();
        });
        response.on('error', finish);
      });
      going.setTimeout(30_000, () => going.destroy());
      going.on('error', () => resolve({ status: 0, body: '' }));
      going.end(text);
    });
  const open = async (path: string): Promise<OpenWatch> => {
    let [body, status, end] = ['', 0, 'open'];
    const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json', 'User-Agent': 'lives' };
    const going = request(`${url}${path}`, { headers, agent: false, rejectUnauthorized: false }, response => {
      status = response.statusCode ?? 0;
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString('utf8');
      });
      response.on('end', () => {
        end = 'ended';
      });
      response.on('error', () => undefined);
    });
    const answered = new Promise<void>(resolve => {
      going.on('response', () => resolve());
      going.on('error', () => resolve());
      setTimeout(resolve, answerMs);
    });
    going.end();
    await answered;
    return {
      take: () => {
        const taken = { status, body: `${body}\n${end}` };
        going.destroy();
        return taken;
      },
    };
  };
  return { call: sent => send(sent, false), watch: path => send({ method: 'GET', path }, true), open, close };
}

/** Starts the project's API server. */
export async function startOwn(version: string): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'lives-'));
  process.on('exit', () => rmSync(folder, { recursive: true }));
  const state = join(folder, 'state.yaml');
  writeFileSync(state, JSON.stringify(binding));
  const flags = ['apiserver', '--kubernetes-version', version, '--token', 'admin=own-token', '--state', state, '-o', 'json'];
  const child = spawn(process.execPath, ['bin/run.js', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill());
  const url = await addressOf(child);
  return serverAt(url, 'own-token', () => child.kill());
}

const binding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'admin' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'admin' }],
};

async function addressOf(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  for (let i = 0; i < 300; i += 1) {
    const found = /https:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (found !== undefined) return found;
    await wait(100);
  }
  throw new Error(`the API server did not start: ${text}`);
}
