import type { AdmissionPlugin } from '../apiserver/admission/chain.js';

/** AlwaysAdmit: deprecated, does nothing. Source: kubernetes plugin/pkg/admission/admit. */
export const alwaysAdmit: AdmissionPlugin = { name: 'AlwaysAdmit', operations: [] };
