import type { FoundValue } from '../../cel/values/value.js';
import { quote } from '../../go/quote.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import type { CheckedAuthenticator, CheckedRule } from './check-authenticator.js';
import { type CompiledExpression, evaluateClaimExpression } from './claim-expressions.js';
import { claimsValue, textList, userValue } from './claim-values.js';
import type { PrefixedClaim } from './configuration.js';
import { booleanIn, type Claims, textIn, textsIn } from './json-claims.js';
import { messageOf } from './signed-token.js';

/** Returns the user of valid claims. Throws Error with the reason if there is none. Source: apiserver plugin/pkg/authenticator/token/oidc AuthenticateToken. */
export function userOfClaims(checked: CheckedAuthenticator, claims: Claims): UserInfo {
  const value = claimsValue(claims);
  const source = { checked, claims, value };
  const user = { username: usernameOf(source), groups: groupsOf(source), uid: uidOf(source), extra: extraOf(source) };
  for (const { claim = '', requiredValue = '' } of checked.authenticator.claimValidationRules ?? [])
    if (claim !== '') checkRequired(claims, claim, requiredValue);
  explained('oidc: error evaluating claim validation expression', () => checkRules(checked.claimRules, value));
  explained('oidc: error evaluating user info validation rule', () => checkRules(checked.userRules, userValue(user)));
  return user;
}

interface Source {
  readonly checked: CheckedAuthenticator;
  readonly claims: Claims;
  /** The claims as a value of expressions. */
  readonly value: FoundValue;
}

/** Source: getUsername. */
function usernameOf({ checked, claims, value }: Source): string {
  const expression = checked.mappings.username;
  if (expression !== undefined) {
    const name = textResult('username', expression, value);
    if (name === '') throw new Error('oidc: empty username via CEL expression is not allowed');
    return name;
  }
  const { claim = '', prefix = '' }: PrefixedClaim = checked.authenticator.claimMappings?.username ?? {};
  const name = explained(`oidc: parse username claims ${quote(claim)}`, () => claimText(claims, claim));
  const verified = claims.get('email_verified');
  if (claim === 'email' && verified !== undefined) {
    const isVerified = explained("oidc: parse 'email_verified' claim", () => booleanIn(verified));
    if (!isVerified) throw new Error('oidc: email not verified');
  }
  return `${prefix}${name}`;
}

/** Source: getGroups. */
function groupsOf({ checked, claims, value }: Source): readonly string[] {
  const { claim = '', prefix = '' }: PrefixedClaim = checked.authenticator.claimMappings?.groups ?? {};
  const found = claim === '' ? undefined : claims.get(claim);
  if (found !== undefined) {
    const groups = explained(`oidc: parse groups claim ${quote(claim)}`, () => {
      try {
        return textsIn(found);
      } catch {
        return [textIn(found)];
      }
    });
    return groups.map(group => `${prefix}${group}`);
  }
  const expression = checked.mappings.groups;
  if (expression === undefined) return [];
  return explained('oidc: error evaluating group claim expression', () => textList(evaluateClaimExpression(expression, value)));
}

/** Source: getUID. */
function uidOf({ checked, claims, value }: Source): string {
  const claim = checked.authenticator.claimMappings?.uid?.claim ?? '';
  if (claim !== '') return explained(`oidc: parse uid claim ${quote(claim)}`, () => claimText(claims, claim));
  const expression = checked.mappings.uid;
  return expression === undefined ? '' : textResult('uid', expression, value);
}

/** Source: getExtra. */
function extraOf({ checked, claims, value }: Source): ReadonlyMap<string, readonly string[]> {
  const extra = new Map<string, readonly string[]>();
  const id = credentialOf(claims);
  if (id !== '') extra.set('authentication.kubernetes.io/credential-id', [`JTI=${id}`]);
  const evaluated = checked.mappings.extra.map(mapping => ({ ...mapping, found: evaluateClaimExpression(mapping.value, value) }));
  for (const { key, value: mapping, found } of evaluated) {
    const texts = explained(`oidc: error evaluating extra claim expression: ${mapping.expression}`, () => textList(found));
    if (texts.length > 0) extra.set(key, texts);
  }
  return extra;
}

/** Source: getCredentialID. */
function credentialOf(claims: Claims): string {
  const id = claims.get('jti');
  return id?.type === 'string' ? id.value : '';
}

function textResult(what: string, expression: CompiledExpression, value: FoundValue): string {
  return explained(`oidc: error evaluating ${what} claim expression`, () => {
    const found = evaluateClaimExpression(expression, value);
    if (typeof found !== 'string') throw new Error(`${what} claim expression must return a string`);
    return found;
  });
}

function claimText(claims: Claims, name: string): string {
  const found = claims.get(name);
  if (found === undefined) throw new Error('claim not present');
  return textIn(found);
}

function checkRequired(claims: Claims, claim: string, wanted: string): void {
  if (!claims.has(claim)) throw new Error(`oidc: required claim ${claim} not present in ID token`);
  const value = explained(`oidc: parse claim ${claim}`, () => claimText(claims, claim));
  if (value !== wanted) throw new Error(`oidc: required claim ${claim} value does not match. Got = ${value}, want = ${wanted}`);
}

/** Source: checkValidationRulesEvaluation. */
function checkRules(rules: readonly CheckedRule[], value: FoundValue): void {
  const results = rules.map(({ rule, message }) => ({ rule, message, result: evaluateClaimExpression(rule, value) }));
  for (const { rule, message, result } of results) {
    if (typeof result !== 'boolean') throw new Error('validation expression must return a boolean');
    if (!result) throw new Error(`validation expression '${rule.expression}' failed: ${message}`);
  }
}

/** Adds what failed to the error of a step. */
function explained<T>(what: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw new Error(`${what}: ${messageOf(error)}`);
  }
}
