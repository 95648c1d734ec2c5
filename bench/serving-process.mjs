// Starts webhook servers for measurements, and sends them reviews.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import os from 'node:os';
import path from 'node:path';

const run = path.join(import.meta.dirname, '../bin/run.js');

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

/** The answer of every measured server to the review. */
export const answer =
  '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"705ab4f5-6393-11e8-b7cc-42010a800002","allowed":true,"status":{"metadata":{},"code":200}}}\n';

/** Creates a folder with the handlers to serve, `handlers.mjs`. */
export function servingFolder() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-serving-'));
  const handlers = "export default server => server.register('/allow', () => ({ allowed: true, status: { code: 200 } }));\n";
  writeFileSync(path.join(folder, 'handlers.mjs'), handlers);
  return folder;
}

/** Creates certificates for this machine in a folder, and returns it. */
export function createCertificates(folder) {
  execFileSync(process.execPath, [run, 'certs', 'create', '--dns', 'localhost', '--out-dir', folder], { stdio: 'ignore' });
  return folder;
}

/** Starts `serve --handlers`. */
export function startServing(handlers, certificates) {
  const flags = ['--handlers', handlers, '--host', '127.0.0.1', '--port', '0', '--cert-dir', certificates, '-o', 'json'];
  return startProgram(process.execPath, [run, 'serve', ...flags]);
}

/** Starts a server that prints a line with its address: `{"webhook":"https://..."}`. */
export async function startProgram(command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = await once(child.stdout, 'data');
  const { port } = new URL(JSON.parse(String(line).split('\n')[0]).webhook);
  return {
    port,
    /** Processor time since the start, in ms. */
    cpuMs: () => {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    rssMb: () => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024),
    stop: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Sends the review; rejects when the answer differs. */
export function post(port, agent) {
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
