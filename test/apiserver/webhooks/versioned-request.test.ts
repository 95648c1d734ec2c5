import { expect, it } from 'vitest';
import type { Attributes } from '../../../src/apiserver/admission/attributes.js';
import type { AdmissionContext } from '../../../src/apiserver/admission/chain.js';
import { codecFor } from '../../../src/apiserver/call/codec-for.js';
import type { ApiObject } from '../../../src/apiserver/objects/api-object.js';
import { versionedObjects, versionedRequest } from '../../../src/apiserver/webhooks/versioned-request.js';
import { stringAt } from '../../../src/go/value.js';
import type { GroupVersionKind } from '../../../src/kubernetes/group-version.js';
import { mapOf } from '../../support/map-of.js';
import { server } from '../../support/server.js';

const versions = ['v1', 'v2', 'v3'];
const definition = mapOf({
  spec: { group: 'example.com', names: { kind: 'Thing' }, versions: versions.map(name => ({ name, schema: {} })) },
});
const inVersion = (version: string) => ({ group: 'example.com', version, kind: 'Thing' });
const thing = (version: string, more: object = {}): ApiObject => ({
  codec: codecFor(server, inVersion(version), definition),
  value: mapOf({ apiVersion: `example.com/${version}`, kind: 'Thing', ...more }),
});

/** Returns a context that notes conversions: `NAME v1>v2`. */
function noting() {
  const conversions: string[] = [];
  const convert = async ({ value, codec }: ApiObject, kind: GroupVersionKind): Promise<ApiObject> => {
    conversions.push(`${stringAt(value, 'name')} ${codec.kind.version}>${kind.version}`);
    return { codec: codecFor(codec.server, kind, definition), value: new Map(value).set('apiVersion', `example.com/${kind.version}`) };
  };
  const context: Partial<AdmissionContext> = { convert, toRequestVersion: (object, own) => convert(object, own.codec.kind) };
  return { context: context as AdmissionContext, conversions };
}

// The validation of the kind comes after the mutating webhooks.
it.each(['v1', 'v2'])('passes an object of another kind to a webhook of %s as the kind of the endpoint', async version => {
  const object = thing('v1', { kind: 'Other' });
  const attributes = { object, oldObject: undefined } as Partial<Attributes> as Attributes;
  const { object: sent } = await versionedRequest(attributes, noting().context).objectsIn(inVersion(version));
  expect([stringAt(sent?.value, 'apiVersion'), stringAt(sent?.value, 'kind')]).toEqual([`example.com/${version}`, 'Thing']);
  expect(stringAt(object.value, 'kind')).toBe('Other');
});

const request = () =>
  ({ object: thing('v1', { name: 'new' }), oldObject: thing('v1', { name: 'old' }) }) as Partial<Attributes> as Attributes;

it("converts to each webhook's version from the request's own, to which a patched object is converted first", async () => {
  const { context, conversions } = noting();
  const versioned = versionedRequest(request(), context);
  await versioned.objectsIn(inVersion('v2'));
  await versioned.objectsIn(inVersion('v2'));
  versioned.replace(thing('v2', { name: 'patched' }));
  expect(stringAt(versioned.attributes().object?.value, 'name')).toBe('patched');
  await versioned.objectsIn(inVersion('v3'));
  await versioned.finish();
  expect(conversions).toEqual(['old v1>v2', 'new v1>v2', 'old v1>v3', 'patched v2>v1', 'patched v1>v3']);
});

it('converts once for all validating webhooks of a version', async () => {
  const { context, conversions } = noting();
  const objectsIn = versionedObjects(request(), context);
  for (const version of ['v2', 'v3', 'v2', 'v1']) await objectsIn(inVersion(version));
  expect(conversions).toEqual(['old v1>v2', 'new v1>v2', 'old v1>v3', 'new v1>v3']);
});
