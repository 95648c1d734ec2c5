import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { declared } from '../../../apiserver/registry/validation/declared.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import { checkDeclaredImmutable, checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { addDuplicate, addRequired, at, isSet, itemsAt, textAt, textOf } from '../../../apiserver/registry/validation/place.js';
import { checkLabels, checkName } from '../../../apiserver/registry/validation/rules.js';
import { dns1123LabelProblems } from '../../../kubernetes/name-rules.js';
import { checkResources } from '../../core/pod/validation/container-resources.js';
import { deprecatedIn } from '../../core/pod/validation/node-labels.js';
import { checkTolerations } from '../../core/pod/validation/scheduling.js';

/** Source: node/validation ValidateRuntimeClass. */
const runtimeClassRules: KindRules = {
  create: checkRuntimeClass,
  update: [
    'metadata',
    (now, old) => {
      // Among the errors of declarative validation it is the first.
      if (now.server.since('v1.37')) checkDeclaredImmutable(now, old, handlerMember);
    },
    checkRuntimeClass,
    'changes',
    (now, old) => {
      if (!now.server.since('v1.37')) checkImmutable(now, old, handlerMember);
    },
  ],
  warnings: runtimeClass => {
    const selector = at(runtimeClass, 'scheduling', 'nodeSelector');
    return deprecatedIn(selector).map(([, message]) => `${selector.path}: ${message}`);
  },
};

const handlerMember = { type: 'node/v1.RuntimeClass', name: 'handler' };

function checkRuntimeClass(place: Place, old?: Place): void {
  const handler = at(place, 'handler');
  const before = old === undefined ? undefined : at(old, 'handler');
  if (textOf(handler) === '' && place.server.since('v1.36')) declared(handler, before, () => addRequired(handler));
  // A changed handler fails for that alone.
  else if (before === undefined) declared(handler, before, () => checkName(handler, dns1123LabelProblems));
  else checkName(handler, dns1123LabelProblems);
  const overhead = at(place, 'overhead');
  // Amounts are validated as limits, with their names.
  if (isSet(overhead)) checkResources({ ...overhead, value: new Map([['limits', at(overhead, 'podFixed').value ?? null]]) }, new Set());
  const scheduling = at(place, 'scheduling');
  checkLabels(at(scheduling, 'nodeSelector'));
  const tolerations = at(scheduling, 'tolerations');
  checkTolerations(place.server.until('v1.34') ? { ...tolerations, path: `${tolerations.path}.tolerations` } : tolerations);
  const seen = new Set<string>();
  for (const toleration of itemsAt(scheduling, 'tolerations')) {
    const key = JSON.stringify(['key', 'operator', 'value', 'effect'].map(name => textAt(toleration, name)));
    if (seen.has(key)) addDuplicate(toleration, internalValue(place.server, 'core/v1.Toleration', toleration.value));
    seen.add(key);
  }
}

/** RuntimeClass. */
export const runtimeClassKind: KindDefinition = {
  validation: runtimeClassRules,
  allowsCreateOnUpdate: true,
  allowsUnconditionalUpdate: false,
  anyFinalizers: true,
};
