import { randomUUID } from 'node:crypto';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { recordedCase } from '../../../src/conformance/recorded-case.js';
import { toValue } from '../../../src/go/value.js';
import type { CallWebhook } from '../../../src/kubernetes/webhook-call.js';
import { apiServers } from '../../support/server.js';
import { answerDifference, type ProducedAnswer, type RecordedAnswer } from '../compare/answer.js';
import { reviewsDifference } from '../compare/reviews.js';
import type { Difference } from '../figures.js';
import { type CorpusCase, type CorpusFile, readFolder } from '../files.js';
import { type Endpoint, playedEndpoint, realEndpoint } from './conversion-endpoint.js';
import type { ConversionReview } from './conversion-replies.js';

interface Recorded extends CorpusCase {
  readonly cluster: Readonly<Record<string, unknown>> & { readonly crds?: readonly string[] };
  readonly reviews?: readonly ConversionReview[];
  readonly answer: RecordedAnswer;
  readonly answers?: readonly RecordedAnswer[];
  readonly volatile?: readonly string[];
  readonly answerVolatile?: readonly string[];
  readonly answerUnordered?: boolean;
}

interface Definition {
  readonly spec: { readonly group: string };
}

/** What the endpoint received, byte for byte, and the client's answer. Only `transport` goes over real connections. */
export function differenceIn(file: CorpusFile): Difference {
  const definitions = readFolder(file.folder).find(f => f.name === 'crds')?.document ?? {};
  const named = (definitions['crds'] ?? definitions) as Readonly<Record<string, Definition>>;
  return async testCase => {
    const recorded = testCase as Recorded;
    const crds = (recorded.cluster.crds ?? []).flatMap(name => named[name] ?? []);
    const group = crds[0]?.spec.group ?? '';
    const endpoint = file.name === 'transport' ? await realEndpoint(recorded.reviews ?? [], group) : playedEndpoint(recorded.reviews ?? []);
    try {
      return await differenceWith(recorded, crds, endpoint);
    } finally {
      await endpoint.close();
    }
  };
}

/** Cases that wait run concurrently. */
export function isSlow({ reviews }: CorpusCase): boolean {
  return /"slow"|Retry-After/.test(JSON.stringify(reviews ?? []));
}

async function differenceWith(recorded: Recorded, crds: readonly Definition[], endpoint: Endpoint): Promise<string | undefined> {
  const { answer: _answer, answers: _answers, reviews: _reviews, ...inputs } = recorded;
  const cluster = { ...recorded.cluster, crds, objects: [...((recorded.cluster['objects'] ?? []) as unknown[]), ...endpoint.objects] };
  const { call, state } = recordedCase(
    toValue({ ...inputs, cluster: endpoint.place(cluster) }),
    {
      document: new Map(),
      servers: apiServers,
      definitions: undefined,
    },
    randomUUID,
  );
  const callWebhook: CallWebhook = endpoint.callWebhook;
  const report = await handleCall(call, state, effectsFor(callWebhook));
  const received = recorded.reviews === undefined && endpoint.received.length === 0 ? undefined : endpoint.received;
  return (
    (received && reviewsDifference(recorded, received, ['path'])) ??
    answersDifference(recorded, { ...report.answer, body: endpoint.unplace(report.answer.body) })
  );
}

function answersDifference(recorded: Recorded, produced: ProducedAnswer): string | undefined {
  const leeway = { volatile: recorded.answerVolatile, unordered: recorded.answerUnordered };
  let first: string | undefined;
  for (const wanted of recorded.answers ?? [recorded.answer]) {
    const difference = answerDifference(withoutClientPorts(wanted), withoutClientPorts(produced), leeway);
    if (difference === undefined) return undefined;
    first ??= difference;
  }
  return first;
}

function withoutClientPorts<T extends { readonly body?: string }>(answer: T): T {
  const body = answer.body?.replace(/(127\.0\.0\.1|\[::1\]):\d+-(>|\\u003e)/g, '$1:CLIENT-$2');
  return body === undefined ? answer : { ...answer, body };
}
