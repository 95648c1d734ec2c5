import { durationText } from '../../go/duration.js';
import { writeValue } from '../../go/json/write.js';
import { trimSpace } from '../../go/white-space.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { duplicate, type FieldError, forbiddenField, invalidValue, notSupported, required, tooMany } from '../../kubernetes/field-error.js';
import { dns1123SubdomainProblems } from '../../kubernetes/name-rules.js';
import { compileReviewCondition } from './review-conditions.js';

/** Source: apiserver apis/apiserver/v1/types.go AuthorizerConfiguration. */
export interface ConfiguredAuthorizer {
  readonly type?: string;
  readonly name?: string;
  readonly webhook?: ConfiguredWebhook;
}

export interface ConfiguredWebhook {
  readonly authorizedTTL?: string;
  readonly cacheAuthorizedRequests?: boolean;
  readonly unauthorizedTTL?: string;
  readonly cacheUnauthorizedRequests?: boolean;
  readonly timeout?: string;
  readonly subjectAccessReviewVersion?: string;
  readonly matchConditionSubjectAccessReviewVersion?: string;
  readonly failurePolicy?: string;
  readonly connectionInfo?: { readonly type?: string; readonly kubeConfigFile?: string };
  readonly matchConditions?: readonly { readonly expression?: string }[];
  /** Since v1.38. */
  readonly conditionsReview?: { readonly version?: string; readonly kubeConfigContextName?: string };
}

/** Nanoseconds. */
export interface Durations {
  readonly timeout: bigint;
  readonly authorized: bigint;
  readonly unauthorized: bigint;
}

type WithDurations = ConfiguredAuthorizer & { readonly durations: Durations };
/** Returns why a kubeconfig cannot be used; undefined if it can. */
type FileProblem = (file: string) => string | undefined;

const types = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'];

/** Source: apiserver apis/apiserver/validation/validation.go ValidateAuthorizationConfiguration. */
export function authorizerErrors(server: ApiServer, authorizers: readonly WithDurations[], fileProblem: FileProblem): FieldError[] {
  if (authorizers.length === 0) return [required('authorizers', 'at least one authorization mode must be defined')];
  const [seenTypes, seenNames] = [new Set<string>(), new Set<string>()];
  return authorizers.flatMap((authorizer, index) => {
    const { type = '', name = '', webhook, durations } = authorizer;
    const place = `authorizers[${index}]`;
    if (type === '') return [required(`${place}.type`, '')];
    if (!types.includes(type)) return [notSupported(`${place}.type`, type, types)];
    if (seenTypes.has(type) && type !== 'Webhook') return [duplicate(`${place}.type`, type)];
    const errors = nameErrors(`${place}.name`, name, seenNames);
    seenTypes.add(type);
    seenNames.add(name);
    if (type !== 'Webhook')
      return webhook === undefined
        ? errors
        : [...errors, invalidValue(`${place}.webhook`, 'non-null', 'may only be specified when type=Webhook')];
    if (webhook === undefined) return [...errors, required(`${place}.webhook`, 'required when type=Webhook')];
    return [
      ...errors,
      ...webhookErrors(webhook, durations, place),
      ...connectionErrors(webhook, place, fileProblem),
      ...conditionsReviewErrors(server, webhook, place),
      ...conditionErrors(server, webhook, place),
    ];
  });
}

function nameErrors(place: string, name: string, seen: ReadonlySet<string>): FieldError[] {
  if (name === '') return [required(place, '')];
  if (seen.has(name)) return [duplicate(place, name)];
  const problems = dns1123SubdomainProblems(name);
  return problems.length === 0 ? [] : [invalidValue(place, name, `authorizer name is invalid: ${problems.join(', ')}`)];
}

const maxTimeout = 30_000_000_000n;

