import type { Report } from '../../../src/apiserver/report/report.js';
import { isMap, toValue, type ValueMap } from '../../../src/go/value.js';
import { reportScript } from '../../../src/pages/page-files.js';
import { paletteOf } from '../../../src/reports/palette.js';
import type { ReporterOptions } from '../../../src/reports/suites/suite-reporter.js';
import type { CaseCall, CaseResult, SuiteResult, TestFailure, TestRun } from '../../../src/suites/results.js';

/** No colors; file paths are unchanged. */
export const plain: ReporterOptions = {
  palette: paletteOf(0),
  toolVersion: '0.1.0',
  environment: 'Node v22.0.0 on linux x64',
  pageScript: reportScript,
  fileInRepository: file => file,
};

export const diff = '--- stored\n+++ produced\n@@ -1,2 +1,2 @@\n kind: Pod\n-replicas: 1\n+replicas: 2\n';

export const snapshotFailure: TestFailure = {
  check: 'snapshot',
  message: 'object.spec.replicas differs: 1 was stored, 2 came',
  diff,
  place: { file: 'suites/pods.webhook-test.yaml', line: 9, column: 5 },
};

export const messageFailure: TestFailure = {
  check: 'message',
  message: 'the message differs',
  expected: 'no "privileged" pods\nat all',
  actual: 'go away',
};

export function passed(name: string, extra: Partial<CaseResult> = {}): CaseResult {
  return {
    name,
    place: { file: 'suites/pods.webhook-test.yaml', line: 4, column: 3 },
    outcome: 'passed',
    flaky: false,
    attempts: 1,
    durationMs: 3.3,
    failures: [],
    snapshot: undefined,
    calls: [],
    notes: [],
    ...extra,
  };
}

export function failed(name: string, failures: readonly TestFailure[] = [messageFailure], extra: Partial<CaseResult> = {}): CaseResult {
  return passed(name, { outcome: 'failed', failures, ...extra });
}

export const skipped = (name: string): CaseResult => passed(name, { outcome: 'skipped', attempts: 0, durationMs: 0 });

export function suiteOf(cases: readonly CaseResult[], extra: Partial<SuiteResult> = {}): SuiteResult {
  return { name: 'pods', file: 'suites/pods.webhook-test.yaml', cases, durationMs: 1234.5, ...extra };
}

export function runOf(suites: readonly SuiteResult[], extra: Partial<TestRun> = {}): TestRun {
  return { suites, complete: true, startedAt: '2026-11-21T00:00:00Z', durationMs: 4200, obsolete: [], notes: [], ...extra };
}

const pod: ValueMap = mapOf({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'web', uid: 'u' },
  spec: { priority: 9007199254740993n, half: 0.5, one: 1 },
});

const report: Report = {
  kubernetesVersion: 'v1.36',
  call: { method: 'POST', path: '/api/v1/namespaces/shop/pods', user: { username: 'jane' } },
  webhooks: [
    {
      phase: 'mutating',
      round: 1,
      configuration: 'm',
      webhook: 'm.example.com',
      attributes: {
        operation: 'CREATE',
        kind: { group: '', version: 'v1', kind: 'Pod' },
        resource: { group: '', version: 'v1', resource: 'pods' },
        subResource: '',
        name: 'web',
        namespace: 'shop',
        dryRun: false,
      },
      outcome: 'allowed',
      skipReason: undefined,
      sent: { kind: { group: '', version: 'v1', kind: 'Pod' }, resource: { group: '', version: 'v1', resource: 'pods' }, subResource: '' },
      warnings: ['careful'],
      auditAnnotations: { 'm.example.com/seen': 'yes' },
      patch: [toValue({ op: 'add', path: '/metadata/labels', value: { a: '<b>' } })],
      change: {
        before: '{"kind":"Pod","metadata":{"name":"web"}}',
        patched: '{"kind":"Pod","metadata":{"labels":{"a":"<b>"},"name":"web"}}',
        after: '{"kind":"Pod","metadata":{"labels":{"a":"<b>"},"name":"web"},"spec":{"restartPolicy":"Always"}}',
      },
      droppedFields: ['spec.foo'],
      status: { status: 'Failure', code: 403, metadata: { remainingItemCount: 3n }, details: { causes: [{ reason: 'r', field: 'f' }] } },
      failure: { class: 'time', message: 'm', fault: 'webhook', why: 'w', try: '' },
      failurePolicy: 'Ignore',
      durationMs: 2.3,
      requestBody: '{"kind":"AdmissionReview"}',
    },
    {
      phase: 'validating',
      round: 2,
      configuration: 'v',
      webhook: 'v.example.com',
      attributes: {
        operation: 'CREATE',
        kind: { group: '', version: 'v1', kind: 'Pod' },
        resource: { group: '', version: 'v1', resource: 'pods' },
        subResource: '',
        name: 'web',
        namespace: 'shop',
        dryRun: true,
      },
      outcome: 'skipped',
      skipReason: { predicate: 'rules', detail: 'no rule matches' },
      sent: undefined,
      warnings: [],
      auditAnnotations: {},
      patch: [],
      change: undefined,
      status: undefined,
      failure: undefined,
      failurePolicy: 'Fail',
      durationMs: undefined,
      requestBody: undefined,
    },
  ],
  answer: { status: 201, warnings: ['careful'], headers: { 'Retry-After': '1' }, body: '{"kind":"Pod"}' },
  decision: { allowed: true, code: 201, status: undefined, warnings: ['careful'], auditAnnotations: { a: 'b' }, object: pod },
  notes: ['namespace shop is taken to exist'],
};

