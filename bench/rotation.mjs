// Measures how soon a webhook server serves a rotated certificate to new connections, while requests arrive: rewritten in place (at once, and
// with a pause between certificate and key), replaced by renaming, and swapped by a link as in a mounted Secret.
// CONTROLLER_RUNTIME is the path of controller-runtime's program (oracle: ask-serving), to measure it instead.
// node bench/rotation.mjs [ROTATIONS] [REQUESTS A SECOND]
import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:tls';
import { createCertificates, post, servingFolder, startProgram, startServing } from './serving-process.mjs';

const [rotations = 100, rate = 200] = process.argv.slice(2).map(Number);
const folder = servingFolder();
const used = path.join(folder, 'used');
const pairs = ['a', 'b'].map(name => pairIn(createCertificates(path.join(folder, name))));

/** Ways of replacing a pair; each returns when both files are replaced. */
const ways = {
  'in place': async ({ cert, key }) => {
    writeFileSync(path.join(used, 'tls.crt'), cert);
    writeFileSync(path.join(used, 'tls.key'), key);
  },
  'in place, with a pause': async ({ cert, key }) => {
    writeFileSync(path.join(used, 'tls.crt'), cert);
    await pause(Math.random() * 400);
    writeFileSync(path.join(used, 'tls.key'), key);
  },
  renamed: async ({ cert, key }) => {
    writeFileSync(path.join(folder, 'new.key'), key);
    writeFileSync(path.join(folder, 'new.crt'), cert);
    renameSync(path.join(folder, 'new.key'), path.join(used, 'tls.key'));
    renameSync(path.join(folder, 'new.crt'), path.join(used, 'tls.crt'));
  },
};

let failed = 0;
let answered = 0;
let isDone = false;

for (const way of [...Object.keys(ways), 'link']) await measure(way, Math.ceil(rotations / 4));
rmSync(folder, { recursive: true, force: true });

async function measure(way, count) {
  rmSync(used, { recursive: true, force: true });
  mkdirSync(used);
  const replace = way === 'link' ? linked() : ways[way];
  await replace(pairs[0]);
  const { CONTROLLER_RUNTIME: other } = process.env;
  const serving = other
    ? await startProgram(other, ['serve', '--cert-dir', used])
    : await startServing(path.join(folder, 'handlers.mjs'), used);
  [failed, answered, isDone] = [0, 0, false];
  const load = sendAtRate(serving.port);
  const delays = [];
  for (let i = 1; i <= count; i += 1) {
    const pair = pairs[i % 2];
    await replace(pair);
    const switched = performance.now();
    while ((await servedTo(serving.port)) !== pair.fingerprint) await pause(5);
    delays.push(performance.now() - switched);
    await pause(200 + Math.random() * 200);
  }
  isDone = true;
  await load;
  await serving.stop();
  delays.sort((a, b) => a - b);
  const [median, max] = [delays[Math.floor(count / 2)], delays.at(-1)].map(ms => Math.round(ms));
  console.log(`${way}: ${count} rotations, served after ${median} ms (median), ${max} ms (max); ${answered} requests, ${failed} failed`);
}

/** Returns a function that swaps the link to the pair's folder. */
function linked() {
  let generation = 0;
  for (const name of ['tls.crt', 'tls.key']) symlinkSync(path.join('..data', name), path.join(used, name));
  return async ({ cert, key }) => {
    generation += 1;
    const target = path.join(used, `..generation-${generation}`);
    mkdirSync(target);
    writeFileSync(path.join(target, 'tls.crt'), cert);
    writeFileSync(path.join(target, 'tls.key'), key);
    symlinkSync(path.basename(target), path.join(used, '..next'));
    renameSync(path.join(used, '..next'), path.join(used, '..data'));
  };
}

/** Sends requests on kept connections, and every tenth on a new one. */
async function sendAtRate(port) {
  const kept = new Agent({ keepAlive: true, maxSockets: 8, rejectUnauthorized: false });
  const started = performance.now();
  const running = new Set();
  for (let sent = 0; !isDone; sent += 1) {
    const agent = sent % 10 === 0 ? new Agent({ rejectUnauthorized: false }) : kept;
    const request = post(port, agent).then(
      () => {
        answered += 1;
      },
      error => {
        failed += 1;
        console.error(error.message);
      },
    );
    running.add(request);
    void request.finally(() => running.delete(request));
    const due = started + ((sent + 1) * 1000) / rate;
    if (due > performance.now()) await pause(due - performance.now());
  }
  await Promise.all(running);
  kept.destroy();
}

function servedTo(port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate().fingerprint256);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

function pairIn(certificates) {
  const [cert, key] = ['tls.crt', 'tls.key'].map(name => readFileSync(path.join(certificates, name)));
  return { cert, key, fingerprint: new X509Certificate(cert).fingerprint256 };
}
