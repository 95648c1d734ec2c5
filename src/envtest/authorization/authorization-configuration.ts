import { statSync } from 'node:fs';
import path from 'node:path';
import { aggregate } from '../../apiserver/admission/name-in-refusal.js';
import type { OtherAuthorizer } from '../../apiserver/authorization/authorizer-of.js';
import { flagField, listField, type Struct, textField } from '../../cli/work/apiserver/go-fields.js';
import { StartError } from '../../cli/work/apiserver/start-error.js';
import { systemReason } from '../../files/system-reason.js';
import { parseDuration } from '../../go/duration.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { printFieldErrors } from '../../kubernetes/field-error.js';
import { checkType, decodeDocument, readTyped, refuseUnknown } from '../documents/configuration-document.js';
import { genericWebhook } from '../webhooks/generic-webhook.js';
import type { Authorization } from './authorization.js';
import { authorizerErrors, type ConfiguredAuthorizer, type ConfiguredWebhook, type Durations } from './authorizer-errors.js';
import { compileReviewCondition, matchReview } from './review-conditions.js';
import { webhookAuthorizer } from './webhook-authorizer.js';

const prefix = 'failed to load AuthorizationConfiguration from file: ';
const versions = ['v1', 'v1beta1', 'v1alpha1'];

/**
 * Returns the authorizers in the text of `--authorization-config`. Throws StartError with kube-apiserver's message. `required` lists the types that a file
 * has to keep while the server runs. Source: kubernetes pkg/kubeapiserver/authorizer/config.go LoadAndValidateData, reload.go newForConfig.
 */
export function authorizationIn(server: ApiServer, text: string, required?: ReadonlySet<string>): Authorization {
  const authorizers = readAuthorizers(server, text);
  const withDurations = authorizers.map(authorizer => ({ ...authorizer, durations: durationsOf(authorizer.webhook) }));
  const errors = authorizerErrors(server, withDurations, fileProblem);
  if (errors.length > 0) throw new StartError(printFieldErrors(errors));
  checkNamesAndTypes(authorizers, required);
  const others = new Map<string, OtherAuthorizer>();
  const modes = withDurations.map(({ type = '', name = '', webhook, durations }) => {
    if (webhook === undefined) return type;
    others.set(`Webhook ${name}`, authorizerOf(server, webhook, durations));
    return `Webhook ${name}`;
  });
  return { modes, others: others.size === 0 ? undefined : others };
}

/** Types that are only made at the start. */
const madeAtStart = ['Node', 'ABAC', 'RBAC'];

function checkNamesAndTypes(authorizers: readonly ConfiguredAuthorizer[], required: ReadonlySet<string> | undefined): void {
  const problems = authorizers.flatMap(({ type = '', name }) =>
    type === 'Webhook' || name === type.toLowerCase()
      ? []
      : [`expected name ${type.toLowerCase()} for authorizer ${type} instead of ${name}`],
  );
  const types = authorizers.map(({ type = '' }) => type);
  const missing = [...(required ?? [])].filter(type => !types.includes(type)).sort();
  if (missing.length > 0) problems.push(`missing required types: [${missing.join(' ')}]`);
  if (problems.length > 0) throw new StartError(aggregate(problems));
  const late = types.find(type => required !== undefined && madeAtStart.includes(type) && !required.has(type));
  if (late !== undefined) throw new StartError(`authorizer type ${late} is not allowed if it was not enabled at initial server startup`);
}

