import type { KindDefinition } from '../../apiserver/registry/kind-definition.js';
import { declaredEnum, declaredImmutable, declaredText, declaredUnion } from '../../apiserver/registry/validation/declared-checks.js';
import type { FieldPath } from '../../apiserver/registry/validation/field-path.js';
import { dns1123SubdomainProblems, labelKeyProblems, uuidProblems } from '../../kubernetes/name-rules.js';

const common = { hasGeneration: true, resetsStatus: true, keepsMetadataInStatus: true, allowsUnconditionalUpdate: false } as const;

/** Eviction of lifecycle.k8s.io. Source: kubernetes pkg/registry/lifecycle/eviction, and the tags of api lifecycle/v1alpha1. */
export const evictionKind: KindDefinition = {
  ...common,
  validation: {
    create: checkTarget,
    update: ['changes', (now, old) => declaredImmutable(now.child('spec'), old.child('spec'), ['target'])],
  },
  notValidated: 'the validation of the status of Eviction objects is not reproduced',
};

/** EvictionRequest. Source: kubernetes pkg/registry/lifecycle/evictionrequest. */
export const evictionRequestKind: KindDefinition = {
  ...common,
  validation: { create: checkRequest, update: ['changes', keepRequest] },
};

function checkTarget(object: FieldPath): void {
  const target = object.child('spec', 'target');
  declaredUnion(target, ['pod']);
  if (!target.has('pod')) return;
  declaredText(target.child('pod', 'name'), dns1123SubdomainProblems, true);
  const uid = target.child('pod', 'uid');
  declaredText(uid, uuidProblems, true);
}

function checkRequest(request: FieldPath): void {
  checkTarget(request);
  const requester = request.child('spec', 'requester');
  declaredText(requester, text => requesterProblems(request, text), true);
  checkIntent(request.child('spec', 'intent'));
}

/** Source: apimachinery api/validate/content IsPrefixedLabelKey, and lifecycle/v1alpha1 ValidateCustom_EvictionRequestSpec_Requester. */
function requesterProblems({ server }: FieldPath, text: string): string[] {
  const problems = labelKeyProblems(server, text);
  if (problems.length === 0 && !text.includes('/')) problems.push("must include a prefix (e.g. 'example.com/key')");
  const domain = (text.split('/')[0] ?? '').trim().toLowerCase().replace(/\.+$/, '');
  if (/(^|\.)(k8s|kubernetes)\.io$/.test(domain)) problems.push('domain names *.k8s.io, *.kubernetes.io are reserved');
  return problems;
}

function checkIntent(intent: FieldPath): void {
  declaredEnum(intent, ['Eviction', 'Withdrawn'], true);
}

function keepRequest(request: FieldPath, old: FieldPath): void {
  declaredImmutable(request.child('spec'), old.child('spec'), ['target', 'requester']);
  if (request.child('spec', 'intent').text() !== old.child('spec', 'intent').text()) checkIntent(request.child('spec', 'intent'));
}
