import { parseFieldSelector } from '../../apiserver/storage/selection.js';
import type { AuthorizerQuestion, ResourceParts } from '../../cel/library/authorizer.js';
import { writeValue } from '../../go/json/write.js';
import { toValue, type Value } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { parseSelectorText, SelectorTextError, type TextRequirement } from '../../kubernetes/selector-text.js';
import { StatusError } from '../../kubernetes/status.js';

export type ReviewVersion = 'v1' | 'v1beta1';

/** Returns the spec of the SubjectAccessReview for a question, which is also its key in caches. Source: apiserver plugin/pkg/authorizer/webhook. */
export function reviewSpec(server: ApiServer, question: AuthorizerQuestion, version: ReviewVersion): Value {
  const { username, uid, groups, extra } = question.user;
  const attributes =
    'path' in question
      ? { nonResourceAttributes: present({ path: question.path, verb: question.verb }) }
      : { resourceAttributes: resourceAttributes(server, question) };
  return toValue({
    ...attributes,
    ...present({ user: username }),
    ...(groups.length === 0 ? {} : { [version === 'v1' ? 'groups' : 'group']: [...groups] }),
    ...(extra.size === 0
      ? {}
      : { extra: Object.fromEntries([...extra].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, list]) => [key, [...list]])) }),
    ...present({ uid }),
  });
}

/** Returns the text of a SubjectAccessReview. */
export function reviewText(spec: Value, version: ReviewVersion): string {
  const head = { kind: 'SubjectAccessReview', apiVersion: `authorization.k8s.io/${version}`, metadata: {} };
  return `${writeValue(new Map([...Object.entries(toMembers(head)), ['spec', spec], ['status', toValue({ allowed: false })]]), 'kept')}\n`;
}

function toMembers(object: Readonly<Record<string, string | object>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, toValue(value)]));
}

function resourceAttributes(server: ApiServer, question: ResourceParts & { readonly verb: string }): object {
  const { namespace, verb, group, version = '*', resource, subresource, name } = question;
  const { fields, labels } = selectorRequirements(server, question);
  return {
    ...present({ namespace, verb, group, version, resource, subresource, name }),
    ...(fields.length === 0 ? {} : { fieldSelector: { requirements: [...fields] } }),
    ...(labels.length === 0 ? {} : { labelSelector: { requirements: [...labels] } }),
  };
}

/** A requirement of a selector in a review. */
export interface SelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Returns the requirements of the selectors that reviews can express. Source: apiserver plugin/pkg/authorizer/webhook fieldSelectorToAuthorizationAPI. */
export function selectorRequirements(
  server: ApiServer,
  { fieldSelector, labelSelector }: ResourceParts,
): { readonly fields: readonly SelectorRequirement[]; readonly labels: readonly SelectorRequirement[] } {
  const fields = read(() => parseFieldSelector(fieldSelector)).map(({ field, equal, value }) => ({
    key: field,
    operator: equal ? 'In' : 'NotIn',
    values: [value],
  }));
  return { fields, labels: read(() => parseSelectorText(server, labelSelector)).flatMap(labelRequirement) };
}

/** A selector that cannot be parsed restricts nothing. */
function read<T>(parse: () => readonly T[]): readonly T[] {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SelectorTextError || error instanceof StatusError) return [];
    throw error;
  }
}

const labelOperators = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
  gt: '',
  lt: '',
} as const;

function labelRequirement({ key, operator, values }: TextRequirement): SelectorRequirement[] {
  const shown = labelOperators[operator];
  return shown === '' ? [] : [{ key, operator: shown, ...(values.length === 0 ? {} : { values: [...values] }) }];
}

function present(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}
