import { isList, isMap, stringAt, type Value, type ValueMap } from '../go/value.js';
import type { LoggedEvent } from './logged-event.js';

/** What is read of an object after its name, where it cannot be its managed fields. */
const otherMember =
  /^\s*(?:[!=]=\s*null\b|\.\s*\??\s*(?:kind|apiVersion|spec|status|data|stringData|binaryData|immutable|type|rules|roleRef|subjects)\b|\.\s*\??\s*metadata\s*\.\s*\??\s*(?:name|namespace|labels|annotations|generateName|uid|finalizers|ownerReferences|resourceVersion|generation|creationTimestamp|deletionTimestamp)\b)/;

/**
 * Reports whether a webhook or policy in the objects of a state could see the managed fields of an object: webhooks get the whole object, mutating policies
 * may copy it, and the expressions of validating policies name what they read.
 */
export function showsManagedFields(objects: readonly ValueMap[]): boolean {
  return objects.some(object => {
    const kind = stringAt(object, 'kind');
    if (kind.endsWith('WebhookConfiguration') || kind === 'MutatingAdmissionPolicy') return true;
    return kind === 'ValidatingAdmissionPolicy' && [...expressionsIn(object)].some(mayReadManagedFields);
  });
}

/** Expressions of a policy are in members such as `messageExpression`. */
function* expressionsIn(value: Value): Generator<string> {
  if (isList(value)) for (const item of value) yield* expressionsIn(item);
  else if (isMap(value))
    for (const [key, member] of value) {
      if (typeof member !== 'string') yield* expressionsIn(member);
      else if (/xpression$/.test(key)) yield member;
    }
}

function mayReadManagedFields(expression: string): boolean {
  const uses = [...expression.matchAll(/\b(?:object|oldObject)\b/g)];
  return expression.includes('managedFields') || uses.some(use => !otherMember.test(expression.slice(use.index + use[0].length)));
}

/** Objects of kinds about which the API server decides by managed fields. */
const decidedByManagedFields: ReadonlySet<string> = new Set([
  '/services',
  'flowcontrol.apiserver.k8s.io/flowschemas',
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
]);

/** Larger objects may be too large with their managed fields. */
const maxCharacters = 500_000;

/** Reports whether the managed fields that a call records matter to nothing but webhooks and policies: the log shows the object that is stored. */
export function leavesManagedFieldsUnseen({
  requestText,
  responseText,
  objectRef: { group, resource, subresource },
}: LoggedEvent): boolean {
  if (responseText === '' || requestText.length + responseText.length > maxCharacters) return false;
  return subresource !== 'scale' && !decidedByManagedFields.has(`${group}/${resource}`);
}
