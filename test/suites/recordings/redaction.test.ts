import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFieldPath } from '../../../src/client/field-path.js';
import { readUnstructuredObject } from '../../../src/encoding/unstructured-object.js';
import { yamlToJson } from '../../../src/encoding/yaml.js';
import { isRecording, type Recording, readRecording, writeRecording } from '../../../src/suites/recording.js';
import { describeRecording, recordingFileName } from '../../../src/suites/recordings/describe-recording.js';
import { redactRecording } from '../../../src/suites/recordings/redact-recording.js';

interface Parts {
  readonly object: object;
  readonly kind?: string;
  readonly response?: object;
  readonly answer?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly uid?: string;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function recordingOf({ object, kind = 'Secret', response = { allowed: true }, answer, headers = [], uid = 'u-1' }: Parts): Recording {
  const request = {
    uid,
    kind: { group: '', version: 'v1', kind },
    name: 'db',
    namespace: 'default',
    operation: 'CREATE',
    object,
    oldObject: null,
  };
  const body = JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request });
  return {
    request: { path: '/validate?timeout=10s', headers, body: `${body}\n` },
    answer: {
      status: 200,
      headers: [['Content-Type', 'application/json']],
      body: answer ?? JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, ...response } }),
    },
    at: '2026-11-22T08:00:00.000Z',
    durationMs: 3.14,
  };
}

const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'db', namespace: 'default' },
  data: { password: base64('hunter2-hunter2') },
};

/** What reaches the disk, with patches decoded. */
function written(recording: Recording, paths: readonly string[] = []): string {
  const parsed = paths.map(path => parseFieldPath(path)).map(path => ('error' in path ? [] : path));
  const text = writeRecording(redactRecording(recording, parsed));
  return text + [...text.matchAll(/"patch":"([^"]*)"/g)].map(([, patch]) => Buffer.from(patch ?? '', 'base64').toString()).join('\n');
}

function expectClean(text: string): void {
  expect(text).not.toContain('hunter2');
  expect(text).not.toContain(base64('hunter2-hunter2'));
}

const applied = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(secret) };
const patch = (...operations: object[]): object => ({ allowed: true, patchType: 'JSONPatch', patch: base64(JSON.stringify(operations)) });

describe('secrets in recordings', () => {
  it.each<[string, Parts]>([
    ['the data of a Secret', { object: secret }],
    ['its stringData', { object: { ...secret, data: {}, stringData: { a: 'hunter2-hunter2' } } }],
    ['a Secret that does not say its kind', { object: { metadata: {}, data: secret.data } }],
    ['the last applied configuration', { object: { ...secret, data: {}, metadata: { name: 'db', annotations: applied } } }],
    ['an environment variable', { kind: 'Pod', object: { spec: { containers: [{ env: [{ name: 'DB_PASSWORD', value: 'hunter2' }] }] } } }],
    ['a token', { kind: 'TokenReview', object: { spec: { token: 'hunter2' } } }],
    [
      'a header',
      {
        object: {},
        headers: [
          ['authorization', 'Bearer hunter2'],
          ['Cookie', 'hunter2'],
          ['X-Auth-Token', 'hunter2'],
        ],
      },
    ],
    [
      'credentials in a warning',
      { object: {}, kind: 'Pod', headers: [['authorization', 'Bearer hunter2-hunter2']], response: { warnings: ['got hunter2-hunter2'] } },
    ],
    ['a message about the data', { object: secret, response: { allowed: false, status: { message: 'hunter2-hunter2 is too short' } } }],
    ['a message about base64 of it', { object: secret, response: { warnings: [`see ${base64('hunter2-hunter2')}`] } }],
    ['an audit annotation', { object: secret, response: { allowed: true, auditAnnotations: { seen: 'p=hunter2-hunter2' } } }],
    ['an annotation of the same object', { object: { ...secret, metadata: { annotations: { old: 'was hunter2-hunter2.' } } } }],
    ['a header with the data', { object: secret, headers: [['x-debug', 'a hunter2-hunter2 b']] }],
    ['a patch of the data', { object: secret, response: patch({ op: 'add', path: '/data/x', value: base64('hunter2') }) }],
    [
      'a patch with the data elsewhere',
      { object: secret, response: patch({ op: 'add', path: '/metadata/labels/x', value: 'hunter2-hunter2' }) },
    ],
    [
      'a patch of the last applied configuration',
      {
        object: {},
        response: patch({
          op: 'add',
          path: '/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration',
          value: JSON.stringify(secret),
        }),
      },
    ],
    ['a patch that is not JSON', { object: {}, response: { allowed: true, patch: base64('hunter2') } }],
    ['an answer that is not JSON, about a Secret', { object: {}, answer: '{"data": "hunter2"' }],
    ['an answer that is text', { object: secret, kind: 'Pod', answer: 'panic: hunter2-hunter2' }],
  ])('redacts %s', (_, parts) => {
    const text = written(recordingOf(parts));
    expectClean(text);
    expect(text).toMatch(/redacted sha256:[0-9a-f]{8}/);
  });

  it('are redacted at the given paths, also in patches, responses and the review itself', () => {
    const object = { spec: { containers: [{ args: ['--key=hunter2-hunter2'] }] } };
    const response = {
      ...patch({ op: 'replace', path: '/spec/containers/0/args', value: ['hunter2'] }),
      warnings: ['saw --key=hunter2-hunter2'],
    };
    expectClean(written(recordingOf({ kind: 'Pod', object, response }), ['spec.containers[*].args[*]']));
    expect(written(recordingOf({ kind: 'Pod', object: {} }), ['request.name'])).not.toContain('"db"');
  });

  it('are redacted in the objects of conversions', () => {
    const review = {
      kind: 'ConversionReview',
      request: { uid: 'c', objects: [{ ...secret }, { kind: 'Widget', spec: { pin: 'hunter2' } }] },
    };
    const answer = { response: { uid: 'c', convertedObjects: [{ kind: 'Widget', spec: { pin: 'hunter2' } }] } };
    const recording = recordingOf({ object: {} });
    expectClean(
      written(
        {
          ...recording,
          request: { ...recording.request, body: JSON.stringify(review) },
          answer: { ...recording.answer, body: JSON.stringify(answer) },
        },
        ['spec.pin'],
      ),
    );
  });

  it('leave names alone, and what has no secrets unchanged to the byte', () => {
    const token = { ...secret, type: 'kubernetes.io/service-account-token', data: { namespace: base64('default') } };
    expect(written(recordingOf({ object: token }))).toContain('"namespace":"default"');
    const plain = recordingOf({ kind: 'Pod', object: { a: [1.5, '<b>', ' '] }, answer: '{ "response": {"allowed": true} }\n' });
    expect(redactRecording(plain, [])).toEqual(plain);
  });
});

