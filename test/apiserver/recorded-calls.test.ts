import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import { isMap } from '../../src/go/value.js';
import { flagValues, serverOptions } from '../../src/kubernetes/server-options.js';
import { project } from '../differential/calls/play.js';
import type { RecordedCalls } from '../differential/calls/recorded-calls.js';
import { told } from '../differential/calls/told.js';
import { serverWith } from '../support/server.js';

const folder = path.join(import.meta.dirname, '../../fixtures/calls');
const allows = { callWebhook: () => Promise.reject(new Error('no webhook is registered')) };

/** Recorded by test/differential/calls/record.ts. */
describe.each(readdirSync(folder))('%s', file => {
  const { started, flags, calls } = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as RecordedCalls;
  const named = calls.map((recorded, i) => [i, recorded.call.method, recorded.call.path, recorded] as const);

  it.each(named)('equals the recording of call %i, %s %s', async (_i, _method, _path, { objects, call, expected }) => {
    const stored = objects.map(object => readUnstructured(JSON.stringify(object))).filter(isMap);
    const outcome = await project(
      call,
      { objects: stored, server: serverWith(flags), presumesNamespaces: false, options: serverOptions(flagValues(flags)) },
      allows,
    );
    expect(told(outcome, [], JSON.stringify([call, objects]), started)).toBe(expected);
  });
});
