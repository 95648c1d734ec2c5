import { parseUrl, UrlError } from '../../../go/url/parse.js';
import { type Url, userText } from '../../../go/url/url.js';
import { mapAt, stringAt, type Value, valueAt } from '../../../go/value.js';
import { type FieldError, invalidValue, required } from '../../../kubernetes/field-error.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';

/** Validates a webhook's client configuration. Source: apiserver util/webhook/validation.go. */
export function clientConfigErrors(config: Value | undefined, field: string): FieldError[] {
  const url = valueAt(config, 'url');
  const service = mapAt(config, 'service');
  if ((typeof url === 'string') === (service !== undefined)) return [required(field, 'exactly one of url or service is required')];
  return typeof url === 'string' ? urlErrors(url, `${field}.url`) : serviceErrors(service, `${field}.service`);
}

const form = '; desired format: https://host[/path]';

function urlErrors(text: string, field: string): FieldError[] {
  const url = parsedClientUrl(text);
  if (url instanceof UrlError) return [required(field, `url must be a valid URL: ${url.message}${form}`)];
  const errors: FieldError[] = [];
  const wrong = (part: string, detail: string): void => {
    errors.push(invalidValue(field, part, detail));
  };
  if (url.scheme !== 'https') wrong(url.scheme, `'https' is the only allowed URL scheme${form}`);
  if (url.host === '') wrong('', `host must be specified${form}`);
  if (url.user !== undefined) wrong(userText(url.user), 'user information is not permitted in the URL');
  if (url.fragment !== '') wrong(url.fragment, 'fragments are not permitted in the URL');
  if (url.rawQuery !== '') wrong(url.rawQuery, 'query parameters are not permitted in the URL');
  return errors;
}

function parsedClientUrl(text: string): Url | UrlError {
  try {
    return parseUrl(text);
  } catch (error) {
    if (error instanceof UrlError) return error;
    throw error;
  }
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
