import { expect, test } from 'vitest';
import { copyBeforeStorage } from '../../../src/apiserver/handlers/attributes-to-validate.js';
import { decodeDocument } from '../../../src/apiserver/objects/decode-document.js';
import { ensureMap } from '../../../src/go/value.js';
import { server } from '../../support/server.js';

test('what storage sets in an object is not in the copy for the validating phase', () => {
  const object = decodeDocument(server, '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","selfLink":"/a"},"spec":{"nodeName":"n"}}');
  if (object === undefined) throw new Error('a document');
  const copy = copyBeforeStorage(object);
  const before = copy.codec.encode(copy.value);
  ensureMap(object.value, 'metadata').set('resourceVersion', '7').delete('selfLink');
  expect(copy.codec.encode(copy.value)).toBe(before);
  expect(object.codec.encode(object.value)).not.toBe(before);
});
