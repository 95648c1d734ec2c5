import type { ApiCall } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';
import { type AcceptClause, parseAccept } from './accept-header.js';
import { wantsPretty } from './pretty.js';

/** Encodings of an answer. */
export type Encoding = 'json' | 'yaml' | 'protobuf' | 'cbor';

export const mediaTypes: Readonly<Record<Encoding, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  cbor: 'application/cbor',
};

/** Encodings of an API server's objects. */
export function encodingsOf(server: ApiServer): readonly Encoding[] {
  return server.isEnabled('CBORServingAndStorage') ? withCbor : withoutCbor;
}

const withoutCbor: readonly Encoding[] = ['json', 'yaml', 'protobuf'];
const withCbor: readonly Encoding[] = [...withoutCbor, 'cbor'];

/** Negotiated form of an answer. */
export interface Negotiated {
  readonly encoding: Encoding;
  readonly pretty: boolean;
  /** Target kind of the conversion: Table or PartialObjectMetadata. */
  readonly convert: GroupVersionKind | undefined;
}

/** JSON as it is. */
export const plainForm: Negotiated = { encoding: 'json', pretty: false, convert: undefined };

/** What an endpoint writes. */
export interface Restrictions {
  /** Encodings in which it writes its own objects. */
  readonly encodings: readonly Encoding[];
  /** Whether it converts objects to Tables and PartialObjectMetadata, or only to the latter. */
  readonly transforms: 'all' | 'metadata' | 'none';
}

/** Errors are written in every encoding, but never converted to another kind. */
export const errorRestrictions: Restrictions = { encodings: ['json', 'yaml', 'protobuf'], transforms: 'none' };

/** Chooses the form of an answer; undefined when none is acceptable. Source: apiserver handlers/negotiation NegotiateMediaTypeOptions. */
export function negotiate(call: ApiCall, restrictions: Restrictions): Negotiated | undefined {
  const header = acceptOf(call);
  const pretty = wantsPretty(call);
  if (header === '') return { encoding: 'json', pretty, convert: undefined };
  for (const clause of parseAccept(header)) {
    for (const encoding of ['json', 'yaml', 'protobuf'] as const) {
      if (!matches(clause, encoding)) continue;
      const convert = convertOf(clause.parameters);
      if (!isAllowed(clause, encoding, { convert, restrictions })) continue;
      return { encoding, pretty: pretty || clause.parameters.get('pretty') === '1', convert };
    }
  }
  return undefined;
}

/** Returns the Accept header; empty without one. */
export function acceptOf({ headers }: ApiCall): string {
  return Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'accept')?.[1] ?? '';
}

function matches({ type, subtype }: AcceptClause, encoding: Encoding): boolean {
  if (type === '*' && subtype === '*') return true;
  return type === 'application' && (subtype === '*' || `application/${subtype}` === mediaTypes[encoding]);
}

function convertOf(parameters: ReadonlyMap<string, string>): GroupVersionKind | undefined {
  const [kind, group, version] = ['as', 'g', 'v'].map(name => parameters.get(name));
  if (kind === undefined && group === undefined && version === undefined) return undefined;
  return { group: group ?? '', version: version ?? '', kind: kind ?? '' };
}

function isAllowed(
  { parameters }: AcceptClause,
  encoding: Encoding,
  { convert, restrictions }: { convert: GroupVersionKind | undefined; restrictions: Restrictions },
): boolean {
  const stream = parameters.get('stream') ?? '';
  if (stream !== '' && (stream !== 'watch' || encoding === 'yaml')) return false;
  if ((parameters.get('sv') ?? '') !== '') return false;
  if (convert === undefined) return restrictions.encodings.includes(encoding);
  if (restrictions.transforms === 'none' || convert.group !== 'meta.k8s.io' || !['v1', 'v1beta1'].includes(convert.version)) return false;
  if (convert.kind === 'Table') return restrictions.transforms === 'all' && encoding !== 'protobuf';
  return convert.kind === 'PartialObjectMetadata' || convert.kind === 'PartialObjectMetadataList';
}
