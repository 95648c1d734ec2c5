import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { declared } from '../../../apiserver/registry/validation/declared.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import { checkDeclaredImmutable, checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
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
    const selector = runtimeClass.child('scheduling', 'nodeSelector');
    return deprecatedIn(selector).map(([, message]) => `${selector.path}: ${message}`);
  },
};

const handlerMember = { type: 'node/v1.RuntimeClass', name: 'handler' };

function checkRuntimeClass(field: FieldPath, old?: FieldPath): void {
  const handler = field.child('handler');
  const before = old?.child('handler');
  if (handler.text() === '' && field.server.since('v1.36')) declared(handler, before, () => handler.required());
  // A changed handler fails for that alone.
  else if (before === undefined) declared(handler, before, () => checkName(handler, dns1123LabelProblems));
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
