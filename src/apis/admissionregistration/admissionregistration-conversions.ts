import { type ConversionRules, zeroWhereAbsent } from '../../apiserver/objects/conversion-rules.js';

/** Source: kubernetes pkg/apis/admissionregistration conversions. */
export const admissionregistrationConversions: ConversionRules = {
  'admissionregistration/v1.ServiceReference': zeroWhereAbsent({ port: 0n }),
  'admissionregistration/v1beta1.ServiceReference': zeroWhereAbsent({ port: 0n }),
};
