import { type CelValue, celListOf, celNull, type FoundValue, isCelListValue } from '../../cel/values/value.js';
import { isNullNode, type JsonNode } from '../../go/json/node.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import type { Claims } from './json-claims.js';

/** Returns the value of the variable `claims`. Numbers are doubles. Source: apiserver oidc.go newClaimsValue. */
export function claimsValue(claims: Claims): FoundValue {
  return namedMap(new Map([...claims].map(([name, node]) => [name, claimValue(node)])), 'always');
}

/** Returns the value of the variable `user`. Source: apiserver oidc.go newUserInfoValue. */
export function userValue({ username, uid, groups, extra }: UserInfo): FoundValue {
  const lists = [...extra].map(([key, list]): [string, FoundValue] => [key, [...list]]);
  return new Map<string, FoundValue>([
    ['username', username],
    ['uid', uid],
    ['groups', [...groups]],
    ['extra', namedMap(new Map(lists), 'ifEscaped')],
  ]);
}

/**
 * Returns a text, or the texts of a list, without empty ones. Throws Error for another value, and for a list that a function of texts returns.
 * Source: apiserver oidc.go convertCELValueToStringList.
 */
export function textList(value: CelValue): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'object' && value.kind === 'null') return [];
  const isList = isCelListValue(value) && value.inside !== 'texts' && value.items.every(item => typeof item === 'string');
  if (!isList) throw new Error('expression must return a string or a list of strings');
  return value.items.map(String).filter(text => text !== '');
}

function claimValue(node: JsonNode): CelValue {
  switch (node.type) {
    case 'object':
      return namedMap(new Map(node.members.map(({ key, value }) => [key, claimValue(value)])), 'ifEscaped');
    case 'array':
      return { ...celListOf(node.items.map(claimValue)), inside: 'data' };
    case 'number':
      return Number(node.text);
    case 'string':
      return node.value;
    default:
      return isNullNode(node) ? celNull : node.value === true;
  }
}

/** A map whose keys expressions may escape: `claims.realm__dot__access`. Source: apiserver oidc.go unescapeMapper. */
function namedMap(byKey: ReadonlyMap<string, FoundValue>, unescapes: 'always' | 'ifEscaped'): CelValue {
  return { kind: 'map', entries: { keys: 'strings', byKey }, unescapes };
}
