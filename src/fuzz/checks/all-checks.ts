import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import { definitionOf } from '../../apiserver/call/definitions.js';
import { servedBy } from '../../apiserver/call/served-resources.js';
import { conversionWorldOf } from '../../apiserver/endpoints/custom-versions.js';
import { storedConversions, versionsOf } from '../../apiserver/storage/stored-conversions.js';
import { asStored } from '../../client/manifests/cluster-state.js';
import { copyOf, stringAt } from '../../go/value.js';
import { storageOf } from '../../kubernetes/storage.js';
import type { FailureClass, WebhookExchange } from '../../kubernetes/webhook-call.js';
import { changesObject, denialOf } from '../../suites/checks/entries.js';
import { checkConversions } from '../../suites/conversions/checks.js';
import { crash, isBroken } from './crash.js';
import { checkDryRun } from './dry-run.js';
import type { CallCheck, FuzzCheckName, ShownFinding } from './finding.js';
import { lostField } from './lost-field.js';
import { checkIdempotent } from './not-idempotent.js';
import { checkDuration } from './slow.js';

const unreachable = new Set<string | undefined>(['dns', 'tcp', 'tls', 'time']);

/** A conversion webhook that loses a field in a round trip, reorders objects, changes metadata, or fails for a valid object. */
const checkConversion: CallCheck = async ({ input, report, state }, { effects }) => {
  const { resource } = input.target;
  const isCreation = input.operation === 'create' && input.subresource === undefined;
  if (!resource.custom || !isCreation || !report.decision.allowed) return [];
  const definition = definitionOf(resource, state);
  if (definition === undefined || stringAt(definition, 'spec', 'conversion', 'strategy') !== 'Webhook') return [];
  const used = effects();
  const world = conversionWorldOf(definition, { storage: storageOf(state), effects: used, options: state.options });
  const stored = asStored([copyOf(input.object)], { served: servedBy(state), namespace: 'default' }, used);
  const { findings } = await checkConversions(stored, versionsOf(definition), storedConversions(state.server, definition, world));
  return (
    findings
      // An object with metadata only is not valid, and a webhook that cannot be called is not a finding.
      .filter(({ check, failureClass }) => check !== 'partial' && !unreachable.has(failureClass))
      .map(({ versions, message }) => ({
        check: 'conversion',
        webhook: stringAt(definition, 'metadata', 'name'),
        message: `${versions.join(' -> ')}: ${message}`,
      }))
  );
};

const unprocessable = 422;

/** A patch after which the API server's own validation refuses an object that is valid without it. */
const checkPatchedObject: CallCheck = async ({ report }, { bare }) => {
  const { code, decidedBy, status } = report.decision;
  const last = report.webhooks.filter(changesObject).at(-1);
  if (code !== unprocessable || decidedBy !== undefined || last === undefined) return [];
  const without = await bare();
  if (without?.report.decision.allowed !== true) return [];
  const message = `changes the object so that the API server refuses it: ${stringAt(status, 'message')}`;
  return [{ check: 'invalid-object', webhook: last.webhook, message }];
};

const firstServerError = 500;

/** An answer that the API server rejects: without an end, not a review, another uid, an error status, a patch that does not decode or apply. */
const invalidResponse: CallCheck = ({ report, exchanges }) => [...report.webhooks.flatMap(rejected), ...exchanges.flatMap(unreadable)];

function rejected({ webhook, failure, exchange }: WebhookReport): ShownFinding[] {
  if (failure === undefined || exchange?.answer.outcome !== 'answered' || exchange.answer.statusCode >= firstServerError) return [];
  return [{ check: 'invalid-response', webhook, message: `gives an answer that the API server rejects: ${failure.message}` }];
}

/** Kinds of failures after the webhook has begun to answer. */
const whileReading: readonly FailureClass[] = ['http', 'body', 'limit'];

function unreadable({ call: { webhook }, answer }: WebhookExchange): ShownFinding[] {
  if (answer.outcome !== 'failed' || !whileReading.includes(answer.class) || isBroken(answer)) return [];
  return [{ check: 'invalid-response', webhook, message: `gives an answer that cannot be read: ${answer.reason ?? answer.message}` }];
}

/** An update without changes of an object that the webhooks admitted, and that one of them refuses. */
const checkUnchangedUpdate: CallCheck = async (made, { isNew, repeated }) => {
  const { input, report } = made;
  const isWrite = input.operation === 'create' || input.operation === 'update' || input.operation === 'apply';
  if (!isNew || !isWrite || input.subresource !== undefined || !report.decision.allowed || input.isDryRun) return [];
  const after = await repeated();
  const { decidedBy } = after?.report.decision ?? {};
  const entry = decidedBy === undefined ? undefined : after?.report.webhooks[decidedBy];
  if (entry?.outcome !== 'denied') return [];
  return [
    {
      check: 'refuses-unchanged',
      webhook: entry.webhook,
      message: `refuses an update without changes of an object that was admitted: ${denialOf(entry)}`,
    },
  ];
};

/** The checks of calls. Others need several calls of a run, or are searches of their own. */
const checks: Readonly<Partial<Record<FuzzCheckName, CallCheck>>> = {
  crash,
  'invalid-response': invalidResponse,
  'invalid-object': checkPatchedObject,
  'lost-field': lostField,
  'not-idempotent': checkIdempotent,
  'dry-run': checkDryRun,
  'refuses-unchanged': checkUnchangedUpdate,
  slow: checkDuration,
  conversion: checkConversion,
};

/** Returns the checks of calls among the chosen ones, in their order. */
export function checksOf(chosen: readonly FuzzCheckName[]): CallCheck[] {
  return chosen.flatMap(name => checks[name] ?? []);
}