describe('a recording', () => {
  const text = fc.string({ unit: 'binary' });

  it('is read as it was written', () => {
    const headers = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[A-Za-z-]+$/), text), { selector: ([name]) => name });
    const any = fc.record({
      request: fc.record({ path: fc.stringMatching(/^\/[a-z]*$/), headers, body: text }),
      answer: fc.record({ status: fc.integer({ min: 100, max: 599 }), headers, body: text }),
      at: fc.constant('2026-11-22T08:00:00.000Z'),
      durationMs: fc.constantFrom(0, 1.5, 12),
    });
    fc.assert(
      fc.property(any, recording => {
        const object = readUnstructuredObject(yamlToJson(writeRecording(recording)));
        expect(isRecording(object)).toBe(true);
        const sorted = (fields: Recording['request']['headers']) => [...fields].sort(([a], [b]) => (a < b ? -1 : 1));
        const read = readRecording(object);
        if ('error' in read) throw new Error(read.error);
        expect({
          ...read,
          request: { ...read.request, headers: sorted(read.request.headers) },
          answer: { ...read.answer, headers: sorted(read.answer.headers) },
        }).toEqual({
          ...recording,
          request: { ...recording.request, headers: sorted(recording.request.headers) },
          answer: { ...recording.answer, headers: sorted(recording.answer.headers) },
        });
      }),
      { numRuns: 200 },
    );
  });

  it('is equal to another of the same call, and has a name that tells it', () => {
    const [one, again] = ['u-1', 'u-2'].map(uid =>
      recordingOf({ kind: 'Pod', uid, object: { metadata: { name: 'a', uid, resourceVersion: uid, managedFields: [{ time: uid }] } } }),
    );
    const other = recordingOf({ kind: 'Pod', object: { metadata: { name: 'b' } } });
    if (one === undefined || again === undefined) throw new Error('two recordings');
    expect(describeRecording(one).key).toBe(describeRecording(again).key);
    expect(describeRecording(one).key).not.toBe(describeRecording(other).key);
    expect(recordingFileName(describeRecording(one))).toMatch(/^create-pod-default-db-validating-[0-9a-f]{12}\.yaml$/);
  });

  it.each([
    ['/mutate-apps-v1-deployment?timeout=10s', { allowed: true }, 'mutating'],
    ['/validate-apps-v1-deployment?timeout=10s', { allowed: true }, 'validating'],
    ['/hooks', { allowed: true }, undefined],
    ['/mutate-and-validate', { allowed: true }, undefined],
    ['/hooks', patch({ op: 'add', path: '/a', value: 1 }), 'mutating'],
  ])('tells the phase of %s with the answer %j', (target, response, phase) => {
    const recording = recordingOf({ object: {}, response });
    expect(describeRecording({ ...recording, request: { ...recording.request, path: target } }).phase).toBe(phase);
  });

  it.each([
    [{ allowed: true }, 'allowed'],
    [patch({ op: 'add', path: '/a', value: 1 }), 'allowed, patched'],
    [{ allowed: false }, 'denied (400)'],
    [{ allowed: false, status: { code: 422 } }, 'denied (422)'],
  ])('tells the outcome of %j', (response, expected) => {
    expect(describeRecording(recordingOf({ object: {}, response })).outcome).toBe(expected);
  });
});
