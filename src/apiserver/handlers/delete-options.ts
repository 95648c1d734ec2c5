import type { Value } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type FieldError, invalidValue, notSupported } from '../../kubernetes/field-error.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';
import type { StatusError } from '../../kubernetes/status.js';
import { badRequest, invalid, unknownError } from '../../kubernetes/status-errors.js';
import { readBodyText } from '../call/body.js';
import type { CallContext } from '../call/call-context.js';
import { dryRunErrors, optionsObject } from '../call/request-options.js';
import type { ApiObject } from '../objects/api-object.js';
import { builtInCodec } from '../objects/built-in-codec.js';
import { DecodeError } from '../objects/codec.js';
import { interpretDocument } from '../objects/interpret-document.js';
import { notRegistered } from '../objects/not-registered.js';
import { flagIn, integerIn } from '../storage/list-options.js';

/**
 * Returns the options of a deletion: those of the body or, without one, of the query. Throws a 400 or 422 for invalid ones. Source:
 * apiserver handlers/delete.go.
 */
export async function deleteOptions(context: CallContext): Promise<ApiObject> {
  const hasBody = context.call.body !== undefined && context.call.body.length > 0;
  const members = hasBody ? await readOptionsInBody(context) : fromQuery(context);
  const errors = errorsIn(context.server, new Map(members));
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  const options = optionsObject(
    context.server,
    'DeleteOptions',
    members.filter(([key]) => key !== ignoring || context.server.isEnabled('AllowUnsafeMalformedObjectDeletion')),
  );
  if (hasBody) context.serving?.onRequestObject?.(options);
  return options;
}

const kind = { group: 'meta.k8s.io', version: 'v1', kind: 'DeleteOptions' };

async function readOptionsInBody(context: CallContext): Promise<[string, Value][]> {
  const { json } = await readBodyText(context.server, context.call, kind, problem => unreadable(context.server, problem));
  const codec = builtInCodec(context.server, kind);
  if (codec === undefined) return [];
  try {
    const { kind: said } = interpretDocument(json, context.server);
    if (said.kind !== '' && said.kind !== 'DeleteOptions') throw unreadable(context.server, wrongKind(context.server, said));
    return [...codec.decode(json).value].filter(([key]) => key !== 'kind' && key !== 'apiVersion');
  } catch (error) {
    if (error instanceof DecodeError) throw unreadable(context.server, error.message);
    throw error;
  }
}

/** Up to v1.34 an unreadable body is a plain error. */
function unreadable(server: ApiServer, message: string): StatusError {
  return server.since('v1.35') ? badRequest(message) : unknownError(message);
}

/** The scheme of options contains the kinds that every group has. */
function wrongKind(server: ApiServer, said: GroupVersionKind): string {
  const isOption = builtInCodec(server, { group: 'meta.k8s.io', version: 'v1', kind: said.kind }) !== undefined;
  return isOption ? `converting (v1.${said.kind}) to (v1.DeleteOptions): unknown conversion` : notRegistered(server, said);
}

/** Source: apimachinery meta/v1 Convert_url_Values_To_v1_DeleteOptions. */
function fromQuery({ query }: CallContext): [string, Value][] {
  const members: [string, Value][] = [];
  const add = (name: string, value: Value | undefined): void => {
    if (value !== undefined) members.push([name, value]);
  };
  const dryRun = query.get('dryRun');
  add('gracePeriodSeconds', integerIn(query, 'gracePeriodSeconds'));
  const preconditions = ['uid', 'resourceVersion'].flatMap(name => {
    const text = query.get(name)?.[0] ?? '';
    return text === '' ? [] : [[name, text] as const];
  });
  add('preconditions', preconditions.length === 0 ? undefined : new Map(preconditions));
  add('orphanDependents', flagIn(query, 'orphanDependents'));
  add('propagationPolicy', query.get('propagationPolicy')?.[0]);
  add(ignoring, flagIn(query, ignoring));
  add('dryRun', dryRun === undefined ? undefined : [...dryRun]);
  return members;
}

const policies = ['Foreground', 'Background', 'Orphan', 'nil'];

/** Source: apimachinery meta/v1/validation ValidateDeleteOptions. */
function errorsIn(server: ApiServer, options: ReadonlyMap<string, Value>): FieldError[] {
  const errors: FieldError[] = [];
  const policy = options.get('propagationPolicy');
  if (options.get('orphanDependents') !== undefined && typeof policy === 'string') {
    errors.push(invalidValue('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'));
  }
  if (typeof policy === 'string' && !policies.slice(0, 3).includes(policy))
    errors.push(notSupported('propagationPolicy', policy, policies));
  const dryRun = options.get('dryRun');
  return [...errors, ...dryRunErrors(Array.isArray(dryRun) ? dryRun.map(String) : []), ...ignoringErrors(server, options)];
}

/** Option that deletes an object which cannot be read, without admission. */
export const ignoring = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/** Source: ValidateIgnoreStoreReadError. */
function ignoringErrors(server: ApiServer, options: ReadonlyMap<string, Value>): FieldError[] {
  if (options.get(ignoring) !== true || !server.isEnabled('AllowUnsafeMalformedObjectDeletion')) return [];
  const isSet = (name: string): boolean => (options.get(name) ?? null) !== null;
  return ['propagationPolicy', 'orphanDependents', 'gracePeriodSeconds', 'preconditions']
    .filter(isSet)
    .map(name => invalidValue(ignoring, true, `cannot be set together with .${name}`));
}
