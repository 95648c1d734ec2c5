import { stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import { type Selector, SelectorError, selectorOf, selects } from '../../kubernetes/label-selector.js';
import { goTypes } from '../go-types.js';
import { textsAt } from './pods.js';

/** Part of a configuration that selects pods for injection. */
export interface InjectionPolicy {
  /** `enabled`, `disabled`, or any other value for never. */
  readonly policy: string;
  readonly neverInjectSelector: readonly Value[];
  readonly alwaysInjectSelector: readonly Value[];
}

const ignoredNamespaces = new Set(['kube-system', 'kube-public', 'kube-node-lease', 'local-path-storage']);

/** Reports whether a pod is injected; the first matching rule decides. Source: istio pkg/kube/inject inject.go injectRequired. */
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

/** Reports whether a selector matches; an empty or invalid one does not. */
function matches(given: Value, labels: ReadonlyMap<string, string>): boolean {
  let selector: Selector;
  try {
    selector = selectorOf(goTypes, given);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
  return selector.matches === 'requirements' && selects(selector, labels);
}
