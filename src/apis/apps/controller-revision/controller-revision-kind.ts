import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkNonNegative } from '../../../apiserver/registry/validation/rules.js';

/** Source: apps/validation ValidateControllerRevisionCreate. */
const controllerRevisionRules: KindRules = {
  create: revision => {
    checkNonNegative(revision.child('revision'));
    checkRevisionData(revision.child('data'));
  },
  update: [
    'changes',
    'metadata',
    revision => checkNonNegative(revision.child('revision')),
    (now, old) => checkImmutable(now, old, { type: 'apps/v1.ControllerRevision', name: 'data' }),
  ],
};

function checkRevisionData(data: FieldPath): void {
  const { value } = data;
  const raw = typeof value === 'object' && value !== null && 'rawJson' in value ? value.rawJson : undefined;
  if (value instanceof Map) return;
  if (raw === undefined || raw === 'null') data.required('data is mandatory');
  else if (!raw.startsWith('{')) data.required('data must be a valid JSON object');
}

/** ControllerRevision. */
export const controllerRevisionKind: KindDefinition = { validation: controllerRevisionRules };
