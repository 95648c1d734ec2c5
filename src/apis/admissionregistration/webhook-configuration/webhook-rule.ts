import { notOneOf } from '../../../apiserver/registry/validation/one-of.js';
import { writeValue } from '../../../go/json/write.js';
import { listAt, type Value, type ValueMap, valueAt } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { type BadValue, type FieldError, invalidValue, required } from '../../../kubernetes/field-error.js';
import { isVirtual } from '../../../kubernetes/virtual-resources.js';

/** Validates a rule of a webhook. Source: kubernetes pkg/apis/admissionregistration/validation validateRuleWithOperations. */
export function webhookRuleErrors(rule: Value, field: string): FieldError[] {
  const operations = listAt(rule, 'operations').map(String);
  const versions = listAt(rule, 'apiVersions').map(String);
  return [
    ...listErrors(operations, `${field}.operations`, 'operations'),
    ...operations.flatMap((operation, i) => notOneOf(supportedOperations, operation, `${field}.operations[${i}]`)),
    ...listErrors(listAt(rule, 'apiGroups').map(String), `${field}.apiGroups`, 'API groups'),
    ...listErrors(versions, `${field}.apiVersions`, 'API versions'),
    ...versions.flatMap((version, i) => (version === '' ? [required(`${field}.apiVersions[${i}]`, '')] : [])),
    ...resourcesErrors(listAt(rule, 'resources').map(String), `${field}.resources`),
    ...notOneOf(supportedScopes, valueAt(rule, 'scope'), `${field}.scope`),
  ];
}

const supportedOperations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const supportedScopes = ['*', 'Cluster', 'Namespaced'];

/** Validates that a list is not empty and that `*` is its only entry. */
function listErrors(values: readonly string[], field: string, called: string): FieldError[] {
  if (values.length === 0) return [required(field, '')];
  return values.length > 1 && values.includes('*')
    ? [invalidValue(field, asJson(values), `if '*' is present, must not specify other ${called}`)]
    : [];
}

function asJson(values: readonly string[]): BadValue {
  return { rawJson: writeValue([...values], 'kept') };
}

/** Refuses entries that a wildcard already covers. Source: validateResources. */
function resourcesErrors(resources: readonly string[], field: string): FieldError[] {
  if (resources.length === 0) return [required(field, '')];
  const allOfResource = new Set<string>();
  const ofAllResources = new Set<string>();
  const errors: FieldError[] = [];
  for (const [i, entry] of resources.entries()) {
    if (entry === '') errors.push(required(`${field}[${i}]`, ''));
    const slash = entry.indexOf('/');
    if (slash < 0) continue;
    const resource = entry.slice(0, slash);
    const subresource = entry.slice(slash + 1);
    const again = (wildcard: string): void => {
      errors.push(invalidValue(`${field}[${i}]`, entry, `if '${wildcard}' is present, must not specify ${entry}`));
    };
    if (allOfResource.has(resource)) again(`${resource}/*`);
    if (ofAllResources.has(subresource)) again(`*/${subresource}`);
    if (subresource === '*') allOfResource.add(resource);
    if (resource === '*') ofAllResources.add(subresource);
  }
  return [...errors, ...wildcardErrors(resources, field)];
}

function wildcardErrors(resources: readonly string[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(invalidValue(field, asJson(resources), "if '*/*' is present, must not specify other resources"));
  // Only the last entry without a slash is used.
  const last = resources.findLast(entry => entry !== '' && !entry.includes('/'));
  if (resources.includes('*') && last !== '*')
    errors.push(invalidValue(field, asJson(resources), "if '*' is present, must not specify other resources without subresources"));
  return errors;
}

/** Returns warnings about rules that name resources for which webhooks are never called. Source: validation/warnings.go. */
export function excludedRuleWarnings(server: ApiServer, configuration: ValueMap): string[] {
  if (!server.isEnabled('ExcludeAdmissionWebhookVirtualResources')) return [];
  return listAt(configuration, 'webhooks').flatMap((webhook, i) =>
    listAt(webhook, 'rules').flatMap((rule, j) =>
      excludedIn(rule).map(
        name => `webhooks[${i}].rules[${j}]: ${name} is excluded from admission webhooks; this rule will have no effect`,
      ),
    ),
  );
}

/** Returns the excluded resources that a rule names; none for a rule with a wildcard. */
function excludedIn(rule: Value): string[] {
  const [groups, resources] = [listAt(rule, 'apiGroups').map(String), listAt(rule, 'resources').map(String)];
  if (groups.includes('*') || resources.includes('*')) return [];
  const named = groups.flatMap(group =>
    resources.filter(resource => isVirtual({ group, resource })).map(resource => `${resource}.${group}`),
  );
  return [...new Set(named)];
}