function readAuthorizers(server: ApiServer, text: string): readonly ConfiguredAuthorizer[] {
  if (text.trim() === '') return [];
  const document = decodeDocument(text, prefix);
  const types = versions.map(version => `apiserver.config.k8s.io/${version} AuthorizationConfiguration`);
  checkType(server, document, { text, prefix }, types);
  const struct = structOf(server, String(document['apiVersion']).replace(/^.*\//, ''));
  const { authorizers = [] } = readTyped<{ authorizers?: readonly ConfiguredAuthorizer[] }>(document, struct, prefix);
  refuseUnknown(document, struct, { text, prefix });
  return authorizers;
}

function structOf(server: ApiServer, version: string): Struct {
  const connectionInfo = { goType: `${version}.WebhookConnectionInfo`, fields: { type: textField, kubeConfigFile: textField } };
  const condition = { goType: `${version}.WebhookMatchCondition`, fields: { expression: textField } };
  const review = { goType: `${version}.ConditionsReviewConfiguration`, fields: { version: textField, kubeConfigContextName: textField } };
  const webhook = {
    goType: `${version}.WebhookConfiguration`,
    fields: {
      authorizedTTL: textField,
      cacheAuthorizedRequests: flagField,
      unauthorizedTTL: textField,
      cacheUnauthorizedRequests: flagField,
      timeout: textField,
      subjectAccessReviewVersion: textField,
      matchConditionSubjectAccessReviewVersion: textField,
      failurePolicy: textField,
      connectionInfo,
      matchConditions: listField(condition),
      ...(server.since('v1.38') && version === 'v1' ? { conditionsReview: review } : {}),
    },
  };
  const authorizer = { goType: `${version}.AuthorizerConfiguration`, fields: { type: textField, name: textField, webhook } };
  return { goType: 'AuthorizationConfiguration', fields: { authorizers: listField(authorizer) } };
}

/** Returns the durations in nanoseconds, with their defaults. Source: apiserver apis/apiserver/v1/defaults.go. */
function durationsOf(webhook: ConfiguredWebhook | undefined): Durations {
  const nanoseconds = (text: string | undefined, otherwise: bigint): bigint =>
    (text === undefined ? 0n : parseNanoseconds(text)) || otherwise;
  return {
    timeout: nanoseconds(webhook?.timeout, 0n),
    authorized: nanoseconds(webhook?.authorizedTTL, 300_000_000_000n),
    unauthorized: nanoseconds(webhook?.unauthorizedTTL, 30_000_000_000n),
  };
}

function parseNanoseconds(text: string): bigint {
  try {
    return parseDuration(text);
  } catch (error) {
    throw new StartError(`${prefix}${error instanceof Error ? error.message : String(error)}`);
  }
}

function fileProblem(file: string): string | undefined {
  if (!path.isAbsolute(file)) return 'must be an absolute path';
  try {
    return statSync(file).isFile() ? undefined : 'must be a regular file';
  } catch (error) {
    return `error loading file: stat ${file}: ${error instanceof Error ? systemReason(error) : String(error)}`;
  }
}

function authorizerOf(server: ApiServer, webhook: ConfiguredWebhook, durations: Durations): OtherAuthorizer {
  const { connectionInfo, matchConditions = [], cacheAuthorizedRequests = true, cacheUnauthorizedRequests = true } = webhook;
  if (connectionInfo?.kubeConfigFile === undefined)
    throw new StartError('authorizers of type InClusterConfig are not supported by the API server of webhook-cli: name a kubeConfigFile');
  if (webhook.conditionsReview !== undefined)
    throw new StartError(
      'conditionsReview of an authorizer is not supported by the API server of webhook-cli: leave it out to get decisions without conditions',
    );
  const conditions = matchConditions.map(({ expression = '' }) => ({
    expression,
    compilation: compileReviewCondition(server, expression),
  }));
  const milliseconds = (nanoseconds: bigint): number => Number(nanoseconds) / 1e6;
  return webhookAuthorizer(server, genericWebhook(connectionInfo.kubeConfigFile, 'authorization', '/'), {
    version: webhook.subjectAccessReviewVersion === 'v1' ? 'v1' : 'v1beta1',
    timeoutMs: milliseconds(durations.timeout),
    authorizedMs: cacheAuthorizedRequests ? milliseconds(durations.authorized) : 0,
    unauthorizedMs: cacheUnauthorizedRequests ? milliseconds(durations.unauthorized) : 0,
    deniesOnError: webhook.failurePolicy === 'Deny',
    match: conditions.length === 0 ? undefined : question => matchReview(server, conditions, question),
  });
}
