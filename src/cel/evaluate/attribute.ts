import { adapt, kindOfValue, rewrapped } from '../values/found.js';
import {
  type CelError,
  type CelValue,
  celError,
  type FoundValue,
  noSuchOverload,
  type Optional,
  optionalNone,
  optionalOf,
  typeValue,
} from '../values/value.js';
import type { Attribute, EvaluationFrame, Presence, Qualifier } from './frame.js';
import { invalidQualifier, lookUp, lookUpIfPresent, qualifierKeyOf } from './qualifier.js';

/** The node id of the last qualifier. */
export function attributeId(attribute: Attribute): number {
  if (attribute.kind !== 'conditional') return attribute.qualifiers.at(-1)?.id() ?? attribute.nodeId;
  const truthy = attributeId(attribute.truthy);
  return truthy === attributeId(attribute.falsy) ? truthy : attribute.nodeId;
}

export function addQualifier(attribute: Attribute, qualifier: Qualifier): void {
  if (attribute.kind === 'conditional') {
    addQualifier(attribute.truthy, qualifier);
    addQualifier(attribute.falsy, qualifier);
  } else attribute.qualifiers.push(qualifier);
}

/** Resolves an attribute to its value, or an error. Source: cel-go interpreter/attributes.go. */
export function resolveAttribute(attribute: Attribute, frame: EvaluationFrame): FoundValue {
  switch (attribute.kind) {
    case 'named': {
      const found = frame.resolve(attribute.name);
      if (found !== undefined) return isErrorFound(found) ? found : follow(frame, found, attribute.qualifiers);
      const isType = attribute.type !== undefined && attribute.qualifiers.length === 0;
      return isType && attribute.type !== undefined ? typeValue(attribute.type) : celError(`no such attribute(s): ${attribute.name}`);
    }
    case 'relative': {
      const value = attribute.operand.evaluate(frame);
      return isErrorFound(value) ? value : follow(frame, value, attribute.qualifiers);
    }
    case 'conditional': {
      const condition = attribute.condition.evaluate(frame);
      if (typeof condition !== 'boolean') return noSuchOverload(condition);
      return resolveAttribute(condition ? attribute.truthy : attribute.falsy, frame);
    }
  }
}

/** Looks up a value by the attribute's value as key. */
export function qualifyBy(attribute: Attribute, frame: EvaluationFrame, target: FoundValue): FoundValue {
  const key = resolvedKey(attribute, frame);
  return isErrorFound(key) ? key : lookUp(target, key);
}

/** Like qualifyBy, for a key that may be missing. */
export function qualifyByIfPresent(attribute: Attribute, frame: EvaluationFrame, target: FoundValue): Presence | CelError {
  const key = resolvedKey(attribute, frame);
  return isErrorFound(key) ? key : lookUpIfPresent(target, key);
}

/** Reports whether the value is an error. */
function isErrorFound(found: FoundValue): found is CelError {
  return typeof found === 'object' && found !== null && kindOfValue(found) === 'error';
}

function isOptionalFound(found: FoundValue): found is Optional {
  return typeof found === 'object' && found !== null && kindOfValue(found) === 'optional';
}

function resolvedKey(attribute: Attribute, frame: EvaluationFrame): CelValue {
  const found = resolveAttribute(attribute, frame);
  if (isErrorFound(found)) return found;
  return qualifierKeyOf(found) ?? celError(invalidQualifier(found));
}

/** Applies the qualifiers; after an optional one, a missing value makes the result none. */
function follow(frame: EvaluationFrame, from: FoundValue, qualifiers: readonly Qualifier[]): FoundValue {
  let at = from;
  let optional = false;
  if (isOptionalFound(at)) {
    if (at.value === undefined) return at;
    at = rewrapped(at.value);
    optional = true;
  }
  for (const qualifier of qualifiers) {
    optional ||= qualifier.optional;
    if (!optional) {
      at = qualifier.qualify(frame, at);
      if (isErrorFound(at)) return at;
      continue;
    }
    const presence = qualifier.qualifyIfPresent(frame, at, false);
    if (!('present' in presence)) return presence;
    if (!presence.present) return optionalNone;
    at = presence.found;
  }
  return optional ? optionalOf(adapt(at)) : at;
}
