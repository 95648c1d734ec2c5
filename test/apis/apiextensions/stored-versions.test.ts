import { describe, expect, it } from 'vitest';
import { thingsDefinition, thingsVersion } from '../../support/things.js';
import { write } from '../../support/written-object.js';

const stored = {
  ...thingsDefinition([version('v1', true)]),
  metadata: { name: 'things.example.com', uid: 'u', resourceVersion: '7', generation: 1 },
  status: { storedVersions: ['v1'] },
};

function version(name: string, storage: boolean): object {
  return { ...thingsVersion({ type: 'object' }, {}, name), storage };
}

function withVersions(versions: readonly object[]) {
  return write({
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com',
    object: { spec: { versions } },
    patchType: 'application/merge-patch+json',
    stored,
  });
}

describe('the stored versions of a definition', () => {
  it('get a new storage version', async () => {
    const { body } = await withVersions([version('v1', false), version('v2', true)]);
    expect(body.status.storedVersions).toEqual(['v1', 'v2']);
  });

  it('keep the old one', async () => {
    const { message } = await withVersions([version('v2', true)]);
    expect(message).toContain('is invalid: status.storedVersions[0]: Invalid value: "v1": missing from spec.versions');
  });
});
