import { isMap, type ValueMap, valueAt } from '../go/value.js';

/** Returns the path of the pod spec in an object: its own, or that of its template; undefined if it has none. */
export function podSpecPath(object: ValueMap): readonly string[] | undefined {
  if (object.get('kind') === 'Pod') return ['spec'];
  return templates.find(path => isMap(valueAt(object, ...path)));
}

const templates = [
  ['spec', 'template', 'spec'],
  ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
];
