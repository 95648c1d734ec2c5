import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { ownMember } from '../../../../go/own-members.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';

/** Returns what is deprecated about a node label; undefined for others. Source: pkg/api/node GetNodeLabelDeprecatedMessage. */
export function labelDeprecation(server: ApiServer, label: string): string | undefined {
  const message = ownMember(deprecatedLabels, label);
  return label === 'node-role.kubernetes.io/master' && server.since('v1.38') ? `deprecated since v1.20; ${message}` : message;
}

const deprecatedLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};

/** Returns `PATH: beta.kubernetes.io/os is deprecated since ...` for a deprecated label. */
export function labelWarning(key: FieldPath): string[] {
  const message = labelDeprecation(key.server, key.text());
  return message === undefined ? [] : [`${key.path}: ${key.text()} is ${message}`];
}

/** Returns the deprecated labels that a map selects, with what is deprecated about them. */
export function deprecatedIn(labels: FieldPath): (readonly [label: string, message: string])[] {
  return labels.entries().flatMap(([label]) => {
    const message = labelDeprecation(labels.server, label);
    return message === undefined ? [] : [[label, message] as const];
  });
}

/** Returns warnings about deprecated labels in the keys of a node selector. Source: pkg/api/node GetWarningsForNodeSelector. */
export function labelSelectorWarnings(selector: FieldPath): string[] {
  return [
    ...selector.items('matchExpressions').flatMap(expression => labelWarning(expression.child('key'))),
    ...deprecatedIn(selector.child('matchLabels')).map(([label, message]) => `${selector.path}.matchLabels.${label}: ${message}`),
  ];
}
