import { writeValue } from '../../go/json/write.js';
import { toValue } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { duplicate, type FieldError, invalidValue, tooMany } from '../../kubernetes/field-error.js';
import { checkAuthenticator } from './check-authenticator.js';
import type { AnonymousConfiguration, AuthenticationConfiguration } from './configuration.js';

const maxAuthenticators = 64;

/** Returns the errors of a configuration. Source: apiserver apis/apiserver/validation/validation.go ValidateAuthenticationConfiguration. */
export function checkAuthenticationConfiguration(
  server: ApiServer,
  { jwt = [], anonymous }: AuthenticationConfiguration,
  disallowedIssuers: readonly string[],
): FieldError[] {
  if (jwt.length > maxAuthenticators) return [tooMany('jwt', jwt.length, maxAuthenticators)];
  const [issuers, discoveryUrls] = [new Set<string>(), new Set<string>()];
  const errors = jwt.flatMap((authenticator, i): FieldError[] => {
    const { url = '', discoveryURL = '' } = authenticator.issuer ?? {};
    const found = [
      ...checkAuthenticator(server, authenticator, `jwt[${i}].`, disallowedIssuers).errors,
      ...(issuers.has(url) ? [duplicate(`jwt[${i}].issuer.url`, url)] : []),
      ...(discoveryURL !== '' && discoveryUrls.has(discoveryURL) ? [duplicate(`jwt[${i}].issuer.discoveryURL`, discoveryURL)] : []),
    ];
    issuers.add(url);
    discoveryUrls.add(discoveryURL);
    return found;
  });
  return [...errors, ...anonymousErrors(anonymous)];
}

function anonymousErrors(anonymous: AnonymousConfiguration | undefined): FieldError[] {
  const { enabled = false, conditions = [] } = anonymous ?? {};
  if (enabled || conditions.length === 0) return [];
  const shown = toValue(conditions.map(({ path = '' }) => ({ Path: path })));
  return [
    invalidValue(
      'anonymous.conditions',
      { rawJson: writeValue(shown, 'kept') },
      'enabled should be set to true when conditions are defined',
    ),
  ];
}
