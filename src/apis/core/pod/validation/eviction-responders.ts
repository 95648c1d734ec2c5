import { encodeTyped } from '../../../../apiserver/objects/encode-typed.js';
import { declared } from '../../../../apiserver/registry/validation/declared.js';
import {
  addDuplicate,
  addForbidden,
  addInvalid,
  addRequired,
  at,
  indexed,
  isSet,
  lengthOf,
  mapOf,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../../apiserver/registry/validation/rules.js';
import { tooMany } from '../../../../kubernetes/field-error.js';
import { labelKeyProblems } from '../../../../kubernetes/name-rules.js';
import { structNamed } from '../../../../kubernetes/type-table.js';

const maxResponders = 10;

/** Validates who takes part in evictions of a pod. Source: kubernetes pkg/apis/core/v1/zz_generated.validations.go. */
export function checkEvictionResponders(spec: Place): void {
  const responders = at(spec, 'evictionResponders');
  const count = lengthOf(responders);
  if (count === 0) return;
  const group = at(spec, 'schedulingGroup');
  if (isSet(group)) addForbidden(group, 'may not be set when evictionResponders is set');
  declared(responders, undefined, () => {
    if (count > maxResponders) responders.errors.push(tooMany(responders.path, count, maxResponders));
    else checkEach(responders);
  });
}

function checkEach(responders: Place): void {
  const names = new Set<string>();
  const seen: Place[] = [];
  for (const responder of indexed(responders)) {
    const name = textAt(responder, 'name');
    if (names.has(name))
      addDuplicate(responder, { rawJson: encodeTyped(mapOf(responder), structNamed(responder.server, 'core/v1.EvictionResponder')) });
    names.add(name);
    seen.push(responder);
  }
  for (const responder of seen) checkResponder(responder);
}

function checkResponder(responder: Place): void {
  const [name, priority] = [at(responder, 'name'), at(responder, 'priority')];
  if (textOf(name) === '') addRequired(name);
  else if (labelKeyProblems(name.server, textOf(name)).length > 0) checkName(name, text => labelKeyProblems(name.server, text));
  else if (!textOf(name).includes('/')) addInvalid(name, "must include a prefix (e.g. 'example.com/key')");
  if (!isSet(priority)) addRequired(priority);
  else if (numberOf(priority) > 100_000n) addInvalid(priority, 'must be less than or equal to 100000');
  else if (numberOf(priority) < 0n) addInvalid(priority, 'must be greater than or equal to 0');
  else if (numberOf(priority) < 1000n) addInvalid(priority, 'priorities 0-999 are reserved for responders with *.k8s.io suffix');
}
