import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectionFaults } from './faults/connections.js';
import type { Fault } from './faults/fault.js';
import { httpFaults } from './faults/http.js';
import { patchFaults } from './faults/patches.js';
import { type Outcome, outcomesOf } from './faults/play.js';
import { bodyFaults, reviewFaults } from './faults/review.js';
import { tlsFaults } from './faults/tls.js';

const exitCodes = { allowed: 0, denied: 1, refused: 1, dns: 4, tcp: 4, tls: 4, http: 4, time: 4, body: 5, review: 5, patch: 5, limit: 5 };
const groups = {
  connections: connectionFaults,
  TLS: tlsFaults,
  HTTP: httpFaults,
  bodies: bodyFaults,
  reviews: reviewFaults,
  patches: patchFaults,
};
const all: readonly Fault[] = Object.values(groups).flat();

let outcomes: ReadonlyMap<Fault, Outcome>;
beforeAll(async () => {
  // The environment's proxy must be ignored: nothing listens at this address.
  vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:1');
  outcomes = await outcomesOf(all);
}, 60_000);

afterAll(() => vi.unstubAllEnvs());

describe('each fault of a webhook gives its class, message and exit code', () => {
  describe.each(Object.entries(groups))('%s', (_, faults) => {
    it.each(faults.map(fault => [`${fault.name}: ${fault.message || fault.decision}`, fault] as const))('%s', (_title, fault) => {
      const { decision, message } = fault;
      expect(outcomes.get(fault)).toEqual({ decision, message, exitCode: exitCodes[decision] });
    });
  });
});
