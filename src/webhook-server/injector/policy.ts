import { stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import { type Selector, SelectorError, selectorOf, selects } from '../../kubernetes/label-selector.js';
import { textsAt } from './pods.js';

/** The part of a configuration that says which pods are injected. */
export interface InjectionPolicy {
  /** `enabled`, `disabled`, or anything else for never. */
  readonly policy: string;
  readonly neverInjectSelector: readonly Value[];
  readonly alwaysInjectSelector: readonly Value[];
}

const ignoredNamespaces = new Set(['kube-system', 'kube-public', 'kube-node-lease', 'local-path-storage']);

/** Is a pod injected? The first rule that decides counts. Source: istio pkg/kube/inject inject.go injectRequired. */
export function needsInjection(pod: ValueMap, prefix: string, config: InjectionPolicy): boolean {
  if (valueAt(pod, 'spec', 'hostNetwork') === true) return false;
  if (ignoredNamespaces.has(stringAt(pod, 'metadata', 'namespace'))) return false;
  if (config.policy !== 'enabled' && config.policy !== 'disabled') return false;
  const labels = textsAt(pod, 'labels');
  const name = `${prefix}/inject`;
  const wish = labels.has(name) ? labels.get(name) : textsAt(pod, 'annotations').get(name);
  if (wish === 'true' || wish === 'false') return wish === 'true';
  if (config.neverInjectSelector.some(selector => matches(selector, labels))) return false;
  if (config.alwaysInjectSelector.some(selector => matches(selector, labels))) return true;
  return config.policy === 'enabled';
}

/** An empty selector matches nothing, and neither does a malformed one. */
function matches(given: Value, labels: ReadonlyMap<string, string>): boolean {
  let selector: Selector;
  try {
    selector = selectorOf(given);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
  return selector.matches === 'requirements' && selects(selector, labels);
}
