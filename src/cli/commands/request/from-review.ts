import { servedBy } from '../../../apiserver/call/served-resources.js';
import { type CapturedReview, callOfReview } from '../../../apiserver/replay-review.js';
import { isAuditEvent } from '../../../captures/captured-kind.js';
import { queryOfCall } from '../../../client/calls/call-path.js';
import { CliError } from '../../../client/cli-error.js';
import { asStored } from '../../../client/manifests/cluster-state.js';
import type { LocatedManifest } from '../../../client/manifests/manifests.js';
import type { InputFlags, ReproducingFlags } from '../../../client/options/call-options.js';
import { readUnstructured } from '../../../encoding/unstructured.js';
import { writeValue } from '../../../go/json/write.js';
import { copyOf, isMap, mapAt, stringAt, toValue, type Value } from '../../../go/value.js';
import type { ApiCall, ClusterState } from '../../../kubernetes/api-call.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { counted } from '../../../kubernetes/counted.js';
import { writeIndented } from '../../../reports/json.js';
import { allDifferences, type SnapshotDifference } from '../../../suites/snapshots/first-difference.js';
import { printable } from '../../../writers/printable.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { readCallEntries } from '../../work/calls/call-entries.js';
import { capturedReviewIn, isCaptured } from '../../work/calls/captured-review.js';
import { runUnsent } from '../../work/calls/run-unsent.js';
import { readDefinitionsInto } from '../../work/cluster/with-definitions.js';
import { type ReadStateFlags, readState } from '../../work/input/state.js';
import type { RegisteredFlags } from '../../work/webhooks/cluster-webhooks.js';
import { unsentCluster } from '../../work/webhooks/unsent-cluster.js';

/** What decides what the API server would send today. */
type TodayFlags = ReadStateFlags & RegisteredFlags & ReproducingFlags;

type FromReviewFlags = TodayFlags & Pick<InputFlags, 'call'> & { readonly output?: string | undefined };

/** Compares the captured reviews of a file with those that the API server would send today; returns 1 when one differs. Throws CliError. */
export async function compareWithReviews(file: string, flags: FromReviewFlags, surroundings: Surroundings): Promise<ExitCode> {
  if (flags.filename !== undefined || flags.call !== undefined)
    throw new CliError('usage', '--from-review cannot be used with -f or --call', { suggestions: ['remove one of them'] });
  const { entries } = await readCallEntries({ flag: '--from-review', paths: [file], recursive: false }, surroundings);
  const compared: Compared[] = [];
  for (const manifest of entries) {
    if (manifest instanceof CliError) throw manifest;
    compared.push(await compareOne(manifest, flags, surroundings));
  }
  surroundings.stdout.write(printed(compared, flags.output));
  return compared.some(({ differences }) => differences.length > 0) ? exitCodes.refused : exitCodes.allowed;
}

interface Compared {
  readonly captured: CapturedReview;
  /** Body of the request that the API server would send today. */
  readonly today: string;
  readonly differences: readonly SnapshotDifference[];
}

async function compareOne(manifest: LocatedManifest, flags: TodayFlags, surroundings: Surroundings): Promise<Compared> {
  const { object, location } = manifest;
  if (!isCaptured(object)) {
    const given = stringAt(object, 'kind');
    throw new CliError('invalid-manifest', `${given} is not a captured AdmissionReview`, {
      location,
      suggestions: [isAuditEvent(object) ? 'pass audit events with -f' : 'pass manifests with -f'],
    });
  }
  const captured = capturedReviewIn(manifest, false);
  const { request } = captured;
  const wanted = { group: stringAt(request, 'resource', 'group'), resource: stringAt(request, 'resource', 'resource') };
  const state = withStored(captured, await readDefinitionsInto(await readState(flags, surroundings), [wanted]), surroundings);
  const call = callFromReview(state.server, captured);
  const registered = unsentCluster(state, { ...flags, reviewVersions: captured.version }, surroundings.cwd);
  const plan = { steps: [{ plan: () => ({ call, command: undefined }) }], state, warnings: [], notes: [] };
  const { seed, now } = flags;
  for await (const result of runUnsent(plan, registered, { seed, now, registeredIn: changed => changed, surroundings })) {
    if (result.outcome === 'unusable') throw result.error;
    const today = result.outcome === 'answered' ? result.report.exchanges[0]?.call.body : undefined;
    if (today === undefined) {
      const said = result.outcome === 'answered' ? stringAt(result.report.report.decision.status, 'message') : '';
      throw new CliError('incomplete-state', `the API server would not send a review today${said === '' ? '' : `: ${said}`}`, {
        location,
        suggestions: ['pass what exists in the cluster with --state'],
      });
    }
    return { captured, today, differences: differencesOf(captured, today) };
  }
  throw new Error('a call without a result');
}

