import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { addRequired, at } from '../../../apiserver/registry/validation/place.js';
import { checkNonNegative } from '../../../apiserver/registry/validation/rules.js';

/** Source: apps/validation ValidateControllerRevisionCreate. */
const controllerRevisionRules: KindRules = {
  create: revision => {
    checkNonNegative(at(revision, 'revision'));
    checkRevisionData(at(revision, 'data'));
  },
  update: [
    'changes',
    'metadata',
    revision => checkNonNegative(at(revision, 'revision')),
    (now, old) => checkImmutable(now, old, { type: 'apps/v1.ControllerRevision', name: 'data' }),
  ],
};

function checkRevisionData(data: Place): void {
  const { value } = data;
  const raw = typeof value === 'object' && value !== null && 'rawJson' in value ? value.rawJson : undefined;
  if (value instanceof Map) return;
  if (raw === undefined || raw === 'null') addRequired(data, 'data is mandatory');
  else if (!raw.startsWith('{')) addRequired(data, 'data must be a valid JSON object');
}

/** ControllerRevision. */
export const controllerRevisionKind: KindDefinition = { validation: controllerRevisionRules };
