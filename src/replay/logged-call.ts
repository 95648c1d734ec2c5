import { methodOf, patchType } from '../captures/audit-call.js';
import { requestedUser } from '../client/calls/raw-calls.js';
import { isList, isMap, mapAt, sameValue, type Value } from '../go/value.js';
import type { ApiCall, ClusterState } from '../kubernetes/api-call.js';
import { memoizeStrings } from '../kubernetes/memoize.js';
import { objectIn, valueIn } from './json-spans.js';
import type { LoggedEvent } from './logged-event.js';

/** Makes a call without webhooks and policies, and returns the object that is stored; undefined if the call is refused. */
export type StoredBy = (call: ApiCall, state: ClusterState) => Promise<Value | undefined>;

/**
 * Returns the call of an event; why there is none, for a patch whose type decides about its effect and is not known. The log has the type of no patch, but
 * the object that the API server stored tells merge patches and strategic merge patches apart.
 */
export async function callOfLogged(
  event: LoggedEvent,
  state: ClusterState,
  storedBy: StoredBy,
): Promise<ApiCall | { readonly unknown: string }> {
  const { verb, requestUri: path, requestText, userText, userAgent } = event;
  const hasBody = requestText.startsWith('{') || requestText.startsWith('[');
  const call: ApiCall = {
    method: methodOf(verb),
    path,
    user: userIn(userText),
    ...(userAgent === '' ? {} : { userAgent }),
    ...(hasBody ? { contentType: 'application/json', body: Buffer.from(requestText) } : {}),
  };
  if (verb !== 'patch') return call;
  const contentType = patchType(state.server, valueIn(requestText), path) ?? (await findShownType(call, event, state, storedBy));
  return contentType === undefined
    ? { unknown: 'the audit event does not contain the type of the patch, on which its lists depend' }
    : { ...call, contentType };
}

const userIn = memoizeStrings(1000, (text: string) => requestedUser(objectIn(text)));

const strategic = 'application/strategic-merge-patch+json';
const merge = 'application/merge-patch+json';

/** Returns the type with which the API server stores what the log's answer shows. */
async function findShownType(
  call: ApiCall,
  { responseText, code }: LoggedEvent,
  state: ClusterState,
  storedBy: StoredBy,
): Promise<string | undefined> {
  const shown = code < 300 ? objectIn(responseText) : undefined;
  if (shown === undefined) return undefined;
  const storeWith = async (contentType: string): Promise<Value> =>
    withoutGenerated((await storedBy({ ...call, contentType }, state)) ?? null);
  const [merged, replaced] = [await storeWith(strategic), await storeWith(merge)];
  if (merged === null && replaced === null) return undefined;
  // A strategic merge keeps more of the earlier object: where the answer has all of that, it was one, or webhooks have added the same.
  if (agrees(merged, replaced, shown)) return strategic;
  return agrees(replaced, merged, shown) ? merge : undefined;
}

/** What a patch of lists decides about, apart from what the API server and controllers write. */
function withoutGenerated(object: Value): Value {
  if (!isMap(object)) return object;
  const kept = [...object].filter(([key]) => key !== 'metadata' && key !== 'status');
  const lists = [...(mapAt(object, 'metadata') ?? [])].filter(([key]) => key === 'finalizers' || key === 'ownerReferences');
  return new Map([...kept, ['metadata', new Map(lists)]]);
}

/** Does the log show an object where it differs from another one? Elsewhere, its version of Kubernetes may have other defaults. */
function agrees(object: Value, other: Value | undefined, shown: Value | undefined): boolean {
  if (other !== undefined && sameValue(object, other)) return true;
  if (isMap(object) && isMap(shown))
    return [...object].every(([key, value]) => agrees(value, isMap(other) ? other.get(key) : undefined, shown.get(key)));
  return isWithin(object, shown);
}

/** Does an object contain everything of another one? Mutating webhooks may have added more. */
function isWithin(part: Value, whole: Value | undefined): boolean {
  if (isMap(part)) return isMap(whole) && [...part].every(([key, value]) => isWithin(value, whole.get(key)));
  if (isList(part)) return isList(whole) && part.length === whole.length && part.every((item, i) => isWithin(item, whole[i]));
  return part === whole;
}
