import type { Refinement, StrategyContext } from '../../../apiserver/registry/strategy.js';
import { mapAt, type ValueMap } from '../../../go/value.js';
import { addNote } from '../../../kubernetes/call-notes.js';

/** Policies and their bindings with parameters, which whoever writes them must be allowed to read. Source: kubernetes pkg/registry/admissionregistration, the files authz.go. */
export const admissionPolicy: Refinement = base => ({
  ...base,
  validate: (object, context) => {
    noteParameters(object, context);
    return base.validate(object, context);
  },
  validateUpdate: (object, old, context) => {
    noteParameters(object, context);
    return base.validateUpdate(object, old, context);
  },
});

function noteParameters(object: ValueMap, { user, record }: StrategyContext): void {
  const spec = mapAt(object, 'spec');
  if ((spec?.has('paramKind') || spec?.has('paramRef')) && !user.groups.includes('system:masters'))
    addNote(record, 'whether the user may read the parameters of the policy is not asked of the roles');
}
