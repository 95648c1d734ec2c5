import { type ConversionRules, zeroWhereAbsent } from '../../apiserver/objects/conversion-rules.js';

/** Source: kubernetes pkg/apis/certificates conversions. */
export const certificatesConversions: ConversionRules = {
  'certificates/v1beta1.CertificateSigningRequestSpec': zeroWhereAbsent({ signerName: '' }),
};
