import { copyOf, ensureMap, stringAt, valueAt } from '../../go/value.js';
import { conflict } from '../../kubernetes/status-errors.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import type { ApiObject } from '../objects/api-object.js';
import { deletionRulesOf } from '../registry/kind-definition.js';
import { isDryRunOf } from '../storage/before-delete.js';
import { commitBuiltIn } from '../storage/commit.js';
import { admitDeletion } from '../storage/deletion.js';
import type { CallContext } from './call-context.js';

/**
 * Handles the deletion of an object that is first only marked, or kept; undefined where the deletion continues as usual. The options get
 * the object's uid as a precondition.
 */
export async function markForDeletion(old: ApiObject, options: ApiObject, context: CallContext): Promise<ApiObject | undefined> {
  const { server, endpoint, info, effects } = context;
  const { firstMark } = deletionRulesOf(server, endpoint.resource);
  if (firstMark === undefined) return undefined;
  setPreconditions(old, options, context);
  if (stringAt(old.value, 'metadata', 'deletionTimestamp') !== '') return firstMark.keeps?.(old.value) === true ? old : undefined;
  await admitDeletion({ options, name: info.name }, old, context);
  const object = copyOf(old.value);
  const now = timestampOf(effects.now());
  ensureMap(object, 'metadata').set('deletionTimestamp', now);
  firstMark.mark(object, options.value, now);
  return { codec: old.codec, value: isDryRunOf(options) ? object : commitBuiltIn(object, old, context) };
}

function setPreconditions(old: ApiObject, options: ApiObject, { endpoint, info }: CallContext): void {
  const uid = stringAt(old.value, 'metadata', 'uid');
  const preconditions = ensureMap(options.value, 'preconditions');
  if (preconditions.get('uid') === undefined && uid !== '') preconditions.set('uid', uid);
  for (const [field, title] of [
    ['uid', 'UID'],
    ['resourceVersion', 'ResourceVersion'],
  ] as const) {
    const wanted = valueAt(preconditions, field);
    const stored = stringAt(old.value, 'metadata', field);
    if (typeof wanted !== 'string' || wanted === stored) continue;
    throw conflict(
      endpoint.resource,
      info.name,
      `Precondition failed: ${title} in precondition: ${wanted}, ${title} in object meta: ${stored}`,
    );
  }
}
