import { isMap, listAt, mapAt, stringAt, stringsAt, type Value, type ValueMap, valueAt } from '../go/value.js';
import type { Resource, Subresource } from './resource-table.js';

const mainVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const subresourceVerbs = ['get', 'patch', 'update'];

/** Returns whether an object is a CustomResourceDefinition. */
export function isDefinition(object: Value): object is ValueMap {
  return stringAt(object, 'kind') === 'CustomResourceDefinition' && stringAt(object, 'apiVersion').startsWith('apiextensions.k8s.io/');
}

/** Reports whether a CustomResourceDefinition has been served: one whose names conflict with those of another never was. */
export function isEstablished(definition: ValueMap): boolean {
  return hasTrueCondition(definition, 'Established');
}

/** Reports whether the condition of a type in the status of an object is `True`; the first one of several counts. */
export function hasTrueCondition(object: ValueMap, type: string): boolean {
  const found = listAt(object, 'status', 'conditions').find(condition => stringAt(condition, 'type') === type);
  return stringAt(found, 'status') === 'True';
}

/** Returns the resources that a CustomResourceDefinition adds, one for each served version, in the definition's order. */
export function resourcesOfDefinition(definition: ValueMap): Resource[] {
  const versions = listAt(definition, 'spec', 'versions');
  return versionsOfDefinition(definition).filter((_, i) => valueAt(versions[i], 'served') === true);
}

/** Returns the resources of every version, served or not: they are equivalent to each other. */
export function versionsOfDefinition(definition: ValueMap): Resource[] {
  const group = stringAt(definition, 'spec', 'group');
  const names = servedNames(definition);
  const kind = stringAt(names, 'kind');
  const strings = (key: string): string[] => stringsAt(names, key);
  return listAt(definition, 'spec', 'versions').map(version => {
    const name = stringAt(version, 'name');
    return {
      group,
      version: name,
      resource: stringAt(names, 'plural'),
      singular: stringAt(names, 'singular') || kind.toLowerCase(),
      kind: { group, version: name, kind },
      namespaced: stringAt(definition, 'spec', 'scope') === 'Namespaced',
      verbs: mainVerbs,
      shortNames: strings('shortNames'),
      categories: strings('categories'),
      subresources: subresourcesOf(version, { group, version: name, kind }),
      custom: true,
    };
  });
}

/** Returns the names under which a definition is served: those that were accepted; of one without a status, those of its specification. */
export function servedNames(definition: ValueMap): ValueMap | undefined {
  const accepted = mapAt(definition, 'status', 'acceptedNames');
  return stringAt(accepted, 'plural') !== '' && stringAt(accepted, 'kind') !== '' ? accepted : mapAt(definition, 'spec', 'names');
}

function subresourcesOf(version: Value, kind: Resource['kind']): Subresource[] {
  const found: Subresource[] = [];
  if (isMap(valueAt(version, 'subresources', 'status'))) found.push({ name: 'status', kind, verbs: subresourceVerbs });
  if (isMap(valueAt(version, 'subresources', 'scale'))) {
    found.push({ name: 'scale', kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: subresourceVerbs });
  }
  return found;
}
