import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import { checkLabelSelector, isEmptySelector } from '../../../apiserver/registry/validation/rules.js';
import { writeValue } from '../../../go/json/write.js';
import type { Value } from '../../../go/value.js';
import { intValueOf } from '../../../kubernetes/int-or-string.js';
import { selectorOf, selects } from '../../../kubernetes/label-selector.js';
import { dns1123LabelProblems } from '../../../kubernetes/name-rules.js';
import { checkPodTemplate } from '../pod/validation/pod-template.js';

/** Warns about a name that is not a valid prefix of pod names. */
export function nameWarning(object: FieldPath, old: FieldPath | undefined): string[] {
  const problems = old === undefined ? dns1123LabelProblems(object.text('metadata', 'name')) : [];
  if (problems.length === 0) return [];
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
  ];
}

/** Validates that the labels of a template match the selector. */
export function checkSelected(spec: FieldPath, selector: Value | undefined): void {
  const labels = spec.child('template', 'metadata', 'labels');
  const texts = new Map([...labels.members()].map(([key, value]) => [key, String(value)] as const));
  if (selects(selectorOf(spec.server, selector), texts)) return;
  labels.invalid(labels.isSet() ? sortedJson(labels) : null, '`selector` does not match template `labels`');
}

/** Returns a map of texts as an error shows it, keys sorted. */
export function sortedJson(labels: FieldPath): { readonly rawJson: string } {
  return { rawJson: writeValue(new Map(labels.members()), 'sorted') };
}

/** Reports whether a selector is usable, that is, has no unknown operator. */
export function isUsableSelector(selector: FieldPath): boolean {
  const copy = selector.withOwnErrors();
  checkLabelSelector(copy);
  return copy.errors.length === 0;
}

export function keepSelector(object: FieldPath, old: FieldPath, type: string): void {
  checkImmutable(object.child('spec'), old.child('spec'), { type, name: 'selector' });
}

export function checkRequiredSelector(spec: FieldPath, kind: string): void {
  const selector = spec.child('selector');
  if (!selector.isSet()) {
    selector.required();
    return;
  }
  checkLabelSelector(selector);
  if (isEmptySelector(selector))
    selector.invalid(internalValue(spec.server, 'meta/v1.LabelSelector', selector.value), `empty selector is invalid for ${kind}`);
}

export function checkTemplateOf(spec: FieldPath, kind: string): void {
  checkPodTemplate(spec.child('template'));
  checkAlways(spec, kind);
}

export function checkAlways(spec: FieldPath, kind: string): void {
  const policy = spec.child('template', 'spec', 'restartPolicy');
  if (policy.text() !== 'Always') policy.notSupported(['Always']);
  const deadline = spec.child('template', 'spec', 'activeDeadlineSeconds');
  if (deadline.isSet()) deadline.forbidden(`activeDeadlineSeconds in ${kind} is not Supported`);
}

/** Validates that the selector matches the template; an absent selector matches nothing, and an empty one everything. */
export function checkSelectedTemplate(spec: FieldPath, kind: string): void {
  const selector = spec.child('selector');
  if (!isUsableSelector(selector)) {
    selector.invalid(internalValue(spec.server, 'meta/v1.LabelSelector', selector.value), 'invalid label selector');
    return;
  }
  if (!isEmptySelector(selector)) checkSelected(spec, selector.value);
  checkTemplateOf(spec, kind);
}

/** Returns a number, or that of a percentage; 0 for any other text. Source: getIntOrPercentValue. */
export function amountIn(field: FieldPath): bigint {
  const { value } = field;
  if (typeof value === 'string') return /^[0-9]+%$/.test(value) ? BigInt(value.slice(0, -1)) : intValueOf(value);
  return field.number();
}

/** Returns warnings about created objects: on an update only when the generation changes. */
export function ofChanged(object: FieldPath, old: FieldPath | undefined, warnings: () => string[]): string[] {
  const generation = (of: FieldPath): bigint => of.number('metadata', 'generation');
  return old !== undefined && generation(object) === generation(old) ? [] : warnings();
}
