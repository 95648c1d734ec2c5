import { isMap, type Value, type ValueMap } from '../../go/value.js';
import { sameKind, sameResource } from '../../kubernetes/group-version.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { Attributes } from '../admission/attributes.js';
import type { SkipReason } from '../admission/webhook-report.js';
import type { Equivalent } from './equivalent.js';
import type { SelectorMatch } from './read-selector.js';
import type { Webhook } from './webhook.js';

/** What is known of how a webhook matches, apart from the request's objects: undefined until it is determined. */
export interface PlannedMatches {
  namespace: SelectorMatch | undefined;
  /** The kind and the resource of the rule that matches; null if no rule does. */
  sent: Equivalent | null | undefined;
  /** Why no rule matches. */
  byRules: SkipReason | undefined;
}

/** The attributes by which webhooks match, apart from objects. */
type Matched = Pick<Attributes, 'operation' | 'kind' | 'resource' | 'subresource' | 'namespace'>;

interface Plan {
  readonly of: Matched;
  readonly equivalents: readonly Equivalent[];
  readonly matches: WeakMap<Webhook, PlannedMatches>;
}

/** Only the last plan of a namespace: each takes memory for every webhook. */
const lastPlanOf = memoize((_namespace: ValueMap): { plan: Plan | undefined } => ({ plan: undefined }));

/**
 * Returns a function that returns what is known of a webhook: many calls one after another are for the same resource in the same
 * namespace, each past up to a thousand webhooks. `namespace`: the stored one, which is replaced when it changes; so are `equivalents`.
 */
export function plannedMatches(
  attributes: Attributes,
  namespace: Value | undefined,
  equivalents: readonly Equivalent[],
): (webhook: Webhook) => PlannedMatches {
  // A namespace under admission changes.
  const isStored = isMap(namespace) && attributes.resource.resource !== 'namespaces';
  const matches = isStored ? planFor(attributes, namespace, equivalents).matches : new WeakMap<Webhook, PlannedMatches>();
  return webhook => {
    const known = matches.get(webhook);
    if (known !== undefined) return known;
    const unknown: PlannedMatches = { namespace: undefined, sent: undefined, byRules: undefined };
    matches.set(webhook, unknown);
    return unknown;
  };
}

function planFor(
  { operation, kind, resource, subresource, namespace }: Attributes,
  stored: ValueMap,
  equivalents: readonly Equivalent[],
): Plan {
  const of = { operation, kind, resource, subresource, namespace };
  const last = lastPlanOf(stored);
  const known = last.plan;
  if (known !== undefined && known.equivalents === equivalents && isSame(known.of, of)) return known;
  last.plan = { of, equivalents, matches: new WeakMap() };
  return last.plan;
}

function isSame(a: Matched, b: Matched): boolean {
  return (
    a.operation === b.operation &&
    a.namespace === b.namespace &&
    a.subresource === b.subresource &&
    sameKind(a.kind, b.kind) &&
    sameResource(a.resource, b.resource)
  );
}
