import type { Attributes } from '../apiserver/admission/attributes.js';
import type { AdmissionContext } from '../apiserver/admission/chain.js';
import { admissionRefusal } from '../apiserver/admission/name-in-refusal.js';
import { authorizerOf } from '../apiserver/authorization/authorizer-of.js';
import type { AuthorizerAnswer, ResourceParts } from '../cel/library/authorizer.js';
import { quote } from '../go/quote.js';

/** Verb and resource of a permission; unspecified parts are empty. */
export type Deed = { readonly verb: string } & Partial<ResourceParts>;

const anything: ResourceParts = {
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  fieldSelector: '',
  labelSelector: '',
};

/** Authorizes the user of the request by the roles of the state; without any roles everything is allowed, with a note. */
export function permission(attributes: Attributes, context: AdmissionContext, deed: Deed): AuthorizerAnswer {
  const { user } = attributes;
  // The API server allows members of system:masters before it evaluates roles.
  if (user.groups.includes('system:masters')) return { allowed: true, reason: '', error: undefined };
  return authorizerOf(context, attributes).authorize({ ...anything, ...deed, user });
}

/** Refuses a user without a permission for a signer or all of its domain. Source: kubernetes pkg/certauthorization. */
export function checkSigner(
  attributes: Attributes,
  context: AdmissionContext,
  { verb, signer, action }: { readonly verb: string; readonly signer: string; readonly action: string },
): void {
  const allowed = [signer, `${signer.split('/', 1)[0]}/*`].some(
    name => permission(attributes, context, { verb, group: 'certificates.k8s.io', resource: 'signers', name }).allowed,
  );
  if (!allowed) throw admissionRefusal(attributes, `user not permitted to ${action} signerName ${quote(signer)}`);
}
