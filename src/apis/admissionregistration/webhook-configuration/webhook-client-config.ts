import { mapAt, stringAt, type Value, valueAt } from '../../../go/value.js';
import { type FieldError, invalidValue, required } from '../../../kubernetes/field-error.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { webhookUrlErrors } from '../../../kubernetes/webhook-url.js';

/** Validates a webhook's client configuration. Source: apiserver util/webhook/validation.go. */
export function clientConfigErrors(config: Value | undefined, field: string): FieldError[] {
  const url = valueAt(config, 'url');
  const service = mapAt(config, 'service');
  if ((typeof url === 'string') === (service !== undefined)) return [required(field, 'exactly one of url or service is required')];
  return typeof url === 'string' ? webhookUrlErrors(url, `${field}.url`) : serviceErrors(service, `${field}.service`);
}

/**
 * Validates a service reference. The API server has swapped the two names: an empty name is reported as the namespace's, and vice versa.
 */
function serviceErrors(service: Value | undefined, field: string): FieldError[] {
  const port = valueAt(service, 'port');
  const number = typeof port === 'bigint' ? port : 0n;
  const path = valueAt(service, 'path');
  return [
    ...(stringAt(service, 'namespace') === '' ? [required(`${field}.name`, '')] : []),
    ...(stringAt(service, 'name') === '' ? [required(`${field}.namespace`, '')] : []),
    ...(number >= 1n && number <= 65_535n
      ? []
      : [invalidValue(`${field}.port`, number, 'port is not valid: must be between 1 and 65535, inclusive')]),
    ...(typeof path === 'string' ? pathErrors(path, `${field}.path`) : []),
  ];
}

function pathErrors(path: string, field: string): FieldError[] {
  const wrong = (detail: string): FieldError => invalidValue(field, path, detail);
  if (path === '' || path === '/') return [];
  if (path === '//') return [wrong('segment[0] may not be empty')];
  const start = path.startsWith('/') ? [] : [wrong("must start with a '/'")];
  // The first character is not checked, nor is a trailing slash.
  const segments = path.slice(1).replace(/\/$/, '').split('/');
  return [
    ...start,
    ...segments.flatMap((segment, i) =>
      segment === ''
        ? [wrong(`segment[${i}] may not be empty`)]
        : dns1123SubdomainProblems(segment).map(problem => wrong(`segment[${i}]: ${problem}`)),
    ),
  ];
}
