import { describe, expect, it } from 'vitest';
import { isMap, toValue } from '../../src/go/value.js';
import { jsonReport } from '../../src/reports/suites/json.js';
import { callWithoutSecrets, caseWithoutSecrets } from '../../src/suites/case-without-secrets.js';
import type { CaseCall, CaseConversion, CaseResult } from '../../src/suites/results.js';
import { call, eventfulRun, failed, passed, runOf, suiteOf } from '../reports/suites/example-run.js';

const token = `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.c`;
const key = '-----BEGIN PRIVATE KEY-----\nMIIcanary\n-----END PRIVATE KEY-----';
const secret = { kind: 'Secret', apiVersion: 'v1', metadata: { name: 's' }, data: { password: 'Y2FuYXJ5MQ==', file: 'canary2' } };
const applied = { ...secret, data: { file: 'canary3' } };
const configMap = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(applied) } },
  data: { note: `Bearer canary4canary4` },
};
const patch = [{ op: 'add', path: '/data/file', value: 'canary5' }];
const answer = { response: { allowed: true, patch: Buffer.from(JSON.stringify(patch)).toString('base64'), patchType: 'JSONPatch' } };

/** A call about a Secret, with secrets in every possible place. */
function secretCall(): CaseCall {
  const [entry] = call.report.webhooks;
  const [exchange] = call.exchanges;
  const object = toValue(secret);
  if (entry === undefined || exchange === undefined || !isMap(object)) throw new Error('the example has no call');
  const attributes = { ...entry.attributes, kind: { group: '', version: 'v1', kind: 'Secret' } };
  const body = JSON.stringify({ request: { kind: attributes.kind, object: secret, oldObject: configMap } });
  const noted = JSON.stringify({ configuration: 'm', webhook: 'm', patch, patchType: 'JSONPatch' });
  const headers = [
    ['set-cookie', 'session=canary6'],
    ['x-echo', `Basic canary7canary7`],
  ] as const;
  return {
    ...call,
    report: {
      ...call.report,
      webhooks: [
        {
          ...entry,
          attributes,
          patch: patch.map(toValue),
          change: { before: JSON.stringify(secret), after: JSON.stringify(applied) },
          status: { status: 'Failure', message: `no ${token}` },
          failure: { class: 'http', message: key, fault: 'webhook', why: '', try: '' },
          requestBody: body,
          warnings: [token],
          auditAnnotations: { said: token },
        },
      ],
      answer: { ...call.report.answer, warnings: [token], body: JSON.stringify(secret) },
      decision: {
        ...call.report.decision,
        object,
        status: undefined,
        warnings: [token],
        auditAnnotations: { 'patch.webhook.admission.k8s.io/round_0_index_0': noted },
      },
    },
    kubectl: [`Warning: ${token}`],
    exchanges: [
      {
        call: { ...exchange.call, body },
        answer: { outcome: 'answered', statusCode: 200, headers, body: new TextEncoder().encode(JSON.stringify(answer)), durationMs: 1 },
      },
      { call: exchange.call, answer: { outcome: 'failed', class: 'tcp', message: token, durationMs: 1 } },
    ],
    findings: [{ check: 'idempotent', webhook: 'm', message: token }],
  };
}

function textOf(result: CaseResult): string {
  const text = jsonReport(runOf([suiteOf([result])]));
  return `${text}${[...text.matchAll(/"patch\\?":\\?"([A-Za-z0-9+/=]{20,})/g)].map(([, base64 = '']) => Buffer.from(base64, 'base64').toString()).join('')}`;
}

