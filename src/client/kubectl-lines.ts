import type { Report } from '../apiserver/report/report.js';
import { quote } from '../go/quote.js';
import { isMap, listAt, mapAt, stringAt, toValue, type ValueMap } from '../go/value.js';
import type { GroupVersionKind } from '../kubernetes/group-version.js';
import { genericServerResponse } from '../kubernetes/server-response.js';

/** kubectl's verbs with output of their own; `stream` is exec and attach, `raw` any verb with `--raw`. */
export type ClientVerb =
  | 'create'
  | 'replace'
  | 'patch'
  | 'apply'
  | 'delete'
  | 'scale'
  | 'debug'
  | 'drain'
  | 'create token'
  | 'certificate approve'
  | 'stream'
  | 'port-forward'
  | 'raw';

/** The kubectl command of a call, as far as its output depends on it. */
export interface ClientCommand {
  readonly verb: ClientVerb;
  /** The file as kubectl names it, `STDIN` for stdin. */
  readonly source: string;
  readonly kind: GroupVersionKind;
  readonly name: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly dryRun: boolean;
  /** `--grace-period 0 --force`. */
  readonly force: boolean;
  /** The arguments after `kubectl`. */
  readonly words: readonly string[];
  /** kubectl's output before the call, and after the call when it is allowed. */
  readonly before?: readonly string[] | undefined;
  readonly after?: readonly string[] | undefined;
}

/** A call's report and its kubectl command; no command for raw HTTP calls. */
export interface CommandReport {
  readonly report: Report;
  readonly command: ClientCommand | undefined;
}

/**
 * kubectl's output for one call; a single failure of a command has another format than several. Source: kubectl cmd/util/helpers.go,
 * cmd/delete/delete.go.
 */
export function kubectlLinesOf({ report, command }: CommandReport, { isOnlyFailure }: { readonly isOnlyFailure: boolean }): string[] {
  return [
    ...(command?.before ?? []),
    ...report.decision.warnings.map(text => `Warning: ${text}`),
    ...(report.decision.allowed ? successLines(report, command) : failureLines(report, command, { isOnlyOne: isOnlyFailure })),
  ];
}

/** Reports whether the output for a failed call depends on failures of other calls of the command. */
export function dependsOnOtherFailures({ report, command }: CommandReport): boolean {
  const status = report.decision.allowed ? undefined : report.decision.status;
  if (status === undefined) return false;
  return isInvalid(status) || (command?.verb === 'apply' && stringAt(status, 'reason') === 'Conflict');
}

function successLines(report: Report, command: ClientCommand | undefined): string[] {
  const { decision, answer } = report;
  if (command === undefined) {
    const kind = decision.object?.has('kind') === true ? kindOfObject(decision.object) : undefined;
    return [kind === undefined ? '' : `${kindName(kind)}/${stringAt(decision.object, 'metadata', 'name')}`];
  }
  const after = command.after ?? [];
  if (command.verb === 'stream' || command.verb === 'port-forward' || command.verb === 'debug') return [...after];
  if (command.verb === 'raw')
    return answer.body
      .trimEnd()
      .split('\n')
      .filter(line => line !== '');
  if (command.verb === 'create token') return [stringAt(decision.object, 'status', 'token')];
  return [changeLine(report, { ...command, verb: command.verb }), ...after];
}

type ChangingVerb = 'delete' | keyof typeof participles;

function changeLine({ decision }: Report, command: ClientCommand & { readonly verb: ChangingVerb }): string {
  const dryRun = command.dryRun ? ' (server dry run)' : '';
  if (command.verb !== 'delete') return `${subjectOfChange(decision.object, command)} ${participles[command.verb]}${dryRun}`;
  const from = command.namespace === '' ? '' : ` from ${command.namespace} namespace`;
  return `${kindName(command.kind)} "${command.name}" ${command.force ? 'force deleted' : 'deleted'}${dryRun}${from}`;
}

/** A subresource returns another kind, which the verbs for it do not print. */
function subjectOfChange(object: ValueMap | undefined, { verb, kind, name }: ClientCommand): string {
  if (verb === 'scale' || verb === 'drain') return `${kindName(kind)}/${name}`;
  const answered = object?.has('kind') === true ? kindOfObject(object) : kind;
  return `${kindName(answered)}/${stringAt(object, 'metadata', 'name') || name}`;
}

const participles = {
  create: 'created',
  replace: 'replaced',
  patch: 'patched',
  apply: 'serverside-applied',
  scale: 'scaled',
  drain: 'evicted',
  'certificate approve': 'approved',
};

function kindOfObject(object: ValueMap): GroupVersionKind {
  const apiVersion = stringAt(object, 'apiVersion');
  const slash = apiVersion.indexOf('/');
  return { group: slash < 0 ? '' : apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1), kind: stringAt(object, 'kind') };
}

function kindName({ group, kind }: GroupVersionKind): string {
  return group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
}

const gerunds = { create: 'creating', replace: 'replacing', delete: 'deleting' };

