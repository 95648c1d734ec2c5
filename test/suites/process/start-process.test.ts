import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { issueServingPair } from '../../../src/certificates/issue.js';
import type { ProcessFault } from '../../../src/suites/process/process-fault.js';
import type { ProcessSpec } from '../../../src/suites/process/process-spec.js';
import { reviewProbe } from '../../../src/suites/process/review-probe.js';
import { type RunningProcess, startProcess } from '../../../src/suites/process/start-process.js';
import { createTransport } from '../../../src/transport/call-webhook.js';
import { isAlive } from '../../support/is-alive.js';
import { root } from '../../support/run-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
afterAll(folder.remove);
const running: RunningProcess[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});

/** Answers any request with `ok` after a delay. */
const server = "require('node:http').createServer((_, response) => response.end('ok')).listen(Number(process.env.PORT), '127.0.0.1');";

function node(code: string, more: Partial<ProcessSpec> = {}): ProcessSpec {
  return { command: [process.execPath, '-e', code], cwd: folder.folder, readyTimeoutMs: 20_000, stopGraceMs: 10_000, ...more };
}

async function probe(port: number): Promise<string | undefined> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => undefined,
    () => 'nobody listens',
  );
}

async function start(spec: ProcessSpec, ask = probe): Promise<RunningProcess> {
  const started = await startProcess(spec, { env: process.env, probe: ask });
  running.push(started);
  return started;
}

/** The fault of a failed start, with an abbreviated command. */
async function faultOf(spec: ProcessSpec, ask = probe): Promise<Pick<ProcessFault, 'message' | 'output'>> {
  const fault: ProcessFault = await start(spec, ask).then(
    () => Promise.reject(new Error('it started')),
    error => error,
  );
  return { message: shortened(fault.message), output: fault.output };
}

function shortened(message: string): string {
  return message.replace(/^.* (was not ready|ended|cannot be started)/, 'COMMAND $1');
}

/** The number after a word in the process's output, when it appears. */
function numberOf(started: RunningProcess, word: string): Promise<number> {
  return vi.waitFor(() => {
    const found = new RegExp(`${word}=(\\d+)`).exec(started.output().join('\n'))?.[1];
    if (found === undefined) throw new Error(`no ${word} yet`);
    return Number(found);
  }, 10_000);
}

