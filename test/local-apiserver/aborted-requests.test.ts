import { connect, constants } from 'node:http2';
import { expect, it } from 'vitest';
import { startLocalServer } from '../support/local-cluster.js';

/** A length-delimited field of a protobuf message. */
function field(number: number, contents: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, Buffer.byteLength(contents)]), Buffer.from(contents)]);
}

function revision(name: string, data: Buffer): Buffer {
  const type = Buffer.concat([field(1, 'apps/v1'), field(2, 'ControllerRevision')]);
  const object = Buffer.concat([field(1, field(1, name)), field(2, data), Buffer.from([24, 1])]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, object)]);
}

/** As kube-apiserver v1.36.3, which panics when it writes a RawExtension that is not JSON. */
it('resets the stream of a request that makes the API server panic, and goes on with the others of its connection', async () => {
  const users = [{ token: 't', username: 'admin', groups: ['system:masters'] }];
  const { server } = await startLocalServer({ users });
  const session = connect(server.url, { rejectUnauthorized: false });
  const post = (name: string, data: Buffer): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = session.request({
        ':method': 'POST',
        ':path': '/apis/apps/v1/namespaces/default/controllerrevisions',
        authorization: 'Bearer t',
        'content-type': 'application/vnd.kubernetes.protobuf',
      });
      sent.on('response', headers => resolve(Number(headers[':status'])));
      sent.on('error', () => undefined);
      sent.on('close', () => (sent.rstCode === constants.NGHTTP2_NO_ERROR ? reject(new Error('no answer')) : resolve(-sent.rstCode)));
      sent.resume();
      sent.end(revision(name, data));
    });
  const aborted = -constants.NGHTTP2_INTERNAL_ERROR;
  for (const raw of ['', '"', '{', '1z', ' {}', '{"a":1}trailing']) expect([raw, await post('a', field(1, raw))]).toEqual([raw, aborted]);
  for (const raw of ['"x"', '5', '[]', 'null']) expect([raw, await post('a', field(1, raw))]).toEqual([raw, 422]);
  expect(await post('a', Buffer.alloc(0))).toBe(422);
  expect(await post('a', field(1, '{"a":1}'))).toBe(201);
  session.close();
  await server.close();
});