const webhookCall: CaseCall['exchanges'][number]['call'] = {
  phase: 'mutating',
  configuration: 'm',
  webhook: 'm.example.com',
  url: 'https://127.0.0.1:8443/mutate?timeout=10s',
  address: { host: '127.0.0.1', port: 8443 },
  serverName: '127.0.0.1',
  caBundle: undefined,
  timeoutSeconds: 10,
  deadlineMs: 10_000,
  apiVersion: 'admission.k8s.io/v1',
  uid: '</script><img src=x onerror=alert(1)>',
  body: '{"kind":"AdmissionReview","request":{"uid":"</script><img src=x onerror=alert(1)>"}}',
};

/** A call with all optional parts: numbers beyond a double's precision, a binary answer, network failures. */
export const call: CaseCall = {
  report,
  kubectl: ['Warning: careful', 'pod/web created'],
  exchanges: [
    {
      call: webhookCall,
      answer: {
        outcome: 'answered',
        statusCode: 200,
        headers: [['content-type', 'application/json']],
        body: new TextEncoder().encode('{"response":{"allowed":true}}'),
        durationMs: 2.3,
        auditAnnotations: { k: 'v' },
      },
    },
    { call: webhookCall, answer: { outcome: 'answered', statusCode: 200, headers: [], body: Uint8Array.of(0xff, 0, 1), durationMs: 1 } },
    { call: webhookCall, answer: { outcome: 'failed', class: 'tcp', message: 'connection refused', durationMs: 0.5 } },
    {
      call: { ...webhookCall, caBundle: Uint8Array.of(0x50, 0xff) },
      answer: { outcome: 'noClient', message: 'unable to load root certificates' },
    },
  ],
};

/** A run with every kind of result. */
export const eventfulRun: TestRun = runOf(
  [
    suiteOf([
      passed('plain', { calls: [call], snapshot: { state: 'matched', file: 'suites/__snapshots__/plain.yaml', written: false } }),
      failed('sidecar', [snapshotFailure, messageFailure], {
        calls: [call],
        snapshot: { state: 'mismatched', file: 'suites/__snapshots__/sidecar.yaml', written: false, diff },
      }),
      passed('shaky', { flaky: true, attempts: 2, failures: [messageFailure] }),
      passed('first of its kind', {
        snapshot: { state: 'new', file: 'suites/__snapshots__/first.yaml', written: true, diff: '+kind: Pod\n' },
      }),
      failed('no answer', [{ check: 'call', message: 'connection refused' }], { outcome: 'broken', notes: ['tried 3 times'] }),
      skipped('later'),
      failed('evil \u001b[31m <b>&"\'\u0000\ud800 \u2028::error::%0A\r\n]]>', [
        { check: 'message', message: 'a\u0007b\nc', expected: '%,:', actual: '</failure>' },
      ]),
    ]),
    suiteOf([], {
      name: 'suites/jobs.webhook-test.yaml',
      file: 'suites/jobs.webhook-test.yaml',
      error: { check: 'exec', message: 'it never came up' },
    }),
  ],
  {
    complete: false,
    check: true,
    shard: { index: 1, count: 2 },
    seed: 7,
    obsolete: [
      { file: 'suites/__snapshots__/gone.yaml', removed: false },
      { file: 'suites/__snapshots__/old.yaml', removed: true },
    ],
    notes: ['the clock stood still'],
  },
);

function mapOf(data: object): ValueMap {
  const value = toValue(data);
  if (!isMap(value)) throw new Error('no object');
  return value;
}
