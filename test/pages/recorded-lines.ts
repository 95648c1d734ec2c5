import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import { recordedCase } from '../../src/conformance/recorded-case.js';
import { requestLine } from '../../src/conformance/request-line.js';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import type { Effects } from '../../src/kubernetes/effects.js';
import type { CallWebhook } from '../../src/kubernetes/webhook-call.js';

/** Returns what `request --case` prints for a recorded case in JSON: the reviews, byte for byte, and the answer. The same in Node and in a browser. */
export async function recordedLine(json: string): Promise<string> {
  let uids = 0;
  const uid = (): string => {
    uids += 1;
    return `00000000-0000-4000-8000-${String(uids).padStart(12, '0')}`;
  };
  const effects = (callWebhook: CallWebhook): Effects => ({
    ...{ callWebhook, uid, now: () => new Date('2026-06-01T00:00:00Z'), random: () => 0.5, elapsedMs: () => 0 },
  });
  const value = readUnstructured(json);
  const recorded = recordedCase(value, { servers: apiServers, document: new Map(), definitions: undefined }, uid);
  const { reviews, answer } = await requestLine(recorded, effects);
  const { status, warnings, headers, contentType, body } = answer;
  return JSON.stringify({ reviews, answer: { status, warnings, headers, contentType, body } });
}
