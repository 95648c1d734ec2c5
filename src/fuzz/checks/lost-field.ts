import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import type { Report } from '../../apiserver/report/report.js';
import { pointerSteps, pointerToken } from '../../encoding/json-pointer.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { isList, isMap, stringAt, type Value, valueAt } from '../../go/value.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import type { CallCheck, ShownFinding } from './finding.js';

/** A patch that sets a field which the API server drops: an unknown one, or one that clients may not set with this call. */
export const lostField: CallCheck = ({ report }) => {
  const changing = report.webhooks.filter(({ change }) => change !== undefined);
  // Subresources store a part of the object only.
  const isWhole = changing.at(-1)?.attributes.subResource === '';
  return report.decision.allowed ? changing.flatMap(entry => lostBy(entry, isWhole && entry === changing.at(-1) ? report : undefined)) : [];
};

/** `final`: the report whose answer has the object as it is stored, if no later webhook changed it. */
function lostBy(entry: WebhookReport, final: Report | undefined): ShownFinding[] {
  const { change, webhook, sent } = entry;
  if (change === undefined) return [];
  const after = readUnstructured(change.after);
  if (sent !== undefined && stringAt(after, 'apiVersion') !== apiVersionOf(sent.kind)) return [];
  const kept = storedObject(final, after);
  for (const operation of entry.patch) {
    const op = stringAt(operation, 'op');
    if (op !== 'add' && op !== 'replace') continue;
    const value = valueAt(operation, 'value');
    const path = stringAt(operation, 'path');
    const lost = path.endsWith('/-') || value === undefined ? undefined : lostPath(after, kept, path, value);
    if (lost !== undefined) return [{ check: 'lost-field', webhook, message: `sets a field that the API server drops: ${lost}` }];
  }
  return [];
}

/** The object in the answer, if it is of the same kind and version as the patched one: a webhook may get another version than the client. */
function storedObject(report: Report | undefined, patched: Value): Value | undefined {
  const object = report?.decision.object;
  if (object === undefined || report?.call.method === 'DELETE') return undefined;
  return ['apiVersion', 'kind'].every(key => stringAt(object, key) === stringAt(patched, key)) ? object : undefined;
}

/** Returns the first path below an operation's whose value is missing in one of the objects. */
function lostPath(after: Value, kept: Value | undefined, path: string, value: Value): string | undefined {
  for (const { pointer, steps } of leavesOf(value, path, pointerSteps(path))) {
    if (isMoved(steps)) continue;
    if (isMissing(after, steps) || (kept !== undefined && isMissing(kept, steps))) return pointer;
  }
  return undefined;
}

interface Leaf {
  readonly pointer: string;
  readonly steps: readonly string[];
}

/** Values that Go omits are not lost when they are absent. */
function leavesOf(value: Value, pointer: string, steps: readonly string[]): Leaf[] {
  if (isMap(value)) return [...value].flatMap(([key, member]) => leavesOf(member, `${pointer}/${pointerToken(key)}`, [...steps, key]));
  if (isList(value)) return value.flatMap((item, i) => leavesOf(item, `${pointer}/${i}`, [...steps, String(i)]));
  return value === null || value === '' || value === false || value === 0n || value === 0 ? [] : [{ pointer, steps }];
}

/** Fields that the API server itself moves or fills in. */
function isMoved([first, second]: readonly string[]): boolean {
  return (
    first === 'stringData' || (first === 'metadata' && !['labels', 'annotations', 'finalizers', 'ownerReferences'].includes(second ?? ''))
  );
}

/** Reports whether a value is absent where its parent could hold it. An operation that moved items leaves its path out of date. */
function isMissing(object: Value, steps: readonly string[]): boolean {
  let at: Value | undefined = object;
  for (const step of steps) {
    if (isList(at)) {
      if (Number(step) >= at.length) return false;
      at = at[Number(step)];
    } else if (isMap(at)) {
      if (!at.has(step)) return true;
      at = at.get(step);
    } else return false;
  }
  return false;
}
