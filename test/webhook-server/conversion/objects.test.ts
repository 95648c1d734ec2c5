import { expect, it } from 'vitest';
import { conversion } from '../../../src/webhook-server/conversion/conversion.js';
import { hub } from '../../../src/webhook-server/conversion/kinds.js';

const kept = (object: object): object => object;
const widget = hub({ group: 'example.com', kind: 'Widget', version: 'v2', spokes: { v1: { convertTo: kept, convertFrom: kept } } });
const type = { apiVersion: 'example.com/v1', kind: 'Widget' };

/** The converted object, or the error's message. Expected values are those of controller-runtime v0.24.1 with the same types. */
async function converted(object: object): Promise<unknown> {
  const request = { uid: 'u', desiredAPIVersion: 'example.com/v2', objects: [object] };
  const review = JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request });
  const { body } = await conversion(widget).answer(Buffer.from(review));
  const { convertedObjects, result } = JSON.parse(body).response;
  return result.message ?? convertedObjects[0];
}

it.each([
  ['x', 'json: cannot unmarshal string into Go struct field Widget.metadata of type v1.ObjectMeta'],
  [{ name: 5 }, 'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string'],
  [{ labels: { a: [] } }, 'json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type string'],
  [
    { ownerReferences: [{ uid: {} }] },
    'json: cannot unmarshal object into Go struct field OwnerReference.metadata.ownerReferences.uid of type types.UID',
  ],
  [
    { creationTimestamp: '2026-01-02T03,04:05Z' },
    'parsing time "2026-01-02T03,04:05Z" as "2006-01-02T15:04:05Z07:00": cannot parse ",04:05Z" as ":"',
  ],
])('rejects metadata %j', async (metadata, message) => {
  expect(await converted({ ...type, metadata })).toBe(message);
});

it('drops unknown fields of metadata only', async () => {
  const sent = { ...type, metadata: { name: 'a', Labels: { a: 'b' }, x: 1 }, spec: { x: 1 }, unknown: [1] };
  expect(await converted(sent)).toEqual({ ...sent, apiVersion: 'example.com/v2', metadata: { name: 'a' } });
});

it.each([[{}], [{ metadata: null }]])('converts an object with %j', async metadata => {
  expect(await converted({ ...type, ...metadata })).toEqual({ ...type, apiVersion: 'example.com/v2' });
});

it('rejects an object whose type is spelled in another case', async () => {
  const message = 'src *v1.Widget and dst *v2.Widget does not belong to same API Group';
  expect(await converted({ apiVersion: 'example.com/v1', KIND: 'Widget' })).toBe(message);
});
