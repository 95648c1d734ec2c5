import { expect, it } from 'vitest';
import type { Attributes } from '../../../src/apiserver/admission/attributes.js';
import type { AdmissionContext } from '../../../src/apiserver/admission/chain.js';
import { codecFor } from '../../../src/apiserver/endpoints/codec-for.js';
import type { ApiObject } from '../../../src/apiserver/objects/api-object.js';
import { versionedRequest } from '../../../src/apiserver/webhooks/versioned-request.js';
import { stringAt } from '../../../src/go/value.js';
import type { GroupVersionKind } from '../../../src/kubernetes/group-version.js';
import { mapOf } from '../../support/map-of.js';

const definition = mapOf({
  spec: { group: 'example.com', names: { kind: 'Thing' }, versions: ['v1', 'v2'].map(name => ({ name, schema: {} })) },
});
const inVersion = (version: string) => ({ group: 'example.com', version, kind: 'Thing' });

// The validation of the kind comes after the mutating webhooks.
it.each([
  ['v1', []],
  ['v2', ['Other']],
])('passes an object of another kind to a webhook of %s as the kind of the endpoint', async (version, expected) => {
  const object = { codec: codecFor(inVersion('v1'), definition), value: mapOf({ apiVersion: 'example.com/v1', kind: 'Other' }) };
  const converted: string[] = [];
  const convert = async ({ value }: ApiObject, kind: GroupVersionKind): Promise<ApiObject> => {
    converted.push(stringAt(value, 'kind'));
    return { codec: codecFor(kind, definition), value: new Map(value) };
  };
  const attributes = { object, oldObject: undefined } as Partial<Attributes> as Attributes;
  const versioned = versionedRequest(attributes, { convert } as Partial<AdmissionContext> as AdmissionContext);
  const { object: sent } = await versioned.objectsIn(inVersion(version));
  expect([stringAt(sent?.value, 'apiVersion'), stringAt(sent?.value, 'kind')]).toEqual([`example.com/${version}`, 'Thing']);
  expect(converted).toEqual(expected);
  expect(stringAt(object.value, 'kind')).toBe('Other');
});
