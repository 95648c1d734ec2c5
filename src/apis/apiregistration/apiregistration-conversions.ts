import { type ConversionRules, zeroWhereAbsent } from '../../apiserver/objects/conversion-rules.js';

/** Source: kube-aggregator pkg/apis/apiregistration conversions. */
export const apiregistrationConversions: ConversionRules = {
  'apiregistration/v1.ServiceReference': zeroWhereAbsent({ port: 0n }),
  'apiregistration/v1beta1.ServiceReference': zeroWhereAbsent({ port: 0n }),
};
