import type { ApiServer } from '../../kubernetes/api-server.js';
import type { ApiObject } from './api-object.js';
import { builtInCodec } from './built-in-codec.js';
import { type Decoded, DecodeError } from './codec.js';
import { interpretDocument } from './interpret-document.js';
import { notRegistered } from './not-registered.js';

/**
 * Decodes the JSON text of a built-in object by its own apiVersion and kind, without defaults. Throws DecodeError. Source: apimachinery
 * serializer/json Serializer.Decode without a target.
 */
export function decodeDocument(server: ApiServer, text: string): ApiObject & Decoded {
  const { kind, node } = interpretDocument(text, server);
  if (kind.kind === '') throw new DecodeError(`Object 'Kind' is missing in '${text}'`);
  if (kind.version === '') throw new DecodeError(`Object 'apiVersion' is missing in '${text}'`);
  const codec = builtInCodec(server, kind);
  if (codec === undefined) throw new DecodeError(notRegistered(server, kind));
  return { codec, ...codec.decode(text, node) };
}
