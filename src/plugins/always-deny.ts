import type { Attributes } from '../apiserver/admission/attributes.js';
import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { refusal } from '../apiserver/admission/name-in-refusal.js';

/** Deprecated: refuses everything, after the mutating webhooks were called. Source: kubernetes plugin/pkg/admission/deny. */
export const alwaysDeny: AdmissionPlugin = {
  name: 'AlwaysDeny',
  operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  admit: deny,
  validate: deny,
};

function deny(attributes: Attributes): void {
  throw refusal(attributes, 'admission control is denying all modifications');
}
