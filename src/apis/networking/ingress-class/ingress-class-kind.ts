import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { dns1123LabelProblems, dns1123SubdomainProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { checkDomainPath } from '../../batch/job/job-validation.js';

/** Source: networking/validation ValidateIngressClass. */
const ingressClassRules: KindRules = {
  create: checkIngressClass,
  update: [
    'changes',
    (now, old) => checkImmutable(now.child('spec'), old.child('spec'), { type: 'networking/v1.IngressClassSpec', name: 'controller' }),
    'metadata',
    checkIngressClass,
  ],
};

function checkIngressClass(field: FieldPath): void {
  const controller = field.child('spec', 'controller');
  if (Buffer.byteLength(controller.text()) > 250) controller.tooLong(250);
  checkDomainPath(controller);
  const parameters = field.child('spec', 'parameters');
  if (!parameters.isSet()) return;
  if (parameters.has('apiGroup')) checkName(parameters.child('apiGroup'), dns1123SubdomainProblems);
  for (const key of ['kind', 'name']) {
    const member = parameters.child(key);
    if (member.text() === '') member.required();
    else checkName(member, pathSegmentProblems);
  }
  const [scope, namespace] = [parameters.child('scope'), parameters.child('namespace')];
  if (!scope.isSet()) scope.required();
  if (!['Cluster', 'Namespace'].includes(scope.text())) scope.notSupportedText(['Cluster', 'Namespace']);
  else if (scope.text() === 'Cluster') {
    if (namespace.isSet()) namespace.forbidden("`parameters.scope` is set to 'Cluster'");
  } else if (!namespace.isSet()) namespace.required("`parameters.scope` is set to 'Namespace'");
  else checkName(namespace, dns1123LabelProblems);
}

/** IngressClass. */
export const ingressClassKind: KindDefinition = { validation: ingressClassRules, hasGeneration: true };
