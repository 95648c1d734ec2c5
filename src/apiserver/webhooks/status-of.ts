import { listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { Status, StatusDetails, StatusMetadata } from '../../kubernetes/status.js';

/** Returns the Status in a decoded metav1.Status, without its kind and apiVersion: the API server overwrites them. */
export function statusOfResult(value: ValueMap): Status {
  const metadata = mapAt(value, 'metadata');
  const details = mapAt(value, 'details');
  return {
    metadata: metadata && metadataOf(metadata),
    status: stringAt(value, 'status'),
    message: textAt(value, 'message'),
    reason: textAt(value, 'reason'),
    details: details && detailsOf(details),
    code: numberAt(value, 'code'),
  };
}

function metadataOf(value: ValueMap): StatusMetadata {
  const remaining = value.get('remainingItemCount');
  const shardInfo = mapAt(value, 'shardInfo');
  return {
    selfLink: textAt(value, 'selfLink'),
    resourceVersion: textAt(value, 'resourceVersion'),
    continue: textAt(value, 'continue'),
    remainingItemCount: typeof remaining === 'bigint' ? remaining : undefined,
    shardInfo: shardInfo && { selector: stringAt(shardInfo, 'selector') },
  };
}

function detailsOf(value: ValueMap): StatusDetails {
  const causes = listAt(value, 'causes');
  return {
    name: textAt(value, 'name'),
    group: textAt(value, 'group'),
    kind: textAt(value, 'kind'),
    uid: textAt(value, 'uid'),
    causes: causes.length === 0 ? undefined : causes.map(causeOf),
    retryAfterSeconds: numberAt(value, 'retryAfterSeconds'),
  };
}

function causeOf(value: Value): NonNullable<StatusDetails['causes']>[number] {
  return { reason: textAt(value, 'reason'), message: textAt(value, 'message'), field: textAt(value, 'field') };
}

/** Returns a string; undefined for an empty one, which Go omits. */
function textAt(value: Value, key: string): string | undefined {
  const found = stringAt(value, key);
  return found === '' ? undefined : found;
}

/** Returns a number; undefined for zero, which Go omits. */
function numberAt(value: Value, key: string): number | undefined {
  const found = valueAt(value, key);
  return typeof found === 'bigint' && found !== 0n ? Number(found) : undefined;
}
