import { describe, expect, it } from 'vitest';
import { objectMetaErrors } from '../../../../src/apiserver/registry/object-meta.js';
import { isMap, toValue } from '../../../../src/go/value.js';
import { builtInResources } from '../../../../src/kubernetes/resource-table.js';
import { server } from '../../../support/server.js';

const pods = builtInResources(server, 'default').resources.find(({ resource }) => resource === 'pods');

/** Returns the errors of a pod's generateName; the name itself is always valid. */
function problems(generateName: string): string[] {
  const pod = toValue({ metadata: { name: 'a', generateName, namespace: 'default' } });
  if (pods === undefined || !isMap(pod)) throw new Error('there are pods');
  return objectMetaErrors(server, pod, pods).map(({ field, detail }) => `${field}: ${detail}`);
}

// Recorded from an API server, which ignores a trailing dash and the character before it.
describe('generateName', () => {
  it.each([
    ['a dash at the end', 'web-', []],
    ['no dash', 'web', []],
    ['a whole name and a dash', `${'y'.repeat(253)}-`, []],
    ['more than a name and a dash', `${'y'.repeat(254)}-`, ['metadata.generateName: must be no more than 253 characters']],
    ['a dot before the dash', 'web.-', []],
    ['what no name may hold, before the dash', 'a_-', []],
  ])('%s', (_, generateName, expected) => {
    expect(problems(generateName)).toEqual(expected);
  });
});
