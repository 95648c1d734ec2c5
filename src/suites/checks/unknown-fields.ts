import { applyJsonPatch, decodeJsonPatch, PatchDecodeError, PatchError, PatchPanic } from '../../apiserver/patches/json-patch.js';
import { evaluateResponse } from '../../apiserver/webhooks/invoke.js';
import { pointerSteps } from '../../encoding/json-pointer.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { writeValue } from '../../go/json/write.js';
import { isList, isMap, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { kindOf } from '../../kubernetes/storage.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import type { WebhookAnswer, WebhookCall } from '../../kubernetes/webhook-call.js';
import type { CheckedCall, CheckFinding, CheckResult } from './checked-call.js';
import { firstFew } from './differences.js';
import { fieldedObjects, newField } from './new-fields.js';

const check = 'unknown-fields';

/**
 * Sends each review again with an unknown field in every part of the object, as an API server sends fields of a newer version to a webhook
 * built with older types: the webhook must accept the object, and its patch must not drop the field.
 */
export async function checkUnknownFields({ exchanges, state, send }: CheckedCall): Promise<CheckResult> {
  const findings: CheckFinding[] = [];
  const notes = new Set<string>();
  for (const { call, answer } of firstCalls(exchanges)) {
    const grown = reviewWithNewFields(call.body, state);
    if (grown === undefined) {
      notes.add(`the review for ${call.webhook} has no object that could have a new field`);
      continue;
    }
    const before = evaluated(state.server, call, answer);
    if (before.outcome !== 'verified' || !before.allowed) {
      notes.add(`${call.webhook} does not allow the original call, and was not checked`);
      continue;
    }
    const after = evaluated(state.server, call, await send({ ...call, body: grown.body }));
    const message = problemWith(after, grown.object);
    if (message !== undefined) findings.push({ check, webhook: call.webhook, message });
    notes.add(`${newField} was added as a field of ${grown.newer} to each part of the object that the call may change`);
  }
  return { findings, notes: [...notes] };
}

/** The first call of each webhook; reinvocation has a check of its own. */
function firstCalls(exchanges: CheckedCall['exchanges']): CheckedCall['exchanges'] {
  const key = ({ call }: CheckedCall['exchanges'][number]): string => JSON.stringify([call.phase, call.configuration, call.webhook]);
  const seen = new Set<string>();
  return exchanges.filter(exchange => {
    if (exchange.call.phase === 'conversion' || seen.has(key(exchange))) return false;
    seen.add(key(exchange));
    return true;
  });
}

interface ReviewWithNewFields {
  readonly body: string;
  /** The object with the new fields. */
  readonly object: ValueMap;
  /** Which newer version would have the field. */
  readonly newer: string;
}

/** The review with the new field in its objects; undefined if it has no object. */
function reviewWithNewFields(body: string, state: ClusterState): ReviewWithNewFields | undefined {
  const review = readUnstructured(body);
  const request = mapAt(review, 'request');
  const object = mapAt(request, 'object');
  if (request === undefined || object === undefined) return undefined;
  const view = { state, subresource: stringAt(request, 'subResource') };
  if (grow(object, view) === 0) return undefined;
  // The stored object has the field as well.
  const old = mapAt(request, 'oldObject');
  if (old !== undefined) grow(old, view);
  const newer = schemaOfKind(state.server, kindOf(object)) === undefined ? 'a newer definition' : 'a newer Kubernetes';
  return { body: `${writeValue(review, 'kept')}\n`, object, newer };
}

/** The field's value is its path. */
function grow(object: ValueMap, view: Parameters<typeof fieldedObjects>[1]): number {
  const parts = fieldedObjects(object, view);
  for (const { path, object: part } of parts) part.set(newField, path);
  return parts.length;
}

type Evaluation = ReturnType<typeof evaluateResponse> | { readonly outcome: 'failed'; readonly message: string };

function evaluated(server: ApiServer, { phase, webhook, body }: WebhookCall, answer: WebhookAnswer): Evaluation {
  if (answer.outcome !== 'answered' || phase === 'conversion') {
    return { outcome: 'failed', message: answer.outcome === 'answered' ? 'no review' : answer.message };
  }
  const review = readUnstructured(body);
  return evaluateResponse({
    server,
    phase,
    reviewVersion: stringAt(review, 'apiVersion') === 'admission.k8s.io/v1beta1' ? 'v1beta1' : 'v1',
    uid: stringAt(mapAt(review, 'request'), 'uid'),
    webhook,
    response: { status: answer.statusCode, headers: answer.headers, body: answer.body },
  });
}

function problemWith(evaluation: Evaluation, object: ValueMap): string | undefined {
  if (evaluation.outcome !== 'verified') return `fails for an object with an unknown field: ${evaluation.message}`;
  if (!evaluation.allowed) {
    const message = (evaluation.denial?.message ?? '').replace(/^admission webhook "[^"]*" denied the request:? ?/, '');
    return `refuses an object with an unknown field: ${message || 'without explanation'}`;
  }
  if (evaluation.patch === undefined) return undefined;
  const result = patched(object, evaluation.patch);
  if (typeof result === 'string') return `returns a patch that does not apply to an object with an unknown field: ${result}`;
  const lost = lostPlaces(object, result);
  return lost.length === 0
    ? undefined
    : `drops unknown fields: its patch removes a new field of ${firstFew(lost.map(path => (path === '' ? 'the object' : path)))}`;
}

function patched(object: ValueMap, patch: string): Value | string {
  try {
    return readUnstructured(applyJsonPatch(writeValue(object, 'kept'), decodeJsonPatch(patch)));
  } catch (error) {
    if (error instanceof PatchError || error instanceof PatchDecodeError || error instanceof PatchPanic) return error.message;
    throw error;
  }
}

/** Paths where the field was dropped although its parent still exists. */
function lostPlaces(before: ValueMap, after: Value): string[] {
  const kept = new Set(newFieldsIn(after));
  return newFieldsIn(before).filter(path => {
    const part = at(after, path);
    return !kept.has(path) && isMap(part) && !part.has(newField);
  });
}

function newFieldsIn(value: Value): string[] {
  if (isList(value)) return value.flatMap(newFieldsIn);
  if (!isMap(value)) return [];
  const own = value.get(newField);
  return [...(typeof own === 'string' ? [own] : []), ...[...value.values()].flatMap(newFieldsIn)];
}

function at(value: Value, pointer: string): Value | undefined {
  let found: Value | undefined = value;
  for (const step of pointerSteps(pointer)) found = isMap(found) ? found.get(step) : isList(found) ? found[Number(step)] : undefined;
  return found;
}
