import type { CelError, CelValue, FoundValue } from '../values/value.js';
import { attributeId, qualifyBy, qualifyByIfPresent } from './attribute.js';
import type { Attribute, EvaluationFrame, Presence, Qualifier } from './frame.js';
import { observeUnit } from './observe.js';
import { lookUp, lookUpIfPresent } from './qualifier.js';

/** A constant key: a field name or a literal. */
export function constantQualifier(id: number, key: CelValue, optional: boolean): Qualifier {
  return watched({
    id: () => id,
    optional,
    qualify: (_, target) => lookUp(target, key),
    qualifyIfPresent: (_, target) => lookUpIfPresent(target, key),
  });
}

/** The presence test of `has(a.b)`. */
export function presenceQualifier(id: number, key: CelValue): Qualifier {
  return watched({
    id: () => id,
    optional: false,
    qualify: (_, target) => {
      const presence = lookUpIfPresent(target, key);
      return 'present' in presence ? presence.present : presence;
    },
    qualifyIfPresent: (_, target) => lookUpIfPresent(target, key),
  });
}

/** A key that is the value of an attribute. */
export function attributeQualifier(id: number, attribute: Attribute, optional: boolean): Qualifier {
  return watched({
    id: () => id,
    optional,
    qualify: (frame, target) => qualifyBy(attribute, frame, target),
    qualifyIfPresent: (frame, target) => qualifyByIfPresent(attribute, frame, target),
  });
}

/** A computed key: the attribute wraps the step that computes it. */
export function computedQualifier(attribute: Attribute, optional: boolean): Qualifier {
  const id = () => attributeId(attribute);
  const account = (frame: EvaluationFrame, value: FoundValue) => {
    frame.tracker?.drop(id());
    observeUnit(frame, id(), value);
  };
  return watchedBy(account, {
    id,
    optional,
    qualify: (frame, target) => qualifyBy(attribute, frame, target),
    qualifyIfPresent: (frame, target) => qualifyByIfPresent(attribute, frame, target),
  });
}

/** Every qualifier costs one. */
function watched(qualifier: Qualifier): Qualifier {
  return watchedBy((frame, value) => observeUnit(frame, qualifier.id(), value), qualifier);
}

function watchedBy(account: (frame: EvaluationFrame, value: FoundValue) => void, inner: Qualifier): Qualifier {
  const qualify = (frame: EvaluationFrame, target: FoundValue): FoundValue => {
    const found = inner.qualify(frame, target);
    if (frame.tracker !== undefined) account(frame, found);
    return found;
  };
  const qualifyIfPresent = (frame: EvaluationFrame, target: FoundValue, presenceOnly: boolean): Presence | CelError => {
    const presence = inner.qualifyIfPresent(frame, target, presenceOnly);
    // Missing values and errors have no cost.
    if (frame.tracker !== undefined && 'present' in presence && presence.present) account(frame, presence.found);
    else if (frame.tracker !== undefined && presenceOnly) account(frame, 'present' in presence ? false : presence);
    return presence;
  };
  return { ...inner, qualify, qualifyIfPresent };
}
