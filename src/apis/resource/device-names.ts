import { encodeTyped } from '../../apiserver/objects/encode-typed.js';
import { declared } from '../../apiserver/registry/validation/declared.js';
import {
  addDuplicate,
  addInvalid,
  addProblems,
  addRequired,
  at,
  indexed,
  lengthOf,
  type Place,
  textOf,
} from '../../apiserver/registry/validation/place.js';
import { checkName } from '../../apiserver/registry/validation/rules.js';
import { isMap, type RawJson } from '../../go/value.js';
import { tooLong, tooMany } from '../../kubernetes/field-error.js';
import { cIdentifierProblems, dns1123SubdomainProblems, longNameProblems } from '../../kubernetes/name-rules.js';
import { structNamed } from '../../kubernetes/type-table.js';
import { checkDriverName } from '../core/pod/validation/volume-sources.js';

/** Validates the items of a list, unless it is too long: then that is the only error. Source: resource/validation validateSlice. */
export function checkItems(list: Place, maximum: number, check: (item: Place) => void): void {
  const count = lengthOf(list);
  if (count > maximum) declared(list, undefined, () => list.errors.push(tooMany(list.path, count, maximum)));
  else for (const item of indexed(list)) check(item);
}

/** Validates items that are unique by a key, which errors show. Source: resource/validation validateSet. */
export function checkSet(
  list: Place,
  maximum: number,
  rules: {
    readonly check: (item: Place) => void;
    readonly key: (item: Place) => string | RawJson;
    /** The member with the key, which v1.34 includes in errors. */
    readonly member?: string;
    /** Struct of the items, which errors of declarative validation show whole; absent for a set of texts. */
    readonly struct?: string;
    /** Whether only hand-written validation checks that the items are unique. */
    readonly byHand?: true;
  },
): void {
  checkItems(list, maximum, rules.check);
  if (lengthOf(list) > maximum) return;
  const seen = new Set<string>();
  for (const item of indexed(list)) {
    const shown = rules.key(item);
    const key = typeof shown === 'string' ? shown : shown.rawJson;
    if (seen.has(key)) {
      const place = rules.member === undefined || list.server.since('v1.35') ? item : at(item, rules.member);
      if (rules.byHand) addDuplicate(place, shown);
      else declared(place, undefined, isDeclared => addDuplicate(place, isDeclared ? wholeItem(item, rules.struct, shown) : shown));
    }
    seen.add(key);
  }
}

/** Returns an item as declarative validation shows it. */
function wholeItem(item: Place, struct: string | undefined, shown: string | RawJson): string | RawJson {
  if (struct === undefined || !isMap(item.value)) return shown;
  return { rawJson: encodeTyped(item.value, structNamed(item.server, struct)) };
}

/** Validates the name of a pool: subdomains separated by slashes. */
export function checkPoolName(place: Place): void {
  const name = textOf(place);
  if (name === '') {
    addRequired(place);
    return;
  }
  if (Buffer.byteLength(name) > 253) place.errors.push(tooLong(place.path, 253));
  for (const part of name.split('/')) addProblems(place, dns1123SubdomainProblems(part), part);
}

/** Validates the name of a pool where declarative validation does so, too, and in its own words. Source: resource/v1 zz_generated.validations.go. */
export function checkDeclaredPoolName(pool: Place): void {
  declared(pool, undefined, isDeclared => (isDeclared && textOf(pool) !== '' ? checkSegmentedPoolName(pool) : checkPoolName(pool)));
}

/** Validates the name of a pool as declarative validation does. Source: apimachinery api/validate ResourcePoolName. */
export function checkSegmentedPoolName(pool: Place): void {
  const name = textOf(pool);
  if (Buffer.byteLength(name) > 253) pool.errors.push(tooLong(pool.path, 253));
  for (const [i, segment] of name.split('/').entries()) {
    if (segment === '') addInvalid(pool, `segment ${i}: must not be empty`);
    else
      addProblems(
        pool,
        longNameProblems(segment).map(problem => `segment ${i}: ${problem}`),
        segment,
      );
  }
}

/** Validates the name of an attribute or capacity, which may have a domain. Source: resource/validation validateQualifiedName. */
export function checkQualifiedName(place: Place): void {
  const parts = textOf(place).split('/');
  const [first = '', second = ''] = parts;
  if (parts.length === 1) checkIdentifier({ ...place, value: first });
  if (parts.length > 2 && place.server.since('v1.38')) addInvalid(place, 'must not contain more than one slash');
  if (parts.length !== 2) return;
  if (first === '') addInvalid(place, 'the domain must not be empty', '');
  else checkDriverName({ ...place, value: first });
  if (second === '') addInvalid(place, 'the name must not be empty', '');
  else checkIdentifier({ ...place, value: second });
}

/** Returns a map key as a place; up to v1.35 it follows the map's name in brackets. Source: resource/validation validateMap. */
export function keyPlace(map: Place, key: string): Place {
  return { ...map, path: map.server.since('v1.36') ? map.path : `${map.path}[${key}]`, value: key };
}

/** The same for names that require a domain. */
export function checkFullyQualifiedName(place: Place): void {
  checkQualifiedName(place);
  if (!textOf(place).includes('/'))
    addInvalid(
      place,
      place.server.since('v1.35') ? 'a fully qualified name must be a domain and a name separated by a slash' : 'must include a domain',
    );
}

function checkIdentifier(place: Place): void {
  if (Buffer.byteLength(textOf(place)) > 32) place.errors.push(tooLong(place.path, 32));
  checkName(place, cIdentifierProblems);
}