function failureLines(report: Report, command: ClientCommand | undefined, { isOnlyOne }: { readonly isOnlyOne: boolean }): string[] {
  const { decision } = report;
  const status = decision.status ?? statusOfPlainAnswer(report, command);
  if (status === undefined) return ['error: the connection to the server was closed before it answered'];
  const verb = command?.verb;
  const wrapped = wrappedFailure(status, command);
  if (wrapped !== undefined) return wrapped.split('\n');
  if (isOnlyOne && isInvalid(status)) return invalidLines(status);
  if (verb === 'apply' && stringAt(status, 'reason') === 'Conflict') return conflictLines(stringAt(status, 'message'), { isOnlyOne });
  const where =
    command !== undefined && (verb === 'create' || verb === 'replace' || verb === 'delete')
      ? `error when ${gerunds[verb]} ${quote(command.source)}: `
      : '';
  return errorFromServer(stringAt(status, 'reason'), where + stringAt(status, 'message')).split('\n');
}

/**
 * Some verbs add a prefix to the server's message. Source: kubectl cmd/create/create_token.go, client-go tools/portforward, kubectl
 * drain/drain.go.
 */
function wrappedFailure(status: ValueMap, command: ClientCommand | undefined): string | undefined {
  const message = stringAt(status, 'message');
  if (command?.verb === 'create token') return `error: failed to create token: ${message}`;
  if (command?.verb === 'port-forward') return `error: error upgrading connection: ${message}`;
  if (command?.verb !== 'drain') return undefined;
  const failed = `error when evicting pods/${quote(command.name)} -n ${quote(command.namespace)}`;
  return stringAt(status, 'reason') === 'TooManyRequests' ? `${failed} (will retry after 5s): ${message}` : `error: ${failed}: ${message}`;
}

/** kubectl's addition to field manager conflicts. Source: kubectl cmd/apply/apply.go. */
function conflictLines(message: string, { isOnlyOne }: { readonly isOnlyOne: boolean }): string[] {
  return [
    ...`${isOnlyOne ? 'error: ' : ''}${message}`.split('\n'),
    'Please review the fields above--they currently have other managers. Here',
    'are the ways you can resolve this warning:',
    '* If you intend to manage all of these fields, please re-run the apply',
    '  command with the `--force-conflicts` flag.',
    '* If you do not intend to manage all of the fields, please edit your',
    '  manifest to remove references to the fields that should keep their',
    '  current managers.',
    '* You may co-own fields by updating your manifest to match the existing',
    "  value; in this case, you'll become the manager if the other manager(s)",
    '  stop managing the field (remove it from their configuration).',
    'See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts',
  ];
}

function errorFromServer(reason: string, message: string): string {
  if (reason === 'Unauthorized') return `error: You must be logged in to the server (${message})`;
  return reason === '' ? `Error from server: ${message}` : `Error from server (${reason}): ${message}`;
}

/** Reasons known to the client library; for other reasons the status code determines the error. */
const knownReasons = new Set([
  'AlreadyExists',
  'BadRequest',
  'Conflict',
  'Expired',
  'Forbidden',
  'Gone',
  'InternalError',
  'Invalid',
  'MethodNotAllowed',
  'NotAcceptable',
  'NotFound',
  'RequestEntityTooLarge',
  'ServerTimeout',
  'ServiceUnavailable',
  'StoreReadError',
  'Timeout',
  'TooManyRequests',
  'Unauthorized',
  'UnsupportedMediaType',
]);

function isInvalid(status: ValueMap): boolean {
  const reason = stringAt(status, 'reason');
  return reason === 'Invalid' || (!knownReasons.has(reason) && Number(status.get('code') ?? 0) === 422);
}

function invalidLines(status: ValueMap): string[] {
  const details = mapAt(status, 'details');
  const message = stringAt(status, 'message');
  if (details === undefined) return `The request is invalid: ${message}`.split('\n');
  const causes = [...new Set(listAt(details, 'causes').map(cause => `${stringAt(cause, 'field')}: ${stringAt(cause, 'message')}`))];
  const [only] = causes;
  const subject = subjectOf(details, message, causes.length > 0);
  if (only === undefined) return subject.split('\n');
  return causes.length === 1 ? `${subject}: ${only}`.split('\n') : [`${subject}: `, ...causes.map(cause => `* ${cause}`)];
}

function subjectOf(details: ValueMap, message: string, hasCauses: boolean): string {
  const kind = stringAt(details, 'kind');
  const name = stringAt(details, 'name');
  if (kind !== '' || name !== '') return `The ${kind} ${quote(name)} is invalid`;
  return message !== '' && !hasCauses ? `The request is invalid: ${message}` : 'The request is invalid';
}

/** The client's error for an answer that is not a Status; undefined without an answer. */
function statusOfPlainAnswer({ decision, answer, call }: Report, command: ClientCommand | undefined): ValueMap | undefined {
  if (decision.code === 0) return undefined;
  const { status } = genericServerResponse({
    code: decision.code,
    verb: call.method,
    resource: { group: command?.kind.group ?? '', resource: '' },
    name: command?.name ?? '',
    serverMessage: answer.body.trim(),
    retryAfterSeconds: 0,
    unexpected: true,
  });
  const value = toValue(status);
  return isMap(value) ? value : undefined;
}
