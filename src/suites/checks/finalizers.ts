import { requestInfoOf } from '../../apiserver/call/request-info.js';
import { resourceNamed, servedBy } from '../../apiserver/call/served-resources.js';
import type { Report } from '../../apiserver/report/report.js';
import { writeValue } from '../../go/json/write.js';
import { copyOf, mapAt, stringAt, toValue, type ValueMap } from '../../go/value.js';
import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import { recordWrite } from '../../kubernetes/storage.js';
import { newWrittenObjects, type WrittenObjects } from '../../kubernetes/written-objects.js';
import type { CheckedCall, CheckFinding, CheckResult } from './checked-call.js';
import { changesObject, denialOf } from './entries.js';

const check = 'finalizers';
const finalizer = 'webhook-cli.dev/check';

/** An update that must pass, and what happens if it does not. */
interface Update {
  readonly what: string;
  readonly effect: string;
  readonly subresource: string;
  readonly existing: ValueMap;
  readonly patch: Readonly<Record<string, unknown>>;
}

/**
 * Updates the object of a create or an update in three ways that controllers need at any time: the removal of the last finalizer while it
 * is being deleted, an update of its status, and an update without a change. A webhook that refuses one of them blocks the object forever.
 */
export async function checkFinalizers({ call, state, report, again }: CheckedCall): Promise<CheckResult> {
  const { object } = report.decision;
  const path = object === undefined ? undefined : pathOf(call, object);
  if (object === undefined || path === undefined) return { findings: [], notes: ['the call leaves no object that could be updated'] };
  const findings: CheckFinding[] = [];
  for (const update of updatesOf(object, path, state)) {
    const body = Buffer.from(writeValue(toValue(update.patch), 'kept'));
    const suffix = update.subresource === '' ? '' : `/${update.subresource}`;
    const patch = { ...call, method: 'PATCH', path: `${path}${suffix}`, contentType: 'application/merge-patch+json', body };
    findings.push(...findingsOf(update, await again(patch, stateWith(state, update.existing))));
  }
  return { findings, notes: [] };
}

/** Returns the path of the object that a create, an update or a patch leaves; undefined for other calls. */
function pathOf({ method, path }: ApiCall, object: ValueMap): string | undefined {
  const [own = ''] = path.split('?', 1);
  const info = requestInfoOf(path);
  if (info.type !== 'resource' || info.subresource !== '' || stringAt(object, 'kind') === 'Status') return undefined;
  if (method === 'PUT' || method === 'PATCH') return own;
  const name = stringAt(object, 'metadata', 'name');
  return method === 'POST' && info.name === '' && name !== '' ? `${own}/${encodeURIComponent(name)}` : undefined;
}

function updatesOf(object: ValueMap, path: string, state: ClusterState): Update[] {
  const info = requestInfoOf(path);
  const resource = info.type === 'resource' ? resourceNamed(servedBy(state), info) : undefined;
  const hasStatus = resource?.subresources.some(({ name }) => name === 'status') === true;
  const status = { what: 'an update of the status', effect: 'its controller cannot report anything' };
  const terminating = {
    what: 'the removal of the last finalizer while the object is being deleted',
    effect: 'the object stays Terminating, and so does its namespace',
  };
  return [
    { ...terminating, subresource: '', existing: terminatingObject(object), patch: { metadata: { finalizers: null } } },
    ...(hasStatus ? [{ ...status, subresource: 'status', existing: object, patch: {} }] : []),
    { what: 'an update that changes nothing', effect: 'no controller can update the object', subresource: '', existing: object, patch: {} },
  ];
}

function terminatingObject(object: ValueMap): ValueMap {
  const copy = copyOf(object);
  const metadata = mapAt(copy, 'metadata');
  metadata?.set('deletionTimestamp', stringAt(metadata, 'creationTimestamp') || '2026-01-01T00:00:00Z');
  metadata?.set('deletionGracePeriodSeconds', 0n);
  metadata?.set('finalizers', [finalizer]);
  return copy;
}

/** Returns the state in which an object exists as given, whatever earlier calls wrote. */
function stateWith(state: ClusterState, object: ValueMap): ClusterState {
  const own = newWrittenObjects();
  const stored = copyOf(object);
  const metadata = mapAt(stored, 'metadata');
  if (metadata?.has('resourceVersion') === false) metadata.set('resourceVersion', '1');
  recordWrite(own, stored);
  const earlier = state.written;
  const written: WrittenObjects = {
    ...own,
    row: kindKey => new Map([...(earlier?.row(kindKey) ?? []), ...own.row(kindKey)]),
    objects: () => [...(earlier?.objects() ?? []), ...own.objects()],
  };
  return { ...state, written };
}

function findingsOf({ what, effect }: Update, { decision, webhooks }: Report): CheckFinding[] {
  const refusing = webhooks.filter(({ outcome }) => outcome === 'denied');
  if (refusing.length > 0)
    return refusing.map(entry => ({ check, webhook: entry.webhook, message: `refuses ${what}: ${denialOf(entry)}; ${effect}` }));
  // A patch that adds a finalizer to an object which is being deleted is refused by the API server.
  const changing = decision.allowed ? undefined : webhooks.find(changesObject);
  if (changing === undefined) return [];
  return [
    { check, webhook: changing.webhook, message: `breaks ${what} with its patch: ${stringAt(decision.status, 'message')}; ${effect}` },
  ];
}
