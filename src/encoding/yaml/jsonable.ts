import { formatFloat } from '../../go/float.js';
import type { Value, ValueMap } from '../../go/value.js';
import { type GoMap, type GoScalar, type GoValue, goSyntax, isUint64 } from './go-values.js';
import type { YamlNode } from './nodes.js';
import { resolveScalar } from './resolve.js';
import { YamlError } from './yaml-error.js';

/**
 * Converts keys to strings, as JSON needs: numbers and booleans as text. Throws YamlError for a null key and for one beyond int64. Does not
 * recurse. Source: sigs.k8s.io/yaml convertToJSONableObject.
 */
export function jsonableOf(value: GoValue): Value {
  const unfilled: Unfilled[] = [];
  const make = (from: GoValue): Value => {
    if (from === null || typeof from !== 'object') return from;
    const to: Value[] | ValueMap = Array.isArray(from) ? [] : new Map();
    unfilled.push({ from, to });
    return to;
  };
  const made = make(value);
  for (let next = unfilled.pop(); next !== undefined; next = unfilled.pop()) {
    const { from, to } = next;
    if (Array.isArray(from)) {
      if (Array.isArray(to)) for (const item of from) to.push(make(item));
    } else if (!Array.isArray(to)) {
      for (const entry of from.values()) to.set(keyText(entry.key, entry.value), make(entry.value));
    }
  }
  return made;
}

/** Returns a node as a key of a JSON object; undefined if it cannot be one. */
export function decodeScalarKey(node: YamlNode): string | undefined {
  const target = node.kind === 'alias' ? node.target : node;
  if (target.kind !== 'scalar') return undefined;
  const key = resolveScalar(target);
  return key === null || (typeof key === 'bigint' && isUint64(key)) ? undefined : keyText(key, null);
}

interface Unfilled {
  readonly from: GoValue[] | GoMap;
  readonly to: Value[] | ValueMap;
}

function keyText(key: GoScalar, value: GoValue): string {
  if (typeof key === 'string') return key;
  if (key === null || (typeof key === 'bigint' && isUint64(key))) {
    const type = key === null ? '%!s(<nil>)' : 'uint64';
    throw new YamlError(`unsupported map key of type: ${type}, key: ${goSyntax(key)}, value: ${goSyntax(value)}`);
  }
  return typeof key === 'number' ? floatKey(key) : String(key);
}

/** A float key is written as a float32. */
function floatKey(key: number): string {
  const text = formatFloat(key, 'g', 32);
  return specialKeys.get(text) ?? text;
}

const specialKeys = new Map([
  ['+Inf', '.inf'],
  ['-Inf', '-.inf'],
  ['NaN', '.nan'],
]);