/** The review of an update or a deletion contains the stored object. */
function withStored({ request }: CapturedReview, state: ClusterState, surroundings: Pick<Surroundings, 'uid' | 'now'>): ClusterState {
  const old = mapAt(request, 'oldObject');
  if (old === undefined) return state;
  const stored = asStored([copyOf(old)], { served: servedBy(state), namespace: stringAt(request, 'namespace') || 'default' }, surroundings);
  return { ...state, objects: [...stored, ...state.objects] };
}

/** Fields that the API server generates in each call. */
const ofOneCall =
  /^request\.uid$|^request\.(?:object|oldObject)\.metadata\.(?:uid|creationTimestamp|resourceVersion|generation|managedFields)\b/;

function differencesOf({ body, request }: CapturedReview, today: string): SnapshotDifference[] {
  // A patch is repeated as an update.
  const isPatch = stringAt(request, 'options', 'kind') === 'PatchOptions';
  return allDifferences(readUnstructured(body), readUnstructured(today)).filter(
    ({ path }) => !ofOneCall.test(path) && !(isPatch && path.startsWith('request.options')),
  );
}

function printed(compared: readonly Compared[], output: string | undefined): string {
  if (output === 'request') return compared.map(({ today }) => today).join('');
  if (output === 'json') {
    const documents = compared.map(
      ({ captured, today, differences }): Value =>
        new Map<string, Value>([
          ['captured', readUnstructured(captured.body)],
          ['today', readUnstructured(today)],
          [
            'differences',
            toValue(differences.map(({ path, expected, actual }) => ({ path, captured: expected ?? null, today: actual ?? null }))),
          ],
        ]),
    );
    const [only, second] = documents;
    return `${writeIndented(second === undefined && only !== undefined ? only : documents)}\n`;
  }
  return compared.map(comparedText).join('\n');
}

function comparedText({ captured: { request }, differences }: Compared): string {
  const place = [stringAt(request, 'namespace'), stringAt(request, 'name')].filter(part => part !== '').join('/');
  const subject = [stringAt(request, 'operation'), stringAt(request, 'kind', 'kind'), place].filter(part => part !== '').join(' ');
  const count = differences.length === 0 ? 'as the API server would send it today' : counted(differences.length, 'difference');
  const lines = differences.map(({ path, expected, actual }) => `  ${path}: captured ${expected ?? 'absent'}, today ${actual ?? 'absent'}`);
  return [`${subject} by ${stringAt(request, 'userInfo', 'username')}: ${count}`, ...lines].map(line => `${printable(line)}\n`).join('');
}

/** Returns an API call that leads to a captured review today. Throws CliError for a review that does not show its call. */
function callFromReview(server: ApiServer, captured: CapturedReview): ApiCall {
  const { request } = captured;
  const call = callOfReview(server, captured);
  const options = mapAt(request, 'options');
  if (stringAt(request, 'operation') === 'CONNECT') {
    throw new CliError('not-there-yet', 'a review of a CONNECT does not show the query of its call', {
      suggestions: ['pass --operation connect with a manifest'],
    });
  }
  const isDeletion = call.method === 'DELETE';
  const body: Value | undefined = isDeletion ? options : request.get('object');
  if (!isDeletion && !isMap(body))
    throw new CliError('invalid-manifest', 'the review has no object', { suggestions: ['pass a whole review'] });
  const query = queryOfCall({
    dryRun: request.get('dryRun') === true ? 'All' : undefined,
    fieldManager: unlessEmpty(stringAt(options, 'fieldManager')),
    fieldValidation: unlessEmpty(stringAt(options, 'fieldValidation')),
  });
  return {
    ...call,
    path: call.path + (isDeletion ? '' : query),
    contentType: 'application/json',
    ...(body === undefined || body === null ? {} : { body: Buffer.from(writeValue(body, 'kept')) }),
  };
}

function unlessEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}
