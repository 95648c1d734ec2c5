import type { Attributes } from '../apiserver/admission/attributes.js';
import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { admissionRefusal } from '../apiserver/admission/name-in-refusal.js';

/** AlwaysAdmit: deprecated, does nothing. Source: kubernetes plugin/pkg/admission/admit. */
export const alwaysAdmit: AdmissionPlugin = { name: 'AlwaysAdmit', operations: [] };

/** AlwaysDeny: deprecated, refuses everything after the mutating webhooks. Source: kubernetes plugin/pkg/admission/deny. */
export const alwaysDeny: AdmissionPlugin = {
  name: 'AlwaysDeny',
  operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  admit: deny,
  validate: deny,
};

function deny(attributes: Attributes): void {
  throw admissionRefusal(attributes, 'admission control is denying all modifications');
}
