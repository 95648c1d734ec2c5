import type { SecureVersion } from 'node:tls';
import { isList, type Value, type ValueMap } from '../../go/value.js';
import type {
  Behaviour,
  Body,
  BodyPart,
  ConnectionScript,
  Ending,
  HttpScript,
  RawScript,
  RefuseScript,
  Script,
  ScriptedTls,
} from './script.js';
import { mapFrom, numberFrom, onlyMembers, optionalField, ScriptError, textFrom, truthFrom, wordFrom } from './script-fields.js';

/** Reads a script from a document: `{endpoint, path, routes, certificate}`, or a single endpoint. Throws ScriptError. */
export function readScript(document: Value): Script {
  const map = mapFrom(document, 'script');
  if (map.has('kind')) return { endpoint: endpointFrom(map, 'script') };
  onlyMembers(map, ['endpoint', 'path', 'routes', 'certificate'], 'script');
  const { endpoint, path, routes, certificate } = Object.fromEntries(map);
  return {
    endpoint: endpoint === undefined ? undefined : endpointFrom(endpoint, 'endpoint'),
    path: path === undefined ? undefined : textFrom(path, 'path'),
    routes: routes === undefined ? undefined : routesFrom(mapFrom(routes, 'routes')),
    certificate: certificate === undefined ? undefined : certificateFrom(certificate, 'certificate'),
  };
}

function routesFrom(routes: ValueMap): Record<string, Behaviour> {
  return Object.fromEntries([...routes].map(([path, value]) => [path, behaviorFrom(value, `routes[${path}]`)]));
}

function endpointFrom(value: Value, at: string): Behaviour | ConnectionScript | RefuseScript {
  const map = mapFrom(value, at);
  const kind = map.get('kind');
  if (kind === 'refuse') return { kind };
  if (kind !== 'connection') return behaviorFrom(value, at);
  onlyMembers(map, ['kind', 'read', 'bytesBase64', 'then', 'description'], at);
  return {
    kind,
    read: wordFrom(map.get('read') ?? 'nothing', `${at}.read`, ['nothing', 'client-hello']),
    bytesBase64: optionalField(map, 'bytesBase64', at, textFrom),
    ending: endingFrom(map.get('then') ?? 'close', `${at}.then`),
  };
}

function behaviorFrom(value: Value, at: string): Behaviour {
  const map = mapFrom(value, at);
  if (map.get('kind') !== 'sequence') return answerFrom(value, at);
  onlyMembers(map, ['kind', 'answers'], at);
  const answers = map.get('answers');
  if (!isList(answers)) throw new ScriptError(`${at}.answers: must be a list`);
  return { kind: 'sequence', answers: answers.map((answer, i) => answerFrom(answer, `${at}.answers[${i}]`)) };
}

function answerFrom(value: Value, at: string): HttpScript | RawScript {
  const map = mapFrom(value, at);
  const kind = wordFrom(map.get('kind') ?? '', `${at}.kind`, ['http', 'raw']);
  const common = { delayMs: optionalField(map, 'delayMs', at, numberFrom), ending: optionalField(map, 'then', at, endingFrom) };
  if (kind === 'raw') {
    onlyMembers(map, ['kind', 'bytes', 'delayMs', 'then'], at);
    return { kind, ...common, bytes: optionalField(map, 'bytes', at, bodyFrom) };
  }
  onlyMembers(map, httpMembers, at);
  return {
    kind,
    ...common,
    status: optionalField(map, 'status', at, numberFrom),
    reason: optionalField(map, 'reason', at, textFrom),
    version: optionalField(map, 'version', at, textFrom),
    headers: optionalField(map, 'headers', at, headersFrom),
    body: optionalField(map, 'body', at, bodyFrom),
    chunked: optionalField(map, 'chunked', at, truthFrom),
    noLength: optionalField(map, 'noLength', at, truthFrom),
    contentLength: optionalField(map, 'contentLength', at, numberFrom),
    dripMs: optionalField(map, 'dripMs', at, numberFrom),
    bodyDelayMs: optionalField(map, 'bodyDelayMs', at, numberFrom),
  };
}

const httpMembers = [
  'kind',
  'status',
  'reason',
  'version',
  'headers',
  'body',
  'chunked',
  'noLength',
  'contentLength',
  'delayMs',
  'dripMs',
  'bodyDelayMs',
  'then',
];

function headersFrom(value: Value, at: string): Record<string, string | string[]> {
  const entries = [...mapFrom(value, at)].map(([name, given]): [string, string | string[]] => {
    const place = `${at}[${name}]`;
    return [name, isList(given) ? given.map((one, i) => textFrom(one, `${place}[${i}]`)) : textFrom(given, place)];
  });
  return Object.fromEntries(entries);
}

function bodyFrom(value: Value, at: string): Body {
  if (isList(value)) return value.map((part, i) => partFrom(part, `${at}[${i}]`));
  return partFrom(value, at);
}

function partFrom(value: Value, at: string): string | BodyPart {
  if (typeof value === 'string') return value;
  const map = mapFrom(value, at);
  const { repeat, times, base64, base64Of, gzipOf } = Object.fromEntries(map);
  if (repeat !== undefined) return { repeat: textFrom(repeat, `${at}.repeat`), times: numberFrom(times ?? null, `${at}.times`) };
  if (base64 !== undefined) return { base64: textFrom(base64, `${at}.base64`) };
  if (base64Of !== undefined) return { base64Of: bodyFrom(base64Of, `${at}.base64Of`) };
  if (gzipOf !== undefined) return { gzipOf: bodyFrom(gzipOf, `${at}.gzipOf`) };
  throw new ScriptError(`${at}: invalid part of a body: expected a string, or an object with repeat and times, base64, base64Of or gzipOf`);
}

function endingFrom(value: Value, at: string): Ending {
  return wordFrom(value, at, ['close', 'abort', 'reset', 'hang', 'half-close', 'keep']);
}

const versions: readonly SecureVersion[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];

/**
 * Reads the TLS part of a script: a key pair as PEM texts, and TLS options. A name alone, as in recorded cases, refers to a key pair
 * outside of the document. Throws ScriptError.
 */
function certificateFrom(value: Value, at: string): ScriptedTls {
  const map = mapFrom(value, at);
  onlyMembers(map, ['name', 'description', 'chain', 'key', 'ciphers', 'minimum', 'maximum', 'clientCA'], at);
  const text = (name: string): string | undefined => optionalField(map, name, at, textFrom);
  const version = (name: string): SecureVersion | undefined =>
    optionalField(map, name, at, (given, place) => wordFrom(given, place, versions));
  const [chain, key] = [text('chain'), text('key')];
  if ((chain === undefined) !== (key === undefined)) throw new ScriptError(`${at}: chain and key must be given together`);
  return {
    name: text('name'),
    pair: chain === undefined || key === undefined ? undefined : { chain, key },
    ciphers: text('ciphers'),
    minimum: version('minimum'),
    maximum: version('maximum'),
    clientCA: text('clientCA'),
  };
}
