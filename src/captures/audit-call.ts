import { queryOfRequest, requestInfoOf } from '../apiserver/call/request-info.js';
import type { PlannedCall } from '../client/calls/planned-call.js';
import { requestedUser } from '../client/calls/raw-calls.js';
import { CliError } from '../client/cli-error.js';
import type { LocatedManifest } from '../client/manifests/manifests.js';
import { writeValue } from '../go/json/write.js';
import { ownMember } from '../go/own-members.js';
import { isList, isMap, mapAt, stringAt, type Value, type ValueMap } from '../go/value.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import { builtInResources } from '../kubernetes/resource-table.js';

/** Returns the method of a verb that admission sees. */
export function methodOf(verb: string): string {
  return ownMember(methods, verb) ?? 'GET';
}

const methods: Readonly<Record<string, string>> = {
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};

/** Subresources whose calls are CONNECT for every verb. */
const connects = new Set(['exec', 'attach', 'portforward', 'proxy']);

/** Reports whether an event of the audit log is of a finished call that admission sees. */
export function isAdmissionEvent(event: ValueMap): boolean {
  return reachesAdmission({
    stage: stringAt(event, 'stage'),
    requestUri: stringAt(event, 'requestURI'),
    verb: stringAt(event, 'verb'),
    subresource: stringAt(event, 'objectRef', 'subresource'),
  });
}

/** The same for the members of an event that decide. */
export function reachesAdmission({
  stage,
  requestUri,
  verb,
  subresource,
}: Readonly<Record<'stage' | 'requestUri' | 'verb' | 'subresource', string>>): boolean {
  if (stage !== '' && stage !== 'ResponseComplete' && stage !== 'Panic') return false;
  if (!Object.hasOwn(methods, verb) && !connects.has(subresource)) return false;
  return requestInfoOf(requestUri).type === 'resource';
}

/**
 * Returns the call of an event of the audit log, by its user. The event has the object as the client sent it, not the one that webhooks got: the
 * call is made again. Throws CliError for an event without the object, and for a patch of unknown type.
 */
export function callOfEvent(server: ApiServer, { object: event, location, locate }: LocatedManifest): PlannedCall {
  const verb = stringAt(event, 'verb');
  const path = stringAt(event, 'requestURI');
  const body = event.get('requestObject');
  if (
    !isMap(body) &&
    !isList(body) &&
    ['create', 'update', 'patch'].includes(verb) &&
    !connects.has(stringAt(event, 'objectRef', 'subresource'))
  ) {
    throw new CliError(
      'invalid-manifest',
      `the audit event of level ${stringAt(event, 'level') || 'Metadata'} does not contain the object of the request`,
      {
        location,
        suggestions: ['set level: Request for this resource in the audit policy', 'record the reviews with webhook-cli proxy'],
      },
    );
  }
  const contentType = verb === 'patch' ? patchType(server, body, path) : 'application/json';
  if (contentType === undefined) {
    throw new CliError('invalid-manifest', 'the audit event does not contain the type of the patch, on which its lists depend', {
      location: locate('/requestObject'),
      suggestions: ['make the call with --call, which names the contentType'],
    });
  }
  const userAgent = stringAt(event, 'userAgent');
  const call = {
    method: methodOf(verb),
    path,
    user: requestedUser(mapAt(event, 'impersonatedUser') ?? mapAt(event, 'user')),
    ...(userAgent === '' ? {} : { userAgent }),
    ...(isMap(body) || isList(body) ? { contentType, body: Buffer.from(`${writeValue(body, 'kept')}\n`) } : {}),
  };
  return { call, command: undefined, notes: ['made from the audit log, with the object as the client sent it'] };
}

/** Returns the Content-Type of a patch, as far as its effect does not depend on a guess. */
export function patchType(server: ApiServer, patch: Value | undefined, path: string): string | undefined {
  if (isList(patch)) return 'application/json-patch+json';
  if (!isMap(patch)) return undefined;
  // A patch of server-side apply names its version and kind, and has a field manager.
  if (patch.has('apiVersion') && patch.has('kind') && queryOfRequest(path).has('fieldManager')) return 'application/apply-patch+yaml';
  const info = requestInfoOf(path);
  const isCustom =
    info.type === 'resource' &&
    !builtInResources(server, 'all').resources.some(({ group, resource }) => group === info.group && resource === info.resource);
  // Merge patches and strategic merge patches have the same effect on maps.
  if (!isCustom && hasDirective(patch)) return 'application/strategic-merge-patch+json';
  return isCustom || !hasList(patch) ? 'application/merge-patch+json' : undefined;
}

function hasList(value: Value): boolean {
  return isList(value) || (isMap(value) && [...value.values()].some(hasList));
}

/** Directives of strategic merge patches. */
function hasDirective(value: Value): boolean {
  if (isList(value)) return value.some(hasDirective);
  return (
    isMap(value) &&
    [...value].some(
      ([key, member]) => /^\$(?:patch|retainKeys|setElementOrder\/|deleteFromPrimitiveList\/)/.test(key) || hasDirective(member),
    )
  );
}
