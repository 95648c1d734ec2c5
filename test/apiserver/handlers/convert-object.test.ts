import { expect, it } from 'vitest';
import { convertToRequestVersion } from '../../../src/apiserver/call/convert-object.js';
import { builtInCodec } from '../../../src/apiserver/objects/built-in-codec.js';
import { PlainError } from '../../../src/kubernetes/status.js';
import { mapOf } from '../../support/map-of.js';
import { server } from '../../support/server.js';

it.each([
  ['DaemonSet', 'deprecated.daemonset.template.generation', 'strconv.ParseInt: parsing "x": invalid syntax'],
  [
    'Deployment',
    'deprecated.deployment.rollback.to',
    'failed to parse annotation[deprecated.deployment.rollback.to]=x as int64: strconv.ParseInt: parsing "x": invalid syntax',
  ],
])('answers 500 when a webhook sets an annotation of a %s that its internal type cannot represent', async (kind, key, message) => {
  const codec = builtInCodec(server, { group: 'apps', version: 'v1', kind });
  if (codec === undefined) throw new Error(`no codec for ${kind}`);
  const object = { codec, value: mapOf({ apiVersion: 'apps/v1', kind, metadata: { annotations: { [key]: 'x' } }, spec: {} }) };
  await expect(convertToRequestVersion(object, { codec, value: new Map() }, undefined)).rejects.toThrow(new PlainError(message));
});