/** A conversion case, with secrets in every possible place. */
function secretConversion(): CaseConversion {
  const [exchange] = call.exchanges;
  const [stored, converted] = [{ spec: { password: 'canary1' } }, { spec: { note: 'Bearer canary4canary4' } }].map(toValue);
  if (exchange === undefined || !isMap(stored) || !isMap(converted)) throw new Error('the example has no call');
  const made = { object: 'Lamp a', from: 'v1', to: 'v2', stored };
  const body = JSON.stringify({ request: { objects: [{ spec: { password: 'canary1' } }] } });
  const [before, after, long] = ['"canary2"', '{"token":"canary3"}', '["canary5", {"apiKey": "canary6...'];
  return {
    conversions: [
      { ...made, outcome: 'converted', calledWebhook: true, converted },
      { ...made, outcome: 'failed', message: `no ${token}` },
    ],
    findings: [
      {
        ...{ check: 'round-trip', object: 'Lamp a', versions: ['v1', 'v2', 'v1'], message: token, failureClass: undefined },
        ...{ before: stored, after: converted },
        fields: [
          { field: 'spec.password', outcome: 'lost', before, after: null },
          { field: 'spec.login', outcome: 'added', before: null, after },
          { field: 'spec.logins', outcome: 'changed', before: long, after: '"plain"' },
        ],
      },
    ],
    notes: [],
    exchanges: [{ call: { ...exchange.call, body }, answer: { outcome: 'failed', class: 'tcp', message: token, durationMs: 1 } }],
  };
}

describe('case results in reports', () => {
  it('contain no secrets in any place', () => {
    const failure = { check: 'message', message: key, expected: token, actual: token, diff: `+${key}` };
    const result = failed('a', [failure], { calls: [secretCall()], notes: [token] });
    const canaries = /canary\d?|Y2FuYXJ5MQ|eyJaaa/;
    expect(textOf(result)).toMatch(canaries);
    const clean = textOf(caseWithoutSecrets(result));
    expect(clean.match(canaries)).toBeNull();
    expect(clean.match(/redacted sha256:[0-9a-f]{8}/g)?.length).toBeGreaterThan(20);
  });

  it('contain no secrets of converted objects, but keep other findings', () => {
    const result = passed('a', { conversion: secretConversion() });
    const canaries = /canary\d?|eyJaaa/;
    expect(textOf(result)).toMatch(canaries);
    const clean = textOf(caseWithoutSecrets(result));
    expect(clean.match(canaries)).toBeNull();
    expect(clean).toContain('"after":"\\"plain\\""');
  });

  it('are unchanged, to the byte, without secrets', () => {
    const cases = eventfulRun.suites[0]?.cases ?? [];
    expect(cases).not.toEqual([]);
    expect(cases.map(each => caseWithoutSecrets(each))).toEqual(cases);
  });

  it('contain no token that kubectl prints for an allowed call', () => {
    const { report } = call;
    const quiet = { ...report, decision: { ...report.decision, allowed: true, warnings: [] } };
    const kubectl = [token, 'pod/web created (server dry run)'];
    const clean = callWithoutSecrets({ ...call, report: quiet, kubectl }, '').kubectl;
    expect(clean).toEqual([expect.stringMatching(/^<redacted /), 'pod/web created (server dry run)']);
  });

  it('contain no secrets of the object before and after each step', () => {
    const step = { phase: 'request', name: '', round: 1, startMs: 0, durationMs: 1 } as const;
    const [first, second] = [secret, applied].map(object => JSON.stringify(object));
    const steps = [
      { ...step, kind: 'decode', after: first },
      { ...step, kind: 'defaults', before: first, after: second },
      { ...step, kind: 'storage', before: second },
    ] as const;
    const { timing } = callWithoutSecrets({ ...call, report: { ...call.report, timing: { steps, durationMs: 1 } } }, '').report;
    const [decode, defaults, storage] = timing?.steps ?? [];
    expect(JSON.stringify(timing)).not.toMatch(/canary|Y2FuYXJ5/);
    expect([defaults?.before, storage?.before]).toEqual([decode?.after, defaults?.after]);
    expect(defaults?.after).not.toBe(decode?.after);
  });

  it('are unchanged by a second redaction', () => {
    const once = caseWithoutSecrets(passed('a', { calls: [secretCall()] }));
    expect(caseWithoutSecrets(once)).toEqual(once);
  });
});
