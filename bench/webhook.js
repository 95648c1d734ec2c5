#!/usr/bin/env node
// A minimal webhook in Node: `node bench/webhook.js CA_FILE [WORK_MS]` allows every review after WORK_MS milliseconds, like a webhook that looks
// something up. Writes the CA of its certificate to CA_FILE, and its address to stdout.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { setTimeout } from 'node:timers/promises';
import { generate } from 'selfsigned';

const [caFile, work = '0'] = process.argv.slice(2);
const { cert, private: key } = await generate([{ name: 'commonName', value: 'bench' }], {
  algorithm: 'sha256',
  keyType: 'ec',
  extensions: [
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
  ],
});
writeFileSync(caFile, cert);
const server = createServer({ cert, key }, async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const review = JSON.parse(Buffer.concat(parts));
  if (work !== '0') await setTimeout(Number(work));
  const body = JSON.stringify({ apiVersion: review.apiVersion, kind: review.kind, response: { uid: review.request.uid, allowed: true } });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
});
await once(server.listen(0, '127.0.0.1'), 'listening');
console.log(`https://127.0.0.1:${server.address().port}/validate`);
