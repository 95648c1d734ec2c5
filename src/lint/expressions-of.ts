import { isMap, listAt, mapAt, stringAt, type ValueMap } from '../go/value.js';
import { isDefinition } from '../kubernetes/definition-resources.js';
import { rulesAt, schemaNodes } from './schema-nodes.js';

/** An expression of an object. */
export interface PlacedExpression {
  readonly text: string;
  /** JSON pointer from the object. */
  readonly pointer: string;
}

/** Returns the CEL expressions of a webhook configuration, an admission policy or a definition, in their order. */
export function expressionsOf(object: ValueMap): PlacedExpression[] {
  const found = isDefinition(object) ? ofDefinition(object) : [...ofWebhooks(object), ...ofPolicy(object)];
  return found.filter(({ text }) => text !== '');
}

function ofDefinition(object: ValueMap): PlacedExpression[] {
  return schemaNodes({ name: '', place: { object, pointer: '' } }).flatMap(node =>
    rulesAt(node).flatMap((rule, i) =>
      ['rule', 'messageExpression'].map(member => ({
        text: stringAt(rule, member),
        pointer: `${node.pointer}/x-kubernetes-validations/${i}/${member}`,
      })),
    ),
  );
}

function ofWebhooks(object: ValueMap): PlacedExpression[] {
  return listAt(object, 'webhooks').flatMap((webhook, i) =>
    isMap(webhook) ? inList(webhook, 'matchConditions', ['expression'], `/webhooks/${i}`) : [],
  );
}

function ofPolicy(object: ValueMap): PlacedExpression[] {
  const spec = mapAt(object, 'spec');
  if (spec === undefined) return [];
  const mutations = listAt(spec, 'mutations').flatMap((mutation, i) =>
    ['applyConfiguration', 'jsonPatch'].map(member => ({
      text: stringAt(mutation, member, 'expression'),
      pointer: `/spec/mutations/${i}/${member}/expression`,
    })),
  );
  return [
    ...inList(spec, 'matchConditions', ['expression'], '/spec'),
    ...inList(spec, 'variables', ['expression'], '/spec'),
    ...inList(spec, 'validations', ['expression', 'messageExpression'], '/spec'),
    ...inList(spec, 'auditAnnotations', ['valueExpression'], '/spec'),
    ...mutations,
  ];
}

function inList(map: ValueMap, list: string, members: readonly string[], above: string): PlacedExpression[] {
  return listAt(map, list).flatMap((entry, i) =>
    members.map(member => ({ text: stringAt(entry, member), pointer: `${above}/${list}/${i}/${member}` })),
  );
}
