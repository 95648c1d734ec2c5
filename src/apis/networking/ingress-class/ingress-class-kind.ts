import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { declared } from '../../../apiserver/registry/validation/declared.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { addForbidden, addRequired, addUnsupportedText, at, hasSet, isSet, textOf } from '../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { tooLong } from '../../../kubernetes/field-error.js';
import { dns1123LabelProblems, dns1123SubdomainProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { checkDomainPath } from '../../batch/job/job-validation.js';

/** Source: networking/validation ValidateIngressClass. */
const ingressClassRules: KindRules = {
  create: checkIngressClass,
  update: [
    'changes',
    (now, old) => checkImmutable(at(now, 'spec'), at(old, 'spec'), { type: 'networking/v1.IngressClassSpec', name: 'controller' }),
    'metadata',
    checkIngressClass,
  ],
};

function checkIngressClass(place: Place, old?: Place): void {
  const controller = at(place, 'spec', 'controller');
  if (Buffer.byteLength(textOf(controller)) > 250) controller.errors.push(tooLong(controller.path, 250));
  checkDomainPath(controller);
  const parameters = at(place, 'spec', 'parameters');
  if (!isSet(parameters)) return;
  if (hasSet(parameters, 'apiGroup')) checkName(at(parameters, 'apiGroup'), dns1123SubdomainProblems);
  for (const key of ['kind', 'name']) {
    const member = at(parameters, key);
    if (textOf(member) === '') declared(member, old && at(old, 'spec', 'parameters', key), () => addRequired(member));
    else checkName(member, pathSegmentProblems);
  }
  const [scope, namespace] = [at(parameters, 'scope'), at(parameters, 'namespace')];
  if (!isSet(scope)) addRequired(scope);
  if (!['Cluster', 'Namespace'].includes(textOf(scope))) addUnsupportedText(scope, ['Cluster', 'Namespace']);
  else if (textOf(scope) === 'Cluster') {
    if (isSet(namespace)) addForbidden(namespace, "`parameters.scope` is set to 'Cluster'");
  } else if (!isSet(namespace)) addRequired(namespace, "`parameters.scope` is set to 'Namespace'");
  else checkName(namespace, dns1123LabelProblems);
}

/** IngressClass. */
export const ingressClassKind: KindDefinition = { validation: ingressClassRules, hasGeneration: true };
