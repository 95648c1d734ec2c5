import { describe, expect, it } from 'vitest';
import { checkContainer } from '../../../../../src/apis/core/pod/storage/streams.js';
import { toValue, type ValueMap } from '../../../../../src/go/value.js';
import { StatusError } from '../../../../../src/kubernetes/status.js';

function problemWith(names: readonly string[], container: string): string | undefined {
  const containers = names.map(name => ({ name }));
  const pod = toValue({ metadata: { name: 'p' }, spec: { initContainers: [{ name: 'i' }], containers } }) as ValueMap;
  try {
    checkContainer(pod, container);
  } catch (error) {
    if (error instanceof StatusError) return error.status.message;
    throw error;
  }
  return undefined;
}

describe('a stream of a pod', () => {
  it.each([
    [['c'], '', undefined],
    [['c', 'd'], 'd', undefined],
    [['c'], 'i', undefined],
    [['c', 'd'], '', 'a container name must be specified for pod p, choose one of: [i c d]'],
    [[], '', 'a container name must be specified for pod p'],
    [['c'], 'x', 'container x is not valid for pod p'],
  ])('from one of %j, asked for %j', (names, container, message) => {
    expect(problemWith(names, container)).toBe(message);
  });
});
