import type { SecureVersion } from 'node:tls';
import type { Value } from '../../go/value.js';
import type { ScriptedTls } from './script.js';
import { mapFrom, onlyMembers, optional, ScriptError, textFrom, wordFrom } from './script-fields.js';

const versions: readonly SecureVersion[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];

/**
 * Reads the TLS part of a script: a key pair as PEM texts, and TLS options. A name alone, as in recorded cases, refers to a key pair
 * outside of the document. Throws ScriptError.
 */
export function certificateFrom(value: Value, at: string): ScriptedTls {
  const map = mapFrom(value, at);
  onlyMembers(map, ['name', 'description', 'chain', 'key', 'ciphers', 'minimum', 'maximum', 'clientCA'], at);
  const text = (name: string): string | undefined => optional(map, name, at, textFrom);
  const version = (name: string): SecureVersion | undefined => optional(map, name, at, (given, place) => wordFrom(given, place, versions));
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
