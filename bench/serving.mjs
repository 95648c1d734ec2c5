// Measures requests per second and CPU time per request of a webhook server with keep-alive connections, compared with a bare node:https
// server that sends the same bytes, and with controller-runtime if CONTROLLER_RUNTIME is the path of its program (oracle: ask-serving).
// node bench/serving.mjs [SECONDS] [CONNECTIONS]
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const [seconds = 5, connections = 8] = process.argv.slice(2).map(Number);
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const review = JSON.stringify({
  kind: 'AdmissionReview',
  apiVersion: 'admission.k8s.io/v1',
  request: {
    uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
    kind: { group: '', version: 'v1', kind: 'Pod' },
    resource: { group: '', version: 'v1', resource: 'pods' },
    name: 'web',
    namespace: 'team',
    operation: 'CREATE',
    userInfo: { username: 'kubernetes-admin', groups: ['system:authenticated'] },
    object: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', namespace: 'team', labels: { app: 'web' }, annotations: { note: 'x'.repeat(400) } },
      spec: {
        containers: [
          { name: 'web', image: 'registry.example.com/web:1', env: Array.from({ length: 10 }, (_, i) => ({ name: `E${i}`, value: 'v' })) },
        ],
      },
    },
    oldObject: null,
    dryRun: false,
  },
});
const answer =
  '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"705ab4f5-6393-11e8-b7cc-42010a800002","allowed":true,"status":{"metadata":{},"code":200}}}\n';

if (process.argv[2] === 'bare') {
  const [cert, key] = [process.argv[3], process.argv[4]].map(file => readFileSync(file));
  const server = createServer({ cert, key }, (asked, response) => {
    const parts = [];
    asked.on('data', part => parts.push(part));
    asked.on('end', () => {
      JSON.parse(Buffer.concat(parts).toString());
      response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': Buffer.byteLength(answer) });
      response.end(answer);
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ webhook: `https://127.0.0.1:${server.address().port}` })));
} else {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-serving-'));
  execFileSync(
    process.execPath,
    [path.join(root, 'bin/run.js'), 'certs', 'create', '--dns', 'localhost', '--out-dir', path.join(folder, 'certs')],
    { stdio: 'ignore' },
  );
  const handlers = path.join(folder, 'handlers.mjs');
  writeFileSync(handlers, "export default server => server.register('/allow', () => ({ allowed: true, status: { code: 200 } }));\n");
  const serve = [
    'serve',
    '--handlers',
    handlers,
    '--host',
    '127.0.0.1',
    '--port',
    '0',
    '--cert-dir',
    path.join(folder, 'certs'),
    '-o',
    'json',
  ];
  const servers = [
    [
      'bare node:https',
      process.execPath,
      [fileURLToPath(import.meta.url), 'bare', path.join(folder, 'certs/tls.crt'), path.join(folder, 'certs/tls.key')],
    ],
    ['webhook-cli serve', process.execPath, [path.join(root, 'bin/run.js'), ...serve]],
  ];
  if (process.env.CONTROLLER_RUNTIME)
    servers.push(['controller-runtime', process.env.CONTROLLER_RUNTIME, ['serve', '--cert-dir', path.join(folder, 'certs')]]);
  for (const [name, command, args] of servers) console.log(`${name}: ${await measured(command, args)}`);
}

async function measured(command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const line = await new Promise(resolve => child.stdout.once('data', data => resolve(String(data))));
    const { port } = new URL(JSON.parse(line.split('\n')[0]).webhook);
    const agent = new Agent({ keepAlive: true, maxSockets: connections, rejectUnauthorized: false });
    await load(port, agent, Date.now() + 1500);
    const before = cpuMs(child.pid);
    const started = Date.now();
    const count = await load(port, agent, started + seconds * 1000);
    const ms = Date.now() - started;
    const cpu = (cpuMs(child.pid) - before) / count;
    agent.destroy();
    return `${Math.round((count * 1000) / ms)} requests a second, ${cpu.toFixed(3)} ms of processor a request, ${rssMb(child.pid)} MB`;
  } finally {
    child.kill();
  }
}

async function load(port, agent, until) {
  let count = 0;
  const client = async () => {
    while (Date.now() < until) {
      await post(port, agent);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  return count;
}

function post(port, agent) {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(review) };
    const sent = request({ host: '127.0.0.1', port, path: '/allow?timeout=10s', method: 'POST', headers, agent }, response => {
      let body = '';
      response.on('data', part => {
        body += part;
      });
      response.on('end', () => (body === answer ? resolve() : reject(new Error(`another answer: ${body}`))));
    });
    sent.on('error', reject);
    sent.end(review);
  });
}

function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function rssMb(pid) {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);
}
