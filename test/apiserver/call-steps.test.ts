import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import { handleCall } from '../../src/apiserver/handle-call.js';
import { effectsFor, seededRandom } from '../../src/cli/shell/effects.js';
import { recordedCase } from '../../src/conformance/recorded-case.js';
import { scriptedReplies } from '../../src/conformance/scripted-replies.js';
import { toValue, type ValueMap } from '../../src/go/value.js';
import { type AnyCallStep, type CallSteps, recordSteps } from '../../src/kubernetes/call-steps.js';
import { casesOf, readFolder } from '../corpus/files.js';
import { runCommand } from '../support/run-command.js';
import { apiServers } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { certificates, closeServers, listenTls, ok, onRequest } from '../transport/loopback.js';

afterAll(closeServers);

const privileged = 'fixtures/manifests/pod-privileged.yaml';

async function stepsOf(argv: readonly string[]): Promise<{ durationMs: number; steps: readonly AnyCallStep[] }> {
  const { stdout } = await runCommand(Review, [...argv, '-o', 'json', '--include', 'steps']);
  return JSON.parse(stdout);
}

/** Milliseconds that at least one step covers. */
function coveredMs({ steps }: CallSteps): number {
  let end = 0;
  let covered = 0;
  for (const step of steps.toSorted((a, b) => a.startMs - b.startMs)) {
    const until = step.startMs + step.durationMs;
    covered += Math.max(0, until - Math.max(end, step.startMs));
    end = Math.max(end, until);
  }
  return covered;
}

it('shows what each step did to the object', async () => {
  const { steps } = await stepsOf(['--demo', '-f', 'fixtures/manifests/pod-sidecar.yaml', '--state', 'fixtures/cluster']);
  expect(steps.map(({ phase, kind, name, round }) => [phase, kind, name, round].join(' '))).toMatchInlineSnapshot(`
    [
      "request request  1",
      "request decode  1",
      "request defaults  1",
      "request managedFields  1",
      "mutating plugins 2 1",
      "mutating plugin ServiceAccount 1",
      "mutating plugins 1 1",
      "mutating plugin Priority 1",
      "mutating plugin DefaultTolerationSeconds 1",
      "mutating plugins 8 1",
      "mutating selection  1",
      "mutating webhook demo.webhook-cli.dev 1",
      "mutating selection  1",
      "mutating plugins 14 2",
      "mutating selection  2",
      "object prepare  1",
      "object validation  1",
      "validating plugins 10 1",
      "validating selection  1",
      "validating webhook demo.webhook-cli.dev 1",
      "validating plugins 2 1",
      "answer storage  1",
    ]
  `);
  const webhook = steps.find(({ kind }) => kind === 'webhook');
  expect(webhook?.parts?.map(({ name }) => name)).toEqual(['review', 'connect', 'tls', 'wait', 'read', 'answer']);
  expect([webhook?.webhook, webhook?.timeoutMs]).toEqual([0, 10_000]);
  const containers = (object: unknown) => (object as { spec: { containers: { name: string }[] } }).spec.containers.map(({ name }) => name);
  expect([containers(webhook?.before), containers(webhook?.after)]).toEqual([['nginx'], ['nginx', 'demo-sidecar']]);
});

it('shows the refusal in the step that ends the call', async () => {
  const { steps } = await stepsOf(['--demo', '-f', privileged]);
  expect(steps.at(-1)?.error).toMatch(/^admission webhook "demo.webhook-cli.dev" denied the request: /);
});

it('measures nothing when nobody asks', async () => {
  const { stdout } = await runCommand(Review, ['--demo', '-f', privileged, '-o', 'json']);
  expect(Object.keys(JSON.parse(stdout))).not.toContain('steps');
});

it('shows 100 ms for a webhook that waits 100 ms', async () => {
  const review = '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"UID","allowed":true}}';
  const port = await listenTls(
    onRequest((socket, request) => {
      const uid = /"uid":"([^"]+)"/.exec(request)?.[1] ?? '';
      setTimeout(() => socket.write(ok(review.replace('UID', uid), 'Content-Type: application/json')), 100);
    }),
  );
  const { folder, remove } = temporaryFolder({ 'ca.crt': (await certificates()).ca });
  const { steps } = await stepsOf(['--url', `https://127.0.0.1:${port}/`, '--ca-file', `${folder}/ca.crt`, '-f', privileged]);
  remove();
  const webhook = steps.find(({ kind }) => kind === 'webhook');
  const wait = webhook?.parts?.find(({ name }) => name === 'wait');
  expect(wait?.durationMs).toBeGreaterThanOrEqual(99);
  expect(webhook?.durationMs).toBeGreaterThanOrEqual(wait?.durationMs ?? Number.POSITIVE_INFINITY);
});

/** Pauses of the machine are not the API server's work. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

it('covers at least 95 % of the time of 100 recorded calls', async () => {
  const cases = readFolder('requests').flatMap(file => casesOf(file).map(recorded => ({ recorded, file })));
  const random = seededRandom(1);
  const shares: number[] = [];
  for (let i = 0; i < 100; i += 1) {
    const { recorded: chosen, file } = cases[Math.floor(random() * cases.length)] as (typeof cases)[number];
    const document = toValue({ ...file.document, cases: [] }) as ValueMap;
    const { reviews: _reviews, answer: _answer, ...inputs } = chosen;
    const recorded = recordedCase(toValue(inputs), { servers: apiServers, document, definitions: undefined }, randomUUID);
    const effects = { ...effectsFor(scriptedReplies(recorded.replies).callWebhook), steps: recordSteps(cpuMs) };
    const { timing } = await handleCall(recorded.call, recorded.state, effects);
    shares.push(timing === undefined ? 0 : coveredMs(timing) / timing.durationMs);
  }
  expect(Math.min(...shares)).toBeGreaterThan(0.95);
});
