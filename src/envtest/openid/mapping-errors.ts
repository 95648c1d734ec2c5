import type { ApiServer } from '../../kubernetes/api-server.js';
import { duplicate, type FieldError, invalidValue, required } from '../../kubernetes/field-error.js';
import { domainPrefixedPathProblems } from '../../kubernetes/name-rules.js';
import { type CompiledExpression, compileClaimExpression, usesClaim } from './claim-expressions.js';
import type { ClaimMappings, ClaimOrExpression, PrefixedClaim } from './configuration.js';

/** The compiled expressions of mappings; undefined for what is a claim or missing. */
export interface CheckedMappings {
  readonly username: CompiledExpression | undefined;
  readonly groups: CompiledExpression | undefined;
  readonly uid: CompiledExpression | undefined;
  readonly extra: readonly { readonly key: string; readonly value: CompiledExpression }[];
}

/** Compiles mappings, and adds to `errors`. Source: apiserver apis/apiserver/validation/validation.go validateClaimMappings. */
export function checkMappings(server: ApiServer, mappings: ClaimMappings, place: string, errors: FieldError[]): CheckedMappings {
  const { username = {}, groups = {}, uid = {}, extra = [] } = mappings;
  if ((username.expression ?? '') === '' && (username.claim ?? '') === '')
    errors.push(required(`${place}.username`, 'claim or expression is required'));
  const prefixed = (mapping: PrefixedClaim, field: string) => checkPrefixed(server, mapping, field, errors);
  return {
    username: prefixed(username, `${place}.username`),
    groups: prefixed(groups, `${place}.groups`),
    uid: checkExpression(server, uid, `${place}.uid`, errors),
    extra: checkExtra(server, extra, `${place}.extra`, errors),
  };
}

/** Reports whether the name of a user may be an address: whether it is verified has to be looked at. */
export function mayUseEmail({ username, extra }: CheckedMappings, rules: readonly CompiledExpression[]): boolean {
  if (username === undefined || !usesClaim(username, 'email')) return true;
  return [username, ...extra.map(({ value }) => value), ...rules].some(expression => usesClaim(expression, 'email_verified'));
}

/** Returns the compiled expression without errors. Source: validatePrefixClaimOrExpression. */
function checkPrefixed(server: ApiServer, mapping: PrefixedClaim, field: string, errors: FieldError[]): CompiledExpression | undefined {
  const { claim = '', expression = '', prefix } = mapping;
  const hasPrefix = claim === '' && expression !== '' && prefix !== undefined;
  if (hasPrefix) errors.push(invalidValue(`${field}.prefix`, prefix, 'may not be specified when expression is set'));
  if (claim !== '' && expression === '' && prefix === undefined)
    errors.push(required(`${field}.prefix`, 'prefix is required when claim is set. It can be set to an empty string to disable prefixing'));
  const compiled = checkExpression(server, mapping, field, errors);
  return hasPrefix ? undefined : compiled;
}

function checkExpression(
  server: ApiServer,
  mapping: ClaimOrExpression,
  field: string,
  errors: FieldError[],
): CompiledExpression | undefined {
  const { claim = '', expression = '' } = mapping;
  if (expression === '') return undefined;
  if (claim !== '') {
    errors.push(invalidValue(field, '', "claim and expression can't both be set"));
    return undefined;
  }
  return compiledMapping(server, expression, `${field}.expression`, errors);
}

function compiledMapping(server: ApiServer, expression: string, field: string, errors: FieldError[]): CompiledExpression | undefined {
  const compiled = compileClaimExpression(server, expression, { variable: 'claims', isRule: false, field });
  if ('program' in compiled) return compiled;
  errors.push(compiled);
  return undefined;
}

function checkExtra(
  server: ApiServer,
  extra: NonNullable<ClaimMappings['extra']>,
  place: string,
  errors: FieldError[],
): CheckedMappings['extra'] {
  const seen = new Set<string>();
  return extra.flatMap(({ key = '', valueExpression = '' }, i) => {
    const [field, valueField] = [`${place}[${i}].key`, `${place}[${i}].valueExpression`];
    errors.push(...keyErrors(key, field));
    if (seen.has(key)) {
      errors.push(duplicate(field, key));
      return [];
    }
    seen.add(key);
    if (valueExpression === '') {
      errors.push(required(valueField, ''));
      return [];
    }
    const value = compiledMapping(server, valueExpression, valueField, errors);
    return value === undefined ? [] : [{ key, value }];
  });
}

function keyErrors(key: string, field: string): FieldError[] {
  const isReserved = /^(?:[^/]*\.)?(?:kubernetes|k8s)\.io\//.test(key);
  return [
    ...(key === '' ? [required(field, '')] : domainPrefixedPathProblems(key).map(({ part, detail }) => invalidValue(field, part, detail))),
    ...(key === key.toLowerCase() ? [] : [invalidValue(field, key, 'must be lowercase')]),
    ...(isReserved ? [invalidValue(field, key, 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use')] : []),
  ];
}
