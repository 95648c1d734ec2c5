import type { AdmissionPlugin } from '../apiserver/admission/chain.js';

/** Deprecated: does nothing. Source: kubernetes plugin/pkg/admission/admit. */
export const alwaysAdmit: AdmissionPlugin = { name: 'AlwaysAdmit', operations: [] };
