import { isMap, mapAt, stringAt, stringsAt, valueAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { LintRule, RuleProblem } from '../rule.js';
import { ancestorsOf, isOptional, rulesAt, type SchemaNode, schemaNodes } from '../schema-nodes.js';

/** A transition rule does not see that its field appears or disappears. */
export const transitionOfOptional: LintRule = {
  id: 'transition-rule-on-optional-field',
  severity: 'warning',
  reason:
    'a rule with oldSelf is evaluated only when the field is set before and after the update: it can be removed, and set to another value afterwards',
  fix: 'set optionalOldSelf: true and compare with oldSelf.orValue(...), or put the rule on the parent: has(self.FIELD) == has(oldSelf.FIELD), or make the field required',
  check: async ({ definitions, server }) => {
    const asking = definitions.filter(definition => schemaNodes(definition).some(node => rulesAt(node).length > 0));
    if (asking.length === 0) return [];
    const expressions = await import('../expressions.js');
    return asking.flatMap(about =>
      schemaNodes(about)
        // An object without spec is rare, and a rule on spec is what corrects those on its fields.
        .filter(node => isOptional(node) && node.path !== 'spec')
        .flatMap(node =>
          transitionsAt(node, server, expressions).map(
            (at): RuleProblem => ({
              about,
              at,
              message: `the rule is not evaluated when the optional field ${node.path} is added or removed`,
            }),
          ),
        ),
    );
  },
};

type Expressions = typeof import('../expressions.js');

/** Returns the places of the transition rules of a property, unless a rule around it compares whether it is set. */
function transitionsAt(node: SchemaNode, server: ApiServer, expressions: Expressions): string[] {
  const places = rulesAt(node).flatMap((rule, i) => {
    if (valueAt(rule, 'optionalOldSelf') === true) return [];
    const expr = expressions.parseExpression(server, stringAt(rule, 'rule'));
    return expr !== undefined && expressions.readsVariable(expr, 'oldSelf') ? [`${node.pointer}/x-kubernetes-validations/${i}/rule`] : [];
  });
  return places.length > 0 && isGuarded(node, server, expressions) ? [] : places;
}

/** Reports whether a transition rule around a property names it, or compares the whole value around it. */
function isGuarded(node: SchemaNode, server: ApiServer, { parseExpression, readsVariable, selectedNames }: Expressions): boolean {
  return ancestorsOf(node).some(ancestor =>
    rulesAt(ancestor).some(rule => {
      const expr = parseExpression(server, stringAt(rule, 'rule'));
      if (expr === undefined || !readsVariable(expr, 'oldSelf')) return false;
      const names = selectedNames(expr);
      return names.has(node.property ?? '') || names.size === 0;
    }),
  );
}

/** A list of objects that have rules, and names that are meant to be unique, but that are not its keys. */
export const listWithoutKeys: LintRule = {
  id: 'list-without-keys',
  severity: 'info',
  reason:
    'the list is atomic: rules cannot compare an item with its old value, and a server-side apply of one item replaces those of others',
  fix: 'add x-kubernetes-list-type: map and x-kubernetes-list-map-keys: [name]; atomic if this is intended',
  check: ({ definitions }) =>
    definitions.flatMap(about => {
      const nodes = schemaNodes(about);
      const ruled = new Set(nodes.filter(node => rulesAt(node).length > 0).flatMap(node => [node, ...ancestorsOf(node)]));
      const items = new Map(nodes.map(node => [node.parent, node]));
      return nodes.flatMap((node): RuleProblem[] => {
        const item = hasNamedItems(node) ? items.get(node) : undefined;
        if (item === undefined || !ruled.has(item) || !isMeantUnique(node)) return [];
        return [{ about, at: node.pointer, message: `the items of ${node.path} have rules and unique names, but no keys` }];
      });
    }),
};

/** Reports whether a rule of the list or a description says that names are unique. */
function isMeantUnique(node: SchemaNode): boolean {
  const { schema } = node;
  const described = [stringAt(schema, 'description'), stringAt(schema, 'items', 'properties', 'name', 'description')];
  return (
    described.some(text => /\bunique(ly)?\b/i.test(text)) || rulesAt(node).some(rule => stringAt(rule, 'rule').includes('exists_one('))
  );
}

/** Reports whether names could identify the items of a list without a type; false for lists of the types of Kubernetes. */
function hasNamedItems(node: SchemaNode): boolean {
  const { schema, path, property = '' } = node;
  const items = valueAt(schema, 'items');
  if (!isMap(items) || schema.has('x-kubernetes-list-type') || path.startsWith('status')) return false;
  const required = stringsAt(items, 'required');
  // Requirements of selectors and headers may repeat a name; mounts are identified by their paths.
  if (['operator', 'mountPath', 'devicePath'].some(name => required.includes(name)) || /headers$/i.test(property)) return false;
  if (ancestorsOf(node).some(isOfPod)) return false;
  const properties = mapAt(items, 'properties');
  // References: a name identifies nothing without its namespace, kind, key or path.
  if (['namespace', 'kind', 'key', 'path'].some(name => properties?.has(name) === true)) return false;
  return required.includes('name') && stringAt(properties, 'name', 'type') === 'string';
}

/** Reports whether a schema is that of a pod's spec or of a container, whose lists are not the author's. */
function isOfPod({ schema }: SchemaNode): boolean {
  const properties = mapAt(schema, 'properties');
  if (properties === undefined) return false;
  const has = (...names: readonly string[]): boolean => names.every(name => properties.has(name));
  return has('containers', 'nodeSelector', 'serviceAccountName') || has('image', 'terminationMessagePath');
}
