import type { KindDefinition } from '../../apiserver/registry/kind-definition.js';
import { declaredEnum, declaredImmutable, declaredText, declaredUnion } from '../../apiserver/registry/validation/declared-checks.js';
import { at, hasSet, type Place, textOf } from '../../apiserver/registry/validation/place.js';
import { dns1123SubdomainProblems, labelKeyProblems, uuidProblems } from '../../kubernetes/name-rules.js';

const common = { hasGeneration: true, resetsStatus: true, keepsMetadataInStatus: true, allowsUnconditionalUpdate: false } as const;

/** Eviction of lifecycle.k8s.io. Source: kubernetes pkg/registry/lifecycle/eviction, and the tags of api lifecycle/v1alpha1. */
export const evictionKind: KindDefinition = {
  ...common,
  validation: { create: checkTarget, update: ['changes', (now, old) => declaredImmutable(at(now, 'spec'), at(old, 'spec'), ['target'])] },
  notValidated: 'the validation of the status of Eviction objects is not reproduced',
};

/** EvictionRequest. Source: kubernetes pkg/registry/lifecycle/evictionrequest. */
export const evictionRequestKind: KindDefinition = {
  ...common,
  validation: { create: checkRequest, update: ['changes', keepRequest] },
};

function checkTarget(object: Place): void {
  const target = at(object, 'spec', 'target');
  declaredUnion(target, ['pod']);
  if (!hasSet(target, 'pod')) return;
  declaredText(at(target, 'pod', 'name'), dns1123SubdomainProblems, true);
  const uid = at(target, 'pod', 'uid');
  declaredText(uid, uuidProblems, true);
}

function checkRequest(request: Place): void {
  checkTarget(request);
  const requester = at(request, 'spec', 'requester');
  declaredText(requester, text => requesterProblems(request, text), true);
  checkIntent(at(request, 'spec', 'intent'));
}

/** Source: apimachinery api/validate/content IsPrefixedLabelKey, and lifecycle/v1alpha1 ValidateCustom_EvictionRequestSpec_Requester. */
function requesterProblems({ server }: Place, text: string): string[] {
  const problems = labelKeyProblems(server, text);
  if (problems.length === 0 && !text.includes('/')) problems.push("must include a prefix (e.g. 'example.com/key')");
  const domain = (text.split('/')[0] ?? '').trim().toLowerCase().replace(/\.+$/, '');
  if (/(^|\.)(k8s|kubernetes)\.io$/.test(domain)) problems.push('domain names *.k8s.io, *.kubernetes.io are reserved');
  return problems;
}

function checkIntent(intent: Place): void {
  declaredEnum(intent, ['Eviction', 'Withdrawn'], true);
}

function keepRequest(request: Place, old: Place): void {
  declaredImmutable(at(request, 'spec'), at(old, 'spec'), ['target', 'requester']);
  if (textOf(at(request, 'spec', 'intent')) !== textOf(at(old, 'spec', 'intent'))) checkIntent(at(request, 'spec', 'intent'));
}
