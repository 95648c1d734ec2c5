// Measures requests per second and CPU time per request of a webhook server with keep-alive connections, compared with a bare node:https
// server that sends the same bytes, and with controller-runtime if CONTROLLER_RUNTIME is the path of its program (oracle: ask-serving).
// The servers are measured in turns, and the load comes from this process: compare the processor time of the servers.
// node bench/serving.mjs [SECONDS] [CONNECTIONS] [ROUNDS]
import { readFileSync, rmSync } from 'node:fs';
import { Agent, createServer } from 'node:https';
import path from 'node:path';
import { answer, createCertificates, post, servingFolder, startProgram, startServing } from './serving-process.mjs';

if (process.argv[2] === 'bare') serveBare(...process.argv.slice(3));
else await compare(...process.argv.slice(2).map(Number));

function serveBare(certFile, keyFile) {
  const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (asked, response) => {
    const parts = [];
    asked.on('data', part => parts.push(part));
    asked.on('end', () => {
      JSON.parse(Buffer.concat(parts).toString());
      response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': Buffer.byteLength(answer) });
      response.end(answer);
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ webhook: `https://127.0.0.1:${server.address().port}` })));
}

async function compare(seconds = 5, connections = 8, rounds = 3) {
  const folder = servingFolder();
  const certificates = createCertificates(path.join(folder, 'certs'));
  const [certFile, keyFile] = ['tls.crt', 'tls.key'].map(name => path.join(certificates, name));
  const servers = [
    ['bare node:https', await startProgram(process.execPath, [import.meta.filename, 'bare', certFile, keyFile])],
    ['webhook-cli serve', await startServing(path.join(folder, 'handlers.mjs'), certificates)],
  ];
  const { CONTROLLER_RUNTIME: other } = process.env;
  if (other) servers.push(['controller-runtime', await startProgram(other, ['serve', '--cert-dir', certificates])]);
  for (const [, server] of servers) await measured(server, { connections, seconds: 2 });
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, server] of servers) console.log(`${name}: ${await measured(server, { connections, seconds })}`);
  }
  for (const [, server] of servers) await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measured({ port, cpuMs, rssMb }, { connections, seconds }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, rejectUnauthorized: false });
  const before = cpuMs();
  const started = Date.now();
  let count = 0;
  const client = async () => {
    while (Date.now() < started + seconds * 1000) {
      await post(port, agent);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const ms = Date.now() - started;
  agent.destroy();
  return `${Math.round((count * 1000) / ms)} requests a second, ${((cpuMs() - before) / count).toFixed(3)} ms of processor a request, ${rssMb()} MB`;
}
