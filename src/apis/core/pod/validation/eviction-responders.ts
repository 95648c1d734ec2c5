import { encodeTyped } from '../../../../apiserver/objects/encode-typed.js';
import { declared } from '../../../../apiserver/registry/validation/declared.js';
import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { checkName } from '../../../../apiserver/registry/validation/rules.js';
import { labelKeyProblems } from '../../../../kubernetes/name-rules.js';
import { structNamed } from '../../../../kubernetes/type-table.js';

const maxResponders = 10;

/** Validates who takes part in evictions of a pod. Source: kubernetes pkg/apis/core/v1/zz_generated.validations.go. */
export function checkEvictionResponders(spec: FieldPath): void {
  const responders = spec.child('evictionResponders');
  const count = responders.length();
  if (count === 0) return;
  const group = spec.child('schedulingGroup');
  if (group.isSet()) group.forbidden('may not be set when evictionResponders is set');
  declared(responders, undefined, () => {
    if (count > maxResponders) responders.tooMany(count, maxResponders);
    else checkEach(responders);
  });
}

function checkEach(responders: FieldPath): void {
  const names = new Set<string>();
  const seen: FieldPath[] = [];
  for (const responder of responders.items()) {
    const name = responder.text('name');
    if (names.has(name))
      responder.duplicate({ rawJson: encodeTyped(responder.members(), structNamed(responder.server, 'core/v1.EvictionResponder')) });
    names.add(name);
    seen.push(responder);
  }
  for (const responder of seen) checkResponder(responder);
}

function checkResponder(responder: FieldPath): void {
  const [name, priority] = [responder.child('name'), responder.child('priority')];
  if (name.text() === '') name.required();
  else if (labelKeyProblems(name.server, name.text()).length > 0) checkName(name, text => labelKeyProblems(name.server, text));
  else if (!name.text().includes('/')) name.invalid("must include a prefix (e.g. 'example.com/key')");
  if (!priority.isSet()) priority.required();
  else if (priority.number() > 100_000n) priority.invalid('must be less than or equal to 100000');
  else if (priority.number() < 0n) priority.invalid('must be greater than or equal to 0');
  else if (priority.number() < 1000n) priority.invalid('priorities 0-999 are reserved for responders with *.k8s.io suffix');
}
