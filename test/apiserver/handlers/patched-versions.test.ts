import { expect, it } from 'vitest';
import { thingsDefinition, thingsVersion } from '../../support/things.js';
import { answerIn, messageOf } from './call-in-state.js';

const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const definition = thingsDefinition(['v1', 'v2'].map(name => thingsVersion(schema, { subresources: { status: {} } }, name)));
const entry = { apiVersion: 'example.com/v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': {} }, manager: 'm', operation: 'Update' };
const metadata = { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '1', managedFields: [entry] };
const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec: {} };

/** Returns the answer to a merge patch of the custom resource. */
function patched(patch: object, subresource = '') {
  return answerIn([definition, thing], {
    method: 'PATCH',
    path: `/apis/example.com/v1/namespaces/n/things/a${subresource}`,
    contentType: 'application/merge-patch+json',
    body: Buffer.from(JSON.stringify(patch)),
  });
}

it.each([
  ['', { apiVersion: null }, "Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'"],
  [
    '/status',
    { apiVersion: 'example.com/' },
    "Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'",
  ],
  ['', { apiVersion: '/v1' }, 'Thing "a" is invalid: apiVersion: Invalid value: "v1": must be example.com/v1'],
])('refuses a patch of a custom resource%s to %j', async (subresource, patch, message) => {
  expect(messageOf(await patched(patch, subresource))).toBe(message);
});

it.each([
  ['example.com/v1', 2],
  ['example.com/v2', 2],
  ['example.com/v3', 0],
  ['other.example.com/v1', 0],
])('keeps the owners of a status that a patch names %s only if it can be converted', async (apiVersion, owners) => {
  const { body } = await patched({ apiVersion, status: { x: 1 } }, '/status');
  expect(JSON.parse(body).metadata.managedFields ?? []).toHaveLength(owners);
});
