import { at, entriesAt, itemsAt, type Place, textOf } from '../../../../apiserver/registry/validation/place.js';

/** Deprecated node labels. Source: pkg/api/node GetNodeLabelDeprecatedMessage. */
export const deprecatedLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
};

/** Returns `PATH: beta.kubernetes.io/os is deprecated since ...` for a deprecated label. */
export function labelWarning(key: Place): string[] {
  const message = deprecatedLabels[textOf(key)];
  return message === undefined ? [] : [`${key.path}: ${textOf(key)} is ${message}`];
}

/** Returns warnings about deprecated labels in the keys of a node selector. Source: pkg/api/node GetWarningsForNodeSelector. */
export function labelSelectorWarnings(selector: Place): string[] {
  return [
    ...itemsAt(selector, 'matchExpressions').flatMap(expression => labelWarning(at(expression, 'key'))),
    ...entriesAt(selector, 'matchLabels').flatMap(([key]) =>
      deprecatedLabels[key] === undefined ? [] : [`${selector.path}.matchLabels.${key}: ${deprecatedLabels[key]}`],
    ),
  ];
}