/** Source: ValidateWebhookConfiguration. */
function webhookErrors(webhook: ConfiguredWebhook, { timeout, authorized, unauthorized }: Durations, place: string): FieldError[] {
  const errors: FieldError[] = [];
  const negative = (name: string, value: bigint): void => {
    if (value < 0n) errors.push(invalidValue(`${place}.${name}`, durationText(value), 'must be > 0s'));
  };
  if (timeout === 0n) errors.push(required(`${place}.timeout`, ''));
  else if (timeout < 0n || timeout > maxTimeout)
    errors.push(invalidValue(`${place}.timeout`, durationText(timeout), 'must be > 0s and <= 30s'));
  negative('authorizedTTL', authorized);
  negative('unauthorizedTTL', unauthorized);
  const choice = (name: 'subjectAccessReviewVersion' | 'failurePolicy', supported: readonly string[]): void => {
    const value = webhook[name] ?? '';
    if (value === '') errors.push(required(`${place}.${name}`, ''));
    else if (!supported.includes(value)) errors.push(notSupported(`${place}.${name}`, value, supported));
  };
  choice('subjectAccessReviewVersion', ['v1', 'v1beta1']);
  const { matchConditionSubjectAccessReviewVersion: version = '', matchConditions = [] } = webhook;
  const versionPlace = `${place}.matchConditionSubjectAccessReviewVersion`;
  if (version === '' && matchConditions.length > 0) errors.push(required(versionPlace, 'required if match conditions are specified'));
  else if (version !== '' && version !== 'v1') errors.push(notSupported(versionPlace, version, ['v1']));
  choice('failurePolicy', ['NoOpinion', 'Deny']);
  return errors;
}

function connectionErrors({ connectionInfo = {} }: ConfiguredWebhook, webhookPlace: string, fileProblem: FileProblem): FieldError[] {
  const { type = '', kubeConfigFile } = connectionInfo;
  const place = `${webhookPlace}.connectionInfo`;
  const filePlace = `${place}.kubeConfigFile`;
  switch (type) {
    case '':
      return [required(`${place}.type`, '')];
    case 'InClusterConfig':
      return kubeConfigFile === undefined ? [] : [invalidValue(filePlace, kubeConfigFile, 'can only be set when type=KubeConfigFile')];
    case 'KubeConfigFile': {
      if (kubeConfigFile === undefined || kubeConfigFile === '') return [required(filePlace, '')];
      const problem = fileProblem(kubeConfigFile);
      return problem === undefined ? [] : [invalidValue(filePlace, kubeConfigFile, problem)];
    }
    default: {
      const rawJson = writeValue(
        new Map([
          ['Type', type],
          ['KubeConfigFile', kubeConfigFile ?? null],
        ]),
        'kept',
      );
      return [notSupported(`${place}.type`, { rawJson }, ['InClusterConfig', 'KubeConfigFile'])];
    }
  }
}

/** Source: ValidateWebhookConfiguration, ValidateConditionsReviewConfiguration. */
function conditionsReviewErrors(server: ApiServer, webhook: ConfiguredWebhook, webhookPlace: string): FieldError[] {
  const { conditionsReview, subjectAccessReviewVersion, connectionInfo } = webhook;
  if (conditionsReview === undefined) return [];
  const place = `${webhookPlace}.conditionsReview`;
  const { version = '', kubeConfigContextName = '' } = conditionsReview;
  const unsupported = version === '' ? required(`${place}.version`, '') : notSupported(`${place}.version`, version, ['v1alpha1']);
  return [
    ...(subjectAccessReviewVersion === 'v1' ? [] : [forbiddenField(place, 'may only be set when subjectAccessReviewVersion=v1')]),
    ...(server.isEnabled('ConditionalAuthorization')
      ? []
      : [forbiddenField(place, 'the ConditionalAuthorization feature gate must be on to use this field')]),
    ...(kubeConfigContextName === '' || connectionInfo?.type === 'KubeConfigFile'
      ? []
      : [
          forbiddenField(`${place}.kubeConfigContextName`, `may only be specified when ${webhookPlace}.connectionInfo.type=KubeConfigFile`),
        ]),
    ...(version === 'v1alpha1' ? [] : [unsupported]),
  ];
}

const maxConditions = 64;

/** Source: compileMatchConditions. */
function conditionErrors(server: ApiServer, { matchConditions = [] }: ConfiguredWebhook, webhookPlace: string): FieldError[] {
  if (matchConditions.length > maxConditions) return [tooMany(`${webhookPlace}.matchConditions`, matchConditions.length, maxConditions)];
  const seen = new Set<string>();
  return matchConditions.flatMap(({ expression = '' }, index) => {
    const place = `${webhookPlace}.matchConditions[${index}].expression`;
    if (trimSpace(expression) === '') return [required(place, '')];
    if (seen.has(expression)) return [duplicate(place, expression)];
    seen.add(expression);
    const compilation = compileReviewCondition(server, expression);
    return compilation.outcome === 'failed' ? [invalidValue(place, expression, compilation.error.detail)] : [];
  });
}