describe('a process under test', { timeout: 30_000 }, () => {
  it('gets a free port in its environment and its arguments', async () => {
    const words = await start({
      ...node(''),
      command: [process.execPath, '-e', `console.log('word=' + process.argv[1] + ' ' + process.env.OTHER); ${server}`, `\${PORT}`],
      env: { OTHER: `other=\${PORT}` },
    });
    const line = await start({ ...node(''), command: `exec '${process.execPath}' -e "console.log('word=\${PORT}'); ${server}"` });
    expect([await numberOf(words, 'word'), await numberOf(words, 'other'), await numberOf(line, 'word')]).toEqual([
      words.port,
      words.port,
      line.port,
    ]);
    expect(words.port).not.toBe(line.port);
  });

  it('may start slowly: it is polled until it answers', async () => {
    let asked = 0;
    const started = await start(node(server), async port => {
      asked += 1;
      return asked < 5 ? 'not yet' : probe(port);
    });
    expect([asked >= 5, started.fault()]).toEqual([true, undefined]);
  });

  it('says why it is waited for, each reason once', async () => {
    const told: string[] = [];
    const reasons = ['nobody listens', 'nobody listens', 'status 404', 'status 404'];
    const started = await startProcess(node(server), {
      env: process.env,
      probe: async () => reasons.shift(),
      onWaiting: { afterMs: 0, tell: (command, reason) => told.push(`${command.includes('createServer')}: ${reason}`) },
    });
    running.push(started);
    expect(told).toEqual(['true: nobody listens', 'true: status 404']);
  });

  it('is stopped when it is never ready, and reported with the last reason and its last lines', async () => {
    const fault = await faultOf({ ...node('', { readyTimeoutMs: 1500 }), command: 'echo pid=$$; exec sleep 600' });
    expect(fault).toEqual({
      message: 'COMMAND was not ready within 1.5 s: nobody listens',
      output: [expect.stringMatching(/^pid=\d+$/)],
    });
    expect(isAlive(Number(fault.output[0]?.slice('pid='.length)))).toBe(false);
  });

  it('is reported with its ports in the command', async () => {
    const command = `echo port=\${PORT}; exit 3`;
    const error: ProcessFault = await start({ ...node(''), command }).catch(reason => reason);
    const [, port] = /^port=(\d+)$/.exec(error.output[0] ?? '') ?? [];
    expect(error.message).toBe(`echo port=${port}; exit 3 ended with exit code 3 before it was ready`);
  });

  it('is not waited for longer when it does not answer the probe', async () => {
    const fault = await faultOf(node(server, { readyTimeoutMs: 300 }), () => new Promise(() => {}));
    expect(fault).toEqual({ message: 'COMMAND was not ready within 0.3 s: no answer', output: [] });
  });

  it('is reported with its exit status and at most 200 last lines when it exits before it is ready', async () => {
    const noisy = "for (let i = 1; i <= 230; i += 1) console.error('line ' + i); process.exitCode = 3";
    expect(await faultOf(node(noisy))).toEqual({
      message: 'COMMAND ended with exit code 3 before it was ready',
      output: Array.from({ length: 200 }, (_, i) => `line ${i + 31}`),
    });
    expect((await faultOf(node("process.kill(process.pid, 'SIGKILL')"))).message).toBe('COMMAND ended by SIGKILL before it was ready');
  });

  it.each([
    ['a program that is not there', { command: ['webhook-cli-no-such-program', 'a b'] }, 'program or working directory not found'],
    ['a folder that is not there', { cwd: path.join(folder.folder, 'nowhere') }, 'program or working directory not found'],
    ['a file that is not executable', { command: [path.join(root, 'package.json')] }, 'not executable'],
  ])('cannot be started: %s', async (_, spec, reason) => {
    expect(await faultOf({ ...node(server), ...spec })).toEqual({ message: `COMMAND cannot be started: ${reason}`, output: [] });
  });

  it('reports a crash, and leaves no processes', async () => {
    const child = `const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });`;
    const started = await start(
      node(
        `${child} console.log('child=' + child.pid); ${server.replace("response.end('ok')", "_.url === '/' ? response.end('ok') : process.exit(7)")}`,
      ),
    );
    const left = await numberOf(started, 'child');
    await probe(started.port);
    await fetch(`http://127.0.0.1:${started.port}/crash`).catch(() => undefined);
    const fault = await started.crashed;
    expect([shortened(fault.message), started.fault()]).toEqual(['COMMAND ended with exit code 7 during the run', fault]);
    await started.stop();
    expect([isAlive(left), started.fault()]).toEqual([false, fault]);
  });

  it('is not an error when it exits on request, even if requested repeatedly', async () => {
    const started = await start(node(`console.log('pid=' + process.pid); process.on('SIGTERM', () => process.exit(0)); ${server}`));
    const pid = await numberOf(started, 'pid');
    await Promise.all([started.stop(), started.stop()]);
    await started.stop();
    expect([isAlive(pid), started.fault()]).toEqual([false, undefined]);
  });

  it('is killed after the grace period when it ignores SIGTERM', async () => {
    const deaf = `process.on('SIGTERM', () => console.log('not now')); console.log('pid=' + process.pid); ${server}`;
    const started = await start(node(deaf, { stopGraceMs: 1000 }));
    const pid = await numberOf(started, 'pid');
    await started.stop();
    expect([isAlive(pid), started.output()]).toEqual([false, [`pid=${pid}`, 'not now']]);
  });

  it('is stopped with its children, including those in a session of their own', async () => {
    const spawn = (name: string, options: string) =>
      `const ${name} = require('node:child_process').spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], ${options}); console.log('${name}=' + ${name}.pid);`;
    const started = await start(
      node(
        `${spawn('child', "{ stdio: 'inherit' }")} ${spawn('daemon', "{ stdio: 'inherit', detached: true }")} daemon.unref(); ${server}`,
        {
          stopGraceMs: 300,
        },
      ),
    );
    const pids = [await numberOf(started, 'child'), await numberOf(started, 'daemon')];
    expect(pids.map(isAlive)).toEqual([true, true]);
    await started.stop();
    // Only Linux lists processes that left the group.
    expect(pids.map(isAlive).slice(0, process.platform === 'linux' ? 2 : 1)).not.toContain(true);
  });

  it('is probed with a review over TLS', async () => {
    const { ca, cert, key } = await issueServingPair({ dns: [], ips: [] }, new Date());
    const script = `let warm = 0; require('node:https').createServer({ cert: process.env.CERT, key: process.env.KEY }, (request, response) => {
      let body = '';
      request.on('data', chunk => { body += chunk; });
      request.on('end', () => { console.log('kind=' + JSON.parse(body).kind); warm += 1; response.statusCode = [503, 404][warm - 1] ?? 400; response.end(); });
    }).listen(Number(process.env.PORT), '127.0.0.1');`;
    const transport = createTransport({});
    const reasons = new Set<string | undefined>();
    const started = await start(node(script, { env: { CERT: cert, KEY: key } }), async port => {
      const url = `https://127.0.0.1:${port}/validate`;
      const webhook = { url, address: { host: '127.0.0.1', port }, serverName: '127.0.0.1', caBundle: Buffer.from(ca) };
      const reason = await reviewProbe(webhook, transport.callWebhook);
      reasons.add(reason?.replace(/^Post .*: (?=connect: )/, ''));
      return reason;
    });
    await transport.close();
    const notFound =
      'it answers with the HTTP status 404 at /validate, the path of the configuration: compare it with the path that the webhook serves';
    expect([...reasons].slice(-3)).toEqual(['it answers with the HTTP status 503', notFound, undefined]);
    await vi.waitFor(() => expect(started.output()).toEqual(Array.from({ length: 3 }, () => 'kind=AdmissionReview')));
  });

  it('is ready when it closes the connection in place of an answer, as after a panic, but not when it closes it before', async () => {
    const { ca, cert, key } = await issueServingPair({ dns: [], ips: [] }, new Date());
    const script = `const tls = require('node:https').createServer({ cert: process.env.CERT, key: process.env.KEY }, request => request.socket.destroy());
      let calls = 0;
      require('node:net').createServer(socket => {
        console.log('call'); calls += 1;
        if (calls === 1) socket.end(); else tls.emit('connection', socket);
      }).listen(Number(process.env.PORT), '127.0.0.1');`;
    const transport = createTransport({});
    const reasons: (string | undefined)[] = [];
    const started = await start(node(script, { env: { CERT: cert, KEY: key } }), async port => {
      const url = `https://127.0.0.1:${port}/validate`;
      const webhook = { url, address: { host: '127.0.0.1', port }, serverName: '127.0.0.1', caBundle: Buffer.from(ca) };
      const reason = await reviewProbe(webhook, transport.callWebhook);
      if (!/refused$/.test(reason ?? '')) reasons.push(reason?.replace(/^Post .*: /, ''));
      return reason;
    });
    await transport.close();
    expect([reasons.length, reasons[0], reasons.at(-1)]).toEqual([2, 'EOF', undefined]);
    await started.stop();
  });

  it('is killed when the test process exits without stopping it', () => {
    const outfile = path.join(folder.folder, 'ours.mjs');
    const contents = `import { startProcess } from './src/suites/process/start-process.ts';
      const spec = ${JSON.stringify(node(`console.log('pid=' + process.pid); ${server}`))};
      const probe = port => fetch('http://127.0.0.1:' + port + '/').then(() => undefined, () => 'nobody listens');
      const started = await startProcess(spec, { env: process.env, probe });
      while (started.output().length === 0) await new Promise(resolve => setTimeout(resolve, 5));
      console.log(started.output()[0]);
      process.exit(0);`;
    buildSync({ stdin: { contents, resolveDir: root }, outfile, bundle: true, platform: 'node', format: 'esm' });
    const { stdout, stderr, status } = spawnSync(process.execPath, [outfile], { encoding: 'utf8' });
    expect([stderr, status]).toEqual(['', 0]);
    expect(isAlive(Number(/pid=(\d+)/.exec(stdout)?.[1]))).toBe(false);
  });
});
