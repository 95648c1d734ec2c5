import { type ConversionRules, zeroWhereAbsent } from '../../apiserver/objects/conversion-rules.js';

/** Source: kubernetes pkg/apis/authentication conversions. */
export const authenticationConversions: ConversionRules = {
  'authentication/v1.TokenRequestSpec': zeroWhereAbsent({ expirationSeconds: 0n }),
};
