import { authoritiesError } from '../../certificates/serving-pair.js';
import { parseUrl, UrlError } from '../../go/url/parse.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { duplicate, type FieldError, invalidValue, required } from '../../kubernetes/field-error.js';
import type { Issuer } from './configuration.js';

/** Returns the errors of an issuer. Source: apiserver apis/apiserver/validation/validation.go validateIssuer. */
export function issuerErrors(server: ApiServer, issuer: Issuer, place: string, disallowed: readonly string[]): FieldError[] {
  const { url = '', certificateAuthority = '', egressSelectorType = '' } = issuer;
  return [
    ...(url === '' ? [required(`${place}.url`, '')] : urlErrors(url, `${place}.url`, disallowed)),
    ...discoveryErrors(issuer, `${place}.discoveryURL`),
    ...audienceErrors(issuer, place),
    ...authorityErrors(certificateAuthority, `${place}.certificateAuthority`),
    ...egressErrors(server, egressSelectorType, `${place}.egressSelectorType`),
  ];
}

function discoveryErrors({ url = '', discoveryURL = '' }: Issuer, place: string): FieldError[] {
  if (discoveryURL === '') return [];
  const trimmed = (text: string): string => text.replace(/\/+$/, '');
  const isSame = url !== '' && trimmed(url) === trimmed(discoveryURL);
  const errors = isSame ? [invalidValue(place, discoveryURL, 'discoveryURL must be different from URL')] : [];
  return [...errors, ...urlErrors(discoveryURL, place, [])];
}

/** Source: validateURL. */
function urlErrors(text: string, place: string, disallowed: readonly string[]): FieldError[] {
  const problems = disallowed.includes(text)
    ? [`URL must not overlap with disallowed issuers: [${[...new Set(disallowed)].sort().join(' ')}]`]
    : [];
  try {
    const url = parseUrl(text);
    if (url.scheme !== 'https') problems.push('URL scheme must be https');
    if (/^[^/?#]*\/\/[^/?#]*@/.test(text)) problems.push('URL must not contain a username or password');
    if (/^[^#]*\?[^#]/.test(text)) problems.push('URL must not contain a query');
    if (/#./.test(text)) problems.push('URL must not contain a fragment');
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    problems.push(error.message);
  }
  return problems.map(problem => invalidValue(place, text, problem));
}

function audienceErrors({ audiences = [], audienceMatchPolicy: policy = '' }: Issuer, issuerPlace: string): FieldError[] {
  const place = `${issuerPlace}.audiences`;
  if (audiences.length === 0) return [required(place, `at least one ${place} is required`)];
  const errors = audiences.flatMap((audience, i) => [
    ...(audience === '' ? [required(`${place}[${i}]`, '')] : []),
    ...(audiences.indexOf(audience) < i ? [duplicate(`${place}[${i}]`, audience)] : []),
  ]);
  const isMany = audiences.length > 1;
  if (policy === 'MatchAny' || (!isMany && policy === '')) return errors;
  const detail = isMany ? 'must be MatchAny for multiple audiences' : 'must be empty or MatchAny for single audience';
  return [...errors, invalidValue(`${issuerPlace}.audienceMatchPolicy`, policy, `audienceMatchPolicy ${detail}`)];
}

function authorityErrors(pem: string, place: string): FieldError[] {
  const problem = pem === '' ? undefined : authoritiesError(pem);
  return problem === undefined ? [] : [invalidValue(place, '<omitted>', problem)];
}

const egressGate = 'StructuredAuthenticationConfigurationEgressSelector';

function egressErrors(server: ApiServer, type: string, place: string): FieldError[] {
  if (type === '') return [];
  const isKnown = type === 'controlplane' || type === 'cluster';
  return [
    ...(server.isEnabled(egressGate)
      ? []
      : [invalidValue(place, type, `egress selector is not supported when ${egressGate} feature gate is disabled`)]),
    ...(isKnown ? [] : [invalidValue(place, type, 'egress selector must be either controlplane or cluster')]),
  ];
}
