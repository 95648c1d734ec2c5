import type { ApiServer } from '../../kubernetes/api-server.js';
import { duplicate, type FieldError, invalidValue, required } from '../../kubernetes/field-error.js';
import { type CompiledExpression, compileClaimExpression, type Variable } from './claim-expressions.js';
import type { ClaimRule, ExpressionRule, JwtAuthenticator } from './configuration.js';
import { issuerErrors } from './issuer-errors.js';
import { type CheckedMappings, checkMappings, mayUseEmail } from './mapping-errors.js';

/** A rule with the message for claims that break it. */
export interface CheckedRule {
  readonly rule: CompiledExpression;
  readonly message: string;
}

/** An authenticator whose expressions are compiled. */
export interface CheckedAuthenticator {
  readonly authenticator: JwtAuthenticator;
  readonly mappings: CheckedMappings;
  readonly claimRules: readonly CheckedRule[];
  readonly userRules: readonly CheckedRule[];
}

/**
 * Compiles the expressions of an authenticator. `root` is `jwt[0].`, or empty. Source: apiserver apis/apiserver/validation/validation.go
 * validateJWTAuthenticator.
 */
export function checkAuthenticator(
  server: ApiServer,
  authenticator: JwtAuthenticator,
  root: string,
  disallowedIssuers: readonly string[],
): { readonly errors: readonly FieldError[]; readonly checked: CheckedAuthenticator } {
  const errors = issuerErrors(server, authenticator.issuer ?? {}, `${root}issuer`, disallowedIssuers);
  const claimRules = checkClaimRules(server, authenticator.claimValidationRules ?? [], `${root}claimValidationRules`, errors);
  const { claimMappings = {} } = authenticator;
  const mappings = checkMappings(server, claimMappings, `${root}claimMappings`, errors);
  if (
    !mayUseEmail(
      mappings,
      claimRules.map(({ rule }) => rule),
    )
  )
    errors.push(invalidValue(`${root}claimMappings.username.expression`, claimMappings.username?.expression ?? '', emailDetail));
  const userRules = checkUserRules(server, authenticator.userValidationRules ?? [], `${root}userValidationRules`, errors);
  return { errors, checked: { authenticator, mappings, claimRules, userRules } };
}

const emailDetail =
  'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression';

/** Adds to `errors`. Source: validateClaimValidationRules. */
function checkClaimRules(server: ApiServer, rules: readonly ClaimRule[], place: string, errors: FieldError[]): CheckedRule[] {
  const [claims, expressions] = [new Set<string>(), new Set<string>()];
  return rules.flatMap(({ claim = '', requiredValue = '', expression = '', message = '' }, i) => {
    const field = `${place}[${i}]`;
    if (claim !== '' && expression !== '') errors.push(invalidValue(field, claim, "claim and expression can't both be set"));
    else if (claim === '' && expression === '') errors.push(required(field, 'claim or expression is required'));
    else if (claim !== '') {
      if (message !== '') errors.push(invalidValue(`${field}.message`, message, 'may not be specified when claim is set'));
      if (claims.has(claim)) errors.push(duplicate(`${field}.claim`, claim));
      claims.add(claim);
    } else {
      if (requiredValue !== '')
        errors.push(invalidValue(`${field}.requiredValue`, requiredValue, 'may not be specified when expression is set'));
      return checkRule(server, { expression, message }, { variable: 'claims', field, seen: expressions, errors });
    }
    return [];
  });
}

/** Adds to `errors`. Source: validateUserValidationRules. */
function checkUserRules(server: ApiServer, rules: readonly ExpressionRule[], place: string, errors: FieldError[]): CheckedRule[] {
  const seen = new Set<string>();
  return rules.flatMap((rule, i) => {
    const field = `${place}[${i}]`;
    if ((rule.expression ?? '') !== '') return checkRule(server, rule, { variable: 'user', field, seen, errors });
    errors.push(required(`${field}.expression`, ''));
    return [];
  });
}

interface RulePlace {
  readonly variable: Variable;
  readonly field: string;
  readonly seen: Set<string>;
  readonly errors: FieldError[];
}

function checkRule(server: ApiServer, { expression = '', message = '' }: ExpressionRule, place: RulePlace): CheckedRule[] {
  const { variable, seen, errors } = place;
  const field = `${place.field}.expression`;
  if (seen.has(expression)) {
    errors.push(duplicate(field, expression));
    return [];
  }
  seen.add(expression);
  const rule = compileClaimExpression(server, expression, { variable, isRule: true, field });
  if ('program' in rule) return [{ rule, message }];
  errors.push(rule);
  return [];
}
