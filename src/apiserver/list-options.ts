import { type FieldError, forbiddenField, invalidValue, notSupported } from '../kubernetes/field-error.js';
import type { LiveStorage } from '../kubernetes/live-storage.js';
import { StatusError } from '../kubernetes/status.js';
import { badRequest, invalid, timeout, unknownError } from '../kubernetes/status-errors.js';
import type { Query } from './request-info.js';

/** The options of a list or watch, from its query. */
export interface ListOptions {
  readonly watch: boolean;
  readonly limit: number;
  readonly continue: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly sendInitialEvents: boolean | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly timeoutSeconds: number | undefined;
}

/** Reads the options. Throws the 400 for a number that is none and the 422 for combinations that are not allowed. Source: metainternalversion/validation. */
export function listOptions(query: Query): ListOptions {
  const text = (name: string): string => query.get(name)?.[0] ?? '';
  const options = {
    watch: flagOf(query, 'watch') === true,
    limit: Number(integerOf(query, 'limit') ?? 0n),
    continue: text('continue'),
    resourceVersion: text('resourceVersion'),
    resourceVersionMatch: text('resourceVersionMatch'),
    sendInitialEvents: flagOf(query, 'sendInitialEvents'),
    allowWatchBookmarks: flagOf(query, 'allowWatchBookmarks') === true,
    timeoutSeconds: numberOf(integerOf(query, 'timeoutSeconds')),
  };
  const errors = options.watch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  return options;
}

function numberOf(value: bigint | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

/** Any value but `0` and `false` is true. Source: apimachinery runtime/conversion.go. */
function flagOf(query: Query, name: string): boolean | undefined {
  const value = query.get(name)?.[0];
  return value === undefined ? undefined : value !== '0' && value.toLowerCase() !== 'false';
}

function integerOf(query: Query, name: string): bigint | undefined {
  const text = query.get(name)?.[0];
  if (text === undefined || text === '') return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return BigInt(text);
}

const match = 'resourceVersionMatch';

function watchErrors({ resourceVersionMatch, sendInitialEvents }: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined) {
    if (resourceVersionMatch !== 'NotOlderThan')
      errors.push(forbiddenField(match, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
    if (resourceVersionMatch !== '' && resourceVersionMatch !== 'NotOlderThan')
      errors.push(notSupported(match, resourceVersionMatch, ['NotOlderThan']));
  } else if (resourceVersionMatch !== '') {
    errors.push(forbiddenField(match, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
  }
  return errors;
}

function listErrors(options: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (options.resourceVersionMatch !== '') {
    if (options.resourceVersion === '')
      errors.push(forbiddenField(match, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (options.continue !== '') errors.push(forbiddenField(match, 'resourceVersionMatch is forbidden when continue is provided'));
    if (options.resourceVersionMatch !== 'Exact' && options.resourceVersionMatch !== 'NotOlderThan')
      errors.push(notSupported(match, options.resourceVersionMatch, ['Exact', 'NotOlderThan', '']));
    if (options.resourceVersionMatch === 'Exact' && options.resourceVersion === '0')
      errors.push(forbiddenField(match, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  if (options.sendInitialEvents !== undefined) errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  return errors;
}

/** The number of a resourceVersion; 0 for an empty one. Throws the error in the words of a read (500) or of a list (400). Source: apiserver storage/api_object_versioner.go. */
export function revisionOf(text: string, of: 'read' | 'list'): number {
  if (text === '') return 0;
  if (/^\d+$/.test(text)) return Number(text);
  const problem = invalidValue('resourceVersion', text, `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`);
  const message = `resourceVersion: Invalid value: ${JSON.stringify(text)}: ${problem.detail}`;
  throw of === 'list' ? badRequest(`invalid resource version: ${message}`) : unknownError(message);
}

/** Waits for a revision that is still to come. Throws the 504 when it does not. Source: apiserver storage/errors.go NewTooLargeResourceVersionError. */
export async function waitForRevision(wanted: number, live: LiveStorage): Promise<void> {
  if (wanted <= live.revision() || (await live.reached(wanted))) return;
  const { status } = timeout(`Too large resource version: ${wanted}, current: ${live.revision()}`, 1);
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  throw new StatusError({ ...status, details: { causes, retryAfterSeconds: 1 } });
}
