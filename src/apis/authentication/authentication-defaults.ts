import { constants, type DefaultRules } from '../../apiserver/objects/default-rules.js';

/** Source: kubernetes pkg/apis/authentication/v1/defaults.go. */
export const authenticationDefaults: DefaultRules = {
  'authentication/v1.TokenRequestSpec': constants({ expirationSeconds: 3600n }),
};
