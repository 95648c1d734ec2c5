import { describe, expect, it } from 'vitest';
import type { Problem } from '../../pages/playground/model.js';
import { typedAnswers } from '../../pages/playground/typed-answers.js';
import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import type { WebhookCall } from '../../src/kubernetes/webhook-call.js';

describe('answers of webhooks in the playground', () => {
  it('sends the first answer whose condition is true', async () => {
    const text = `
guard.example.com:
- when: request.operation == 'DELETE'
  message: never
- when: object.metadata.labels.team == 'shop'
  allowed: false
  code: 422
  messageExpression: object.metadata.name + ' of ' + request.userInfo.username
- message: the others
`;
    expect(await answerTo(text, { labels: { team: 'shop' } })).toMatchObject({
      response: { allowed: false, status: { code: 422, message: 'web of jane' } },
      problems: [],
    });
    expect(await answerTo(text, { labels: { team: 'other' } })).toMatchObject({
      response: { allowed: true, status: { message: 'the others' } },
    });
  });

  it('allows when no condition is true', async () => {
    const { response } = await answerTo('guard.example.com: [{when: "false", allowed: false}]', {});
    expect(response).toEqual({ uid: 'u', allowed: true });
  });

  it('sends the patch that an expression makes', async () => {
    const text = `
guard.example.com:
  patchExpression: |
    [JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("a/b"), value: {"count": size(object.metadata.labels)}}]
`;
    const { response } = await answerTo(text, { labels: { team: 'shop' } });
    expect(response.patchType).toBe('JSONPatch');
    expect(JSON.parse(Buffer.from(response.patch, 'base64').toString())).toEqual([
      { op: 'add', path: '/metadata/labels/a~1b', value: { count: 1 } },
    ]);
  });

  it.each([
    ['when: "1 + 1"', 'when: must evaluate to bool but got int'],
    ['when: 5', 'when: expected a string that contains a CEL expression'],
    ['messageExpression: string(object.spec.missing)', 'messageExpression: no such key: spec'],
    ['patchExpression: \'[JSONPatch{op: "add", path: "/a", value: type(1)}]\'', "type conversion not supported for 'type'"],
    ['when: "fetch(\'https://example.com\') == null"', "undeclared reference to 'fetch'"],
    ['when: "globalThis.constructor != null"', "undeclared reference to 'globalThis'"],
  ])('marks the line of %s, and fails the call', async (member, message) => {
    const { status, body, problems } = await answerTo(`# comment\nguard.example.com:\n- allowed: true\n  ${member}\n`, {});
    expect([status, problems.map(({ editor, line }) => [editor, line])]).toEqual([500, [['answers', 4]]]);
    expect(problems[0]?.message).toContain(message);
    expect(body).toBe(problems[0]?.message);
  });

  it("ends an expression that takes too long with the API server's cost limit", async () => {
    const many = `[${'0,'.repeat(200)}0]`;
    const text = `guard.example.com: {when: "${many}.all(a, ${many}.all(b, ${many}.all(c, a + b + c == 0)))"}`;
    const { problems } = await answerTo(text, {});
    expect(problems[0]?.message).toBe('when: operation cancelled: actual cost limit exceeded');
  });
});

async function answerTo(text: string, metadata: object) {
  const problems: Problem[] = [];
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', ...metadata } };
  const body = JSON.stringify({ request: { uid: 'u', operation: 'CREATE', userInfo: { username: 'jane' }, object, oldObject: null } });
  const call = { webhook: 'guard.example.com', apiVersion: 'admission.k8s.io/v1', uid: 'u', body } as WebhookCall;
  const answer = await typedAnswers(text, apiServers(), problems)(call);
  if (answer.outcome !== 'answered') throw new Error('no answer');
  const sent = Buffer.from(answer.body).toString();
  return { status: answer.statusCode, body: sent, response: answer.statusCode === 200 ? JSON.parse(sent).response : undefined, problems };
}
