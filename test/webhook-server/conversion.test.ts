import { describe, expect, it } from 'vitest';
import { answerConversion } from '../../src/webhook-server/answer-conversion.js';
import { converters } from '../../src/webhook-server/handlers/handlers.js';
import { NoReview } from '../../src/webhook-server/read-review.js';

function review(objects: readonly object[], to: string, version = 'v1'): string {
  const request = { uid: 'u', desiredAPIVersion: to, objects };
  return JSON.stringify({ kind: 'ConversionReview', apiVersion: `apiextensions.k8s.io/${version}`, request });
}

function offer(version: string, spec: object | undefined, metadata: object = { name: 'a' }): object {
  return { apiVersion: `demo.webhook-cli.dev/${version}`, kind: 'Offer', metadata, ...(spec === undefined ? {} : { spec }) };
}

function converted(objects: readonly object[], to: string): unknown {
  return JSON.parse(answerConversion(review(objects, `demo.webhook-cli.dev/${to}`), converters.demo)).response;
}

describe('the reference webhook converts offers through their hub', () => {
  const kept = { name: 'a', annotations: { 'demo.webhook-cli.dev/kept': '{"currency":"EUR","discount":10}' } };
  it.each([
    ['v1', { item: 'i', price: { amount: 1205, currency: 'EUR' } }, 'v1beta1', { item: 'i', price: '12.05 EUR' }],
    ['v1beta1', { price: '0.40' }, 'v1', { price: { amount: 40 } }],
    ['v1beta1', { item: 'i' }, 'v1', { item: 'i' }],
    ['v1alpha1', { cents: 5 }, 'v1beta1', { price: '0.05' }],
    ['v1', undefined, 'v1alpha1', undefined],
  ])('%s %j to %s', (from, spec, to, expected) => {
    expect(converted([offer(from, spec)], to)).toEqual({
      uid: 'u',
      convertedObjects: [offer(to, expected)],
      result: { status: 'Success' },
    });
  });

  it('and keeps fields that a version lacks in an annotation', () => {
    const full = offer('v1', { item: 'i', price: { amount: 1, currency: 'EUR' }, discount: 10 });
    const small = offer('v1alpha1', { item: 'i', cents: 1 }, kept);
    expect(converted([full], 'v1alpha1')).toMatchObject({ convertedObjects: [small] });
    expect(converted([small], 'v1')).toMatchObject({ convertedObjects: [full] });
    expect(converted([small], 'v1')).not.toHaveProperty('convertedObjects.0.metadata.annotations');
  });

  it('all of them or none', () => {
    expect(converted([offer('v1', {}), offer('v1beta1', { price: 5 })], 'v1alpha1')).toEqual({
      uid: 'u',
      convertedObjects: [],
      result: { status: 'Failure', message: 'invalid spec.price 5: expected a price such as "12.50 EUR"' },
    });
    expect(converted([offer('v2', {})], 'v1')).toMatchObject({ result: { message: 'unknown kind Offer of demo.webhook-cli.dev/v2' } });
  });
});

it('answers in the version it was asked in', () => {
  const answer = JSON.parse(answerConversion(review([offer('v1', {})], 'x/v9', 'v1beta1'), converters.allow));
  expect(answer).toMatchObject({ apiVersion: 'apiextensions.k8s.io/v1beta1', response: { convertedObjects: [{ apiVersion: 'x/v9' }] } });
  expect(JSON.parse(answerConversion(review([offer('v1', {})], 'x/v9'), converters.deny))).toMatchObject({
    response: { result: { status: 'Failure', message: 'the reference webhook of webhook-cli converts nothing' } },
  });
});

it.each([
  ['{', 'the body is not valid JSON: '],
  ['{"kind":"AdmissionReview"}', 'the body is not of kind ConversionReview'],
  [
    '{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v2"}',
    'ConversionReview of version "apiextensions.k8s.io/v2" is not supported',
  ],
  ['{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1"}', 'the ConversionReview has no request'],
])('does not answer %s', (body, message) => {
  expect(() => answerConversion(body, converters.allow)).toThrow(NoReview);
  expect(() => answerConversion(body, converters.allow)).toThrow(message);
});
