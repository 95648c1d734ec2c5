import { weightOf } from '../../encoding/compact-object.js';
import { writeValue } from '../../go/json/write.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import type { ApiObject } from '../objects/api-object.js';
import { isCustomCodec } from '../objects/custom-codec.js';
import { writeEnvelope } from '../objects/protobuf/envelope.js';
import { writeMessage } from '../objects/protobuf/write-message.js';
import { withoutVersion } from './commit.js';
import type { StoreContext } from './store-context.js';
import { keyBelowPrefix } from './store-key.js';
import { checkTransactionSize } from './store-limits.js';

/** Weight of an object whose stored form is within etcd's limit for any contents: a character has at most six bytes in JSON. */
const lightWeight = 200_000;

/**
 * Throws TooLargeError for an object that is larger than etcd accepts. `revision` is that of the replaced object; undefined for a new one. A built-in
 * object is measured in the version of the request.
 */
export function checkStoredSize(stored: ApiObject, context: Pick<StoreContext, 'server' | 'endpoint'>, revision?: bigint): void {
  if (weightOf(stored.value) < lightWeight) return;
  const key = Buffer.byteLength(`/registry${keyBelowPrefix(stored.value, context)}`);
  checkTransactionSize({ key, value: storedBytes(stored) }, revision);
}

/** Custom resources and the kinds of some groups are stored as JSON, the others as protobuf. */
function storedBytes({ codec, value }: ApiObject): number {
  if (isCustomCodec(codec)) return Buffer.byteLength(writeValue(value, 'sorted')) + 1;
  const { kind, server } = codec;
  if (server.storageFactory.isStoredAsJson(kind.group)) return Buffer.byteLength(codec.encode(withoutVersion(value))) + 1;
  const schema = schemaOfKind(server, kind);
  if (schema === undefined) return 0;
  return writeEnvelope({ apiVersion: apiVersionOf(kind), kind: kind.kind, raw: writeMessage(withoutVersion(value), schema) }).length;
}
