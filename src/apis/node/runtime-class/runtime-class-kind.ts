import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
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
    checkRuntimeClass,
    'changes',
    (now, old) => checkImmutable(now, old, { type: 'node/v1.RuntimeClass', name: 'handler' }),
  ],
  warnings: runtimeClass => {
    const selector = runtimeClass.child('scheduling', 'nodeSelector');
    return deprecatedIn(selector).map(([, message]) => `${selector.path}: ${message}`);
  },
};

function checkRuntimeClass(field: FieldPath): void {
  const handler = field.child('handler');
  if (handler.text() === '' && field.server.since('v1.36')) handler.required();
  else checkName(handler, dns1123LabelProblems);
  const overhead = field.child('overhead');
  // Amounts are validated as limits, with their names.
  if (overhead.isSet()) checkResources(overhead.withValue(new Map([['limits', overhead.child('podFixed').value ?? null]])), new Set());
  const scheduling = field.child('scheduling');
  checkLabels(scheduling.child('nodeSelector'));
  const tolerations = scheduling.child('tolerations');
  checkTolerations(field.server.until('v1.34') ? tolerations.shownAt(`${tolerations.path}.tolerations`) : tolerations);
  const seen = new Set<string>();
  for (const toleration of scheduling.items('tolerations')) {
    const key = JSON.stringify(['key', 'operator', 'value', 'effect'].map(name => toleration.text(name)));
    if (seen.has(key)) toleration.duplicate(internalValue(field.server, 'core/v1.Toleration', toleration.value));
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
