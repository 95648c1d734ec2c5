import type { FieldPath } from '../../apiserver/registry/validation/field-path.js';
import { checkName } from '../../apiserver/registry/validation/rules.js';
import type { RawJson } from '../../go/value.js';
import { cIdentifierProblems, dns1123SubdomainProblems } from '../../kubernetes/name-rules.js';
import { checkDriverName } from '../core/pod/validation/volume-sources.js';

/** Validates the items of a list, unless it is too long: then that is the only error. Source: resource/validation validateSlice. */
export function checkItems(list: FieldPath, maximum: number, check: (item: FieldPath) => void): void {
  const count = list.length();
  if (count > maximum) list.tooMany(count, maximum);
  else for (const item of list.items()) check(item);
}

/** Validates items that are unique by a key, which errors show. Source: resource/validation validateSet. */
export function checkSet(
  list: FieldPath,
  maximum: number,
  rules: {
    readonly check: (item: FieldPath) => void;
    readonly key: (item: FieldPath) => string | RawJson;
    /** The member with the key, which v1.34 includes in errors. */
    readonly member?: string;
  },
): void {
  checkItems(list, maximum, rules.check);
  if (list.length() > maximum) return;
  const seen = new Set<string>();
  for (const item of list.items()) {
    const shown = rules.key(item);
    const key = typeof shown === 'string' ? shown : shown.rawJson;
    if (seen.has(key)) {
      const field = rules.member === undefined || list.server.since('v1.35') ? item : item.child(rules.member);
      field.duplicate(shown);
    }
    seen.add(key);
  }
}

/** Validates the name of a pool: subdomains separated by slashes. */
export function checkPoolName(field: FieldPath): void {
  const name = field.text();
  if (name === '') {
    field.required();
    return;
  }
  if (Buffer.byteLength(name) > 253) field.tooLong(253);
  for (const part of name.split('/')) field.invalidEach(part, dns1123SubdomainProblems(part));
}

/** Validates the name of an attribute or capacity, which may have a domain. Source: resource/validation validateQualifiedName. */
export function checkQualifiedName(field: FieldPath): void {
  const parts = field.text().split('/');
  const [first = '', second = ''] = parts;
  if (parts.length === 1) checkIdentifier(field.withValue(first));
  if (parts.length > 2 && field.server.since('v1.38')) field.invalid('must not contain more than one slash');
  if (parts.length !== 2) return;
  if (first === '') field.invalid('', 'the domain must not be empty');
  else checkDriverName(field.withValue(first));
  if (second === '') field.invalid('', 'the name must not be empty');
  else checkIdentifier(field.withValue(second));
}

/** Returns the field of a map key; up to v1.35 it follows the map's name in brackets. Source: resource/validation validateMap. */
export function keyPlace(map: FieldPath, key: string): FieldPath {
  return map.shownAt(map.server.since('v1.36') ? map.path : `${map.path}[${key}]`).withValue(key);
}

/** The same for names that require a domain. */
export function checkFullyQualifiedName(field: FieldPath): void {
  checkQualifiedName(field);
  if (!field.text().includes('/'))
    field.invalid(
      field.server.since('v1.35') ? 'a fully qualified name must be a domain and a name separated by a slash' : 'must include a domain',
    );
}

function checkIdentifier(field: FieldPath): void {
  if (Buffer.byteLength(field.text()) > 32) field.tooLong(32);
  checkName(field, cIdentifierProblems);
}
