import { randomUUID } from 'node:crypto';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import type { Decision, Report } from '../../../src/apiserver/report/report.js';
import { diagnose } from '../../../src/cli/commands/diagnose/run-diagnose.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { recordedCase } from '../../../src/conformance/recorded-case.js';
import { writeValue } from '../../../src/go/json/write.js';
import { toValue } from '../../../src/go/value.js';
import { createTransport } from '../../../src/transport/call-webhook.js';
import { readScript } from '../../../src/webhook-server/script/read-script.js';
import type { Script } from '../../../src/webhook-server/script/script.js';
import { startScriptedEndpoint } from '../../../src/webhook-server/script/scripted-endpoint.js';
import { profileNamed } from '../../support/certificate-profiles.js';
import { apiServers } from '../../support/server.js';
import { answerDifference, isStatusTree, type ProducedAnswer, type RecordedAnswer, treeDifference } from '../compare/answer.js';
import { isObject, parseTree } from '../compare/json-tree.js';
import { uidPattern } from '../compare/mask.js';
import type { Difference } from '../figures.js';
import type { CorpusCase } from '../files.js';

/** A recorded decision: the endpoint's script and the result. */
export interface Recorded extends CorpusCase {
  readonly cluster: Readonly<Record<string, unknown>>;
  readonly endpoint?: unknown;
  readonly routes?: unknown;
  readonly certificate?: { readonly name: string };
  readonly reviews?: readonly { readonly path: string }[];
  readonly answer: RecordedDecision;
  /** Any of these is valid, because the API server is not deterministic. */
  readonly answers?: readonly RecordedDecision[];
  readonly answerVolatile?: readonly string[];
}

type RecordedDecision = RecordedAnswer & { readonly audit?: Readonly<Record<string, string>> };

/** Plays the case's endpoint, sends the call through the project, compares answer, audit annotations and report. */
export function differenceIn(): Difference {
  return async testCase => {
    const recorded = testCase as Recorded;
    const profile = profileNamed(recorded.certificate?.name ?? 'valid');
    const endpoint = await startScriptedEndpoint(scriptOf(recorded), profile);
    const transport = createTransport();
    try {
      const { answer: _answer, answers: _answers, reviews: _reviews, ...inputs } = recorded;
      const cluster = placed(recorded.cluster, endpoint.port, Buffer.from(profile.bundle).toString('base64'));
      const { call, state } = recordedCase(
        toValue({ ...inputs, cluster }),
        { document: new Map(), servers: apiServers, definitions: undefined },
        randomUUID,
      );
      const report = await handleCall(call, state, effectsFor(transport.callWebhook));
      return differenceOf(recorded, report, endpoint.port) ?? diagnosisDifference(report);
    } finally {
      await transport.close();
      await endpoint.close();
    }
  };
}

/** Cases that wait run concurrently. */
export function isSlow(testCase: CorpusCase): boolean {
  return /"hang"|elayMs"|dripMs"|Retry-After/i.test(JSON.stringify([testCase['endpoint'], testCase['routes']]));
}

export function scriptOf({ endpoint, routes, reviews }: Recorded): Script {
  return readScript(toValue({ endpoint, routes, path: reviews?.[0]?.path.split('?', 1)[0] }));
}

/** Returns the cluster with the placeholders PORT and CA replaced. */
export function placed(value: unknown, port: number, bundle: string): unknown {
  if (Array.isArray(value)) return value.map(v => placed(v, port, bundle));
  if (value === 'PORT') return port;
  if (typeof value === 'string') return value.replace(/(?<=:)PORT\b/g, String(port));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([k, v]) => [k, k === 'caBundle' && v === 'CA' ? bundle : placed(v, port, bundle)]));
}

export function differenceOf(recorded: Recorded, { answer, decision }: Report, port: number): string | undefined {
  const body = recorded.answer.bodySha256 === undefined ? normalBody(answer.body, port) : answer.body;
  const audit = Object.fromEntries(Object.entries(decision.auditAnnotations).map(([key, value]) => [key, normal(value, port)]));
  let first: string | undefined;
  for (const wanted of recorded.answers ?? [recorded.answer]) {
    const difference =
      answerDifference(wanted, { ...answer, body }, { volatile: recorded.answerVolatile }) ??
      (wanted.audit ? treeDifference('audit ', parseTree(JSON.stringify(wanted.audit)), parseTree(JSON.stringify(audit))) : undefined);
    if (difference === undefined) return reportDifference(answer, decision);
    first ??= difference;
  }
  return first;
}

/** The report must agree with the answer. */
function reportDifference(answer: ProducedAnswer, decision: Decision): string | undefined {
  const isAllowed = answer.status >= 200 && answer.status < 400;
  if (decision.code !== answer.status) return `report: decision.code is ${decision.code}, the answer says ${answer.status}`;
  if (decision.allowed !== isAllowed) return `report: decision.allowed is ${decision.allowed}, the answer says ${isAllowed}`;
  if (JSON.stringify(decision.warnings) !== JSON.stringify(answer.warnings)) return 'report: decision.warnings are not those of the answer';
  const body = parseTree(answer.body);
  if (!isObject(body)) return undefined;
  const told = isStatusTree(body) ? decision.status : decision.object;
  return treeDifference('report: decision ', body, parseTree(told === undefined ? 'null' : writeValue(told, 'kept')));
}

/** Diagnosing the message alone must give the same cause as the report. */
function diagnosisDifference({ decision, webhooks }: Report): string | undefined {
  // After a panic there is no message.
  const failed =
    decision.code === 0 ? [] : webhooks.flatMap(({ failure, ...entry }) => (failure === undefined ? [] : [{ ...entry, failure }]));
  for (const { failure, outcome, webhook } of failed) {
    const text = outcome === 'internalError' ? failure.message : `failed calling webhook ${JSON.stringify(webhook)}: ${failure.message}`;
    const [told] = diagnose(text);
    if (told?.class !== failure.class) return `diagnose: ${text} is of class ${told?.class}, and ${failure.class} in the report`;
  }
  return undefined;
}

/** The recorder's placeholders for volatile values. */
function normal(text: string, port: number): string {
  return text
    .replace(new RegExp(`(?<![0-9])${port}(?![0-9])`, 'g'), 'PORT')
    .replace(/(127\.0\.0\.1|\[::1\]):(\d+|PORT)-(>|\\u003e)/g, '$1:CLIENT-$3')
    .replace(
      /current time \S+ is (after|before) [0-9TZ:+-]+/g,
      (_, side: string) => `current time NOW is ${side} ${side === 'after' ? 'NOTAFTER' : 'NOTBEFORE'}`,
    );
}

function normalBody(text: string, port: number): string {
  const normalized = normal(text, port);
  const tree = parseTree(normalized);
  if (!isStatusTree(tree) || tree['status'] === 'Success') return normalized;
  return normalized
    .replace(new RegExp(uidPattern, 'g'), uid => (/[a-f]/.test(uid) ? 'UID' : uid))
    .replace(new RegExp(uidPattern.replaceAll('a-f', 'A-F'), 'g'), uid => (/[A-F]/.test(uid) ? 'CAPITAL-UID' : uid))
    .replace(/20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)/g, 'TIME');
}
