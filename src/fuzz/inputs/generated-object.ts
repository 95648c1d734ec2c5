import type { ValueMap } from '../../go/value.js';
import { type Generator, generateObject } from '../values/generate.js';
import type { FuzzedResource } from './input.js';

/** Returns an object from its schema alone. */
export function generatedObject({ shape, resource }: FuzzedResource, generator: Generator): ValueMap {
  const { group, version, kind } = resource.kind;
  const value = generateObject(shape, generator);
  const metadata: ValueMap = new Map([['name', 'a']]);
  if (resource.namespaced) metadata.set('namespace', 'default');
  for (const field of ['apiVersion', 'kind', 'metadata', 'status']) value.delete(field);
  return new Map([['apiVersion', group === '' ? version : `${group}/${version}`], ['kind', kind], ['metadata', metadata], ...value]);
}
