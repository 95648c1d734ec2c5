import { describe, expect, it } from 'vitest';
import { evaluateResponse, type ReviewAnswer } from '../../../src/apiserver/webhooks/invoke.js';
import { server } from '../../support/server.js';

const uid = '705ab4f5-6393-11e8-b7cc-42010a800002';
const patch = Buffer.from('[{"op":"remove","path":"/a"}]').toString('base64');

function evaluate(
  body: string | Uint8Array,
  change: Partial<Omit<ReviewAnswer, 'response'>> & { status?: number; contentType?: string } = {},
) {
  const { status = 200, contentType = 'application/json', ...rest } = change;
  const response = { status, headers: [['content-type', contentType] as const], body: Buffer.from(body) };
  return evaluateResponse({ server, phase: 'mutating', reviewVersion: 'v1', uid, webhook: 'w.example.com', ...rest, response });
}

function review(response: Readonly<Record<string, unknown>>, version = 'v1'): string {
  return JSON.stringify({
    apiVersion: `admission.k8s.io/${version}`,
    kind: 'AdmissionReview',
    response: { uid, allowed: true, ...response },
  });
}

const verified = {
  outcome: 'verified',
  allowed: true,
  denial: undefined,
  warnings: [],
  auditAnnotations: {},
  patch: undefined,
  patchType: undefined,
};

describe('an answer that is a review', () => {
  it('is verified and taken apart', () => {
    const body = review({ patch, patchType: 'JSONPatch', warnings: ['w'], auditAnnotations: { a: 'b' } });
    const parts = { warnings: ['w'], auditAnnotations: { a: 'b' }, patch: '[{"op":"remove","path":"/a"}]', patchType: 'JSONPatch' };
    expect(evaluate(body)).toEqual({ ...verified, ...parts });
  });

  it.each([
    ['no response', '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}', 'webhook response was absent'],
    ['another uid', review({ uid: 'x' }), `expected response.uid="${uid}", got "x"`],
    [
      'no kind',
      JSON.stringify({ response: { uid, allowed: true } }),
      'expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=',
    ],
    ['a patch without a type', review({ patch }), 'webhook returned response.patch but not response.patchType'],
    ['a type without a patch', review({ patchType: 'JSONPatch' }), 'webhook returned response.patchType but not response.patch'],
    ['an empty type', review({ patch, patchType: '' }), 'webhook returned invalid response.patchType of ""'],
  ])('is refused with %s', (_what, body, message) => {
    expect(evaluate(body)).toEqual({ outcome: 'verifyError', message });
  });

  it('must not have a patch from a validating webhook', () => {
    const message = 'validating webhook may not return response.patch';
    expect(evaluate(review({ patch, patchType: 'JSONPatch' }), { phase: 'validating' })).toEqual({ outcome: 'verifyError', message });
  });

  it('of v1beta1 is not checked, and its patch is a JSON patch for a mutating webhook only', () => {
    const body = review({ uid: 'x', patch, patchType: 'Foo' }, 'v1beta1');
    const parts = { patch: '[{"op":"remove","path":"/a"}]', patchType: 'JSONPatch' };
    expect(evaluate(body, { reviewVersion: 'v1beta1' })).toEqual({ ...verified, ...parts });
    expect(evaluate(body, { reviewVersion: 'v1beta1', phase: 'validating' })).toEqual(verified);
  });

  it('may be YAML', () => {
    const yaml = `apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nresponse:\n  uid: ${uid}\n  allowed: true\n`;
    expect(evaluate(yaml)).toEqual(verified);
  });

  it('may be protobuf', () => {
    const field = (number: number, bytes: Buffer) => Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
    const typeMeta = Buffer.concat([field(1, Buffer.from('admission.k8s.io/v1')), field(2, Buffer.from('AdmissionReview'))]);
    const response = Buffer.concat([field(1, Buffer.from(uid)), Buffer.from([0x10, 1]), field(7, Buffer.from('w'))]);
    const body = Buffer.concat([Buffer.from('k8s\0'), field(1, typeMeta), field(2, field(2, response))]);
    expect(evaluate(body)).toEqual({ ...verified, warnings: ['w'] });
    expect(evaluate(body.subarray(0, -1))).toEqual({ outcome: 'callError', class: 'body', message: 'unexpected EOF', status: undefined });
  });
});

describe('a refusal', () => {
  it.each([
    [undefined, { status: 'Failure', message: 'admission webhook "w.example.com" denied the request without explanation', code: 400 }],
    [
      { code: 403, reason: 'Forbidden' },
      { status: 'Failure', reason: 'Forbidden', message: 'admission webhook "w.example.com" denied the request: Forbidden', code: 403 },
    ],
    [
      { status: 'Odd', message: 'no', code: 200, details: { causes: [{ field: 'f' }] } },
      {
        status: 'Odd',
        message: 'admission webhook "w.example.com" denied the request: no',
        code: 400,
        details: { causes: [{ field: 'f' }] },
      },
    ],
  ])('becomes the Status of a failure: %j', (status, denial) => {
    expect(evaluate(review({ allowed: false, status }))).toEqual({ ...verified, allowed: false, denial });
  });
});

describe('an answer that is not a review', () => {
  it.each([
    ['', {}, '0-length response with status code: 200 and content type: application/json'],
    ['', { status: 204, contentType: 'text/plain' }, '0-length response with status code: 204 and content type: text/plain'],
    ['}', {}, 'yaml: did not find expected node content'],
    ['{"kind":"Status","apiVersion":"v1"}', {}, 'converting (v1.Status) to (v1.AdmissionReview): unknown conversion'],
    [review({}, 'v1beta1'), {}, 'converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion'],
    ['{"kind":"Pod","apiVersion":"v1"}', {}, 'no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"'],
    ['{"apiVersion":"a/b/c"}', {}, 'unexpected GroupVersion string: a/b/c'],
    [review({ allowed: 'yes' }), {}, 'json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool'],
    [review({ patch: 'W10' }), {}, 'illegal base64 data at input byte 0'],
    [review({}), { contentType: 'a/b; c' }, 'Internal error occurred: mime: invalid media parameter'],
    [review({}), { status: 403 }, 'unknown'],
    ['no\n', { status: 500, contentType: 'text/plain' }, 'an error on the server ("no") has prevented the request from succeeding'],
    ['kind: Status\nstatus: Failure\nmessage: from a Status', { status: 503 }, 'from a Status'],
  ])('is a call error: %s %j', (body, change, message) => {
    expect(evaluate(body, change)).toMatchObject({ outcome: 'callError', message });
  });

  it("returns the server's message and the delay", () => {
    const response = { status: 429, headers: [['retry-after', '7'] as const], body: Buffer.from('later') };
    expect(evaluateResponse({ server, phase: 'validating', reviewVersion: 'v1', uid, webhook: 'w', response })).toMatchObject({
      status: { details: { retryAfterSeconds: 7, causes: [{ reason: 'UnexpectedServerResponse', message: 'later' }] }, code: 429 },
    });
  });
});
