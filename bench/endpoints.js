// Shared by the benchmarks: an endpoint, a call of it, and formatting of results.

import { readUnstructured } from '../dist/src/encoding/unstructured.js';
import { createTransport } from '../dist/src/transport/call-webhook.js';
import { readScript } from '../dist/src/webhook-server/script/read-script.js';
import { startScriptedEndpoint } from '../dist/src/webhook-server/script/scripted-endpoint.js';

/** A certificate for this machine, its key and its CA, as PEM. */
export async function makePair() {
  const { issueServingPair } = await import('../dist/src/certificates/issue.js');
  return issueServingPair({ dns: [], ips: [] }, new Date());
}

/** Starts an endpoint with a JSON script. */
export function play(script, pair) {
  return startScriptedEndpoint(readScript(readUnstructured(script)), { chain: pair.cert, key: pair.key });
}

/** Makes one call as the admission chain does; returns its result and duration in milliseconds. */
export async function callOnce({ port, seconds, ca }) {
  const transport = createTransport();
  const start = performance.now();
  const answer = await transport.callWebhook({
    phase: 'validating',
    configuration: 'bench',
    webhook: 'bench.example.com',
    url: `https://127.0.0.1:${port}/w?timeout=${seconds}s`,
    address: { host: '127.0.0.1', port },
    serverName: '127.0.0.1',
    caBundle: Buffer.from(ca),
    body: '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"bench"}}\n',
    timeoutSeconds: seconds,
    deadlineMs: seconds * 1000,
  });
  const ms = performance.now() - start;
  await transport.close();
  return { ms, outcome: answer.outcome, message: answer.message ?? `${answer.statusCode}` };
}

/** Runs a function repeatedly with limited concurrency. */
export async function times(count, atOnce, work) {
  const results = [];
  let left = count;
  const worker = async () => {
    while (left-- > 0) results.push(await work());
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

export function print(text) {
  process.stdout.write(`${text}\n`);
}
