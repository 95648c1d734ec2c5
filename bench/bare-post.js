// node bench/bare-post.js URL CA BODY: one POST over TLS with node:https.
import { readFileSync } from 'node:fs';
import { request } from 'node:https';

const [url, ca, body] = process.argv.slice(2);
const bytes = readFileSync(body);
const headers = { 'content-type': 'application/json', 'content-length': bytes.length };
const call = request(url, { method: 'POST', ca: readFileSync(ca), agent: false, headers }, response => {
  const parts = [];
  response.on('data', part => parts.push(part));
  response.on('end', () => process.stdout.write(`${JSON.parse(Buffer.concat(parts)).response.allowed}\n`));
});
call.end(bytes);
