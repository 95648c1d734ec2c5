import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import {
  addForbidden,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  isSet,
  mapOf,
  numberAt,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkLabelSelector, isEmptySelector } from '../../../apiserver/registry/validation/rules.js';
import { writeValue } from '../../../go/json/write.js';
import type { Value } from '../../../go/value.js';
import { intValueOf } from '../../../kubernetes/int-or-string.js';
import { selectorOf, selects } from '../../../kubernetes/label-selector.js';
import { dns1123LabelProblems } from '../../../kubernetes/name-rules.js';
import { checkPodTemplate } from '../pod/validation/pod-template.js';

/** Warns about a name that is not a valid prefix of pod names. */
export function nameWarning(object: Place, old: Place | undefined): string[] {
  const problems = old === undefined ? dns1123LabelProblems(textAt(object, 'metadata', 'name')) : [];
  if (problems.length === 0) return [];
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
  ];
}

/** Validates that the labels of a template match the selector. */
export function checkSelected(spec: Place, selector: Value | undefined): void {
  const labels = at(spec, 'template', 'metadata', 'labels');
  const texts = new Map([...mapOf(labels)].map(([key, value]) => [key, String(value)] as const));
  if (selects(selectorOf(spec.server, selector), texts)) return;
  addInvalid(labels, '`selector` does not match template `labels`', isSet(labels) ? sortedJson(labels) : null);
}

/** Returns a map of texts as an error shows it, keys sorted. */
export function sortedJson(labels: Place): { readonly rawJson: string } {
  return { rawJson: writeValue(new Map(mapOf(labels)), 'sorted') };
}

/** Reports whether a selector is usable, that is, has no unknown operator. */
export function isUsableSelector(selector: Place): boolean {
  const copy: Place = { ...selector, errors: [] };
  checkLabelSelector(copy);
  return copy.errors.length === 0;
}

export function keepSelector(object: Place, old: Place, type: string): void {
  checkImmutable(at(object, 'spec'), at(old, 'spec'), { type, name: 'selector' });
}

export function checkRequiredSelector(spec: Place, kind: string): void {
  const selector = at(spec, 'selector');
  if (!isSet(selector)) {
    addRequired(selector);
    return;
  }
  checkLabelSelector(selector);
  if (isEmptySelector(selector))
    addInvalid(selector, `empty selector is invalid for ${kind}`, internalValue(spec.server, 'meta/v1.LabelSelector', selector.value));
}

export function checkTemplateOf(spec: Place, kind: string): void {
  checkPodTemplate(at(spec, 'template'));
  checkAlways(spec, kind);
}

export function checkAlways(spec: Place, kind: string): void {
  const policy = at(spec, 'template', 'spec', 'restartPolicy');
  if (textOf(policy) !== 'Always') addUnsupported(policy, ['Always']);
  const deadline = at(spec, 'template', 'spec', 'activeDeadlineSeconds');
  if (isSet(deadline)) addForbidden(deadline, `activeDeadlineSeconds in ${kind} is not Supported`);
}

/** Validates that the selector matches the template; an absent selector matches nothing, and an empty one everything. */
export function checkSelectedTemplate(spec: Place, kind: string): void {
  const selector = at(spec, 'selector');
  if (!isUsableSelector(selector)) {
    addInvalid(selector, 'invalid label selector', internalValue(spec.server, 'meta/v1.LabelSelector', selector.value));
    return;
  }
  if (!isEmptySelector(selector)) checkSelected(spec, selector.value);
  checkTemplateOf(spec, kind);
}

/** Returns a number, or that of a percentage; 0 for any other text. Source: getIntOrPercentValue. */
export function amountIn(place: Place): bigint {
  const { value } = place;
  if (typeof value === 'string') return /^[0-9]+%$/.test(value) ? BigInt(value.slice(0, -1)) : intValueOf(value);
  return numberOf(place);
}

/** Returns warnings about created objects: on an update only when the generation changes. */
export function ofChanged(object: Place, old: Place | undefined, warnings: () => string[]): string[] {
  const generation = (of: Place): bigint => numberAt(of, 'metadata', 'generation');
  return old !== undefined && generation(object) === generation(old) ? [] : warnings();
}
