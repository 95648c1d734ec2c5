import { effectsFor } from '../../src/cli/shell/effects.js';
import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import { bodyOfCall } from '../../src/cli/work/calls/call-body.js';
import { predicatesOf } from '../../src/cli/work/calls/explain.js';
import { lintSubjectOf } from '../../src/cli/work/lint/lint-subject.js';
import { pointerOfField } from '../../src/cli/work/refusals/field-pointer.js';
import { planObjects } from '../../src/client/calls/plan.js';
import { CliError } from '../../src/client/cli-error.js';
import { stateOf } from '../../src/client/manifests/cluster-state.js';
import { type LocatedManifest, manifestsIn } from '../../src/client/manifests/manifests.js';
import { runSteps } from '../../src/client/run/run-calls.js';
import type { StepResult } from '../../src/client/run/step-result.js';
import { copyOf, listAt, mapAt, stringAt } from '../../src/go/value.js';
import type { ApiServer } from '../../src/kubernetes/api-server.js';
import { recordSteps } from '../../src/kubernetes/call-steps.js';
import type { EvaluatedExpression } from '../../src/kubernetes/evaluated-expression.js';
import { kubernetesMinors } from '../../src/kubernetes/kubernetes-version.js';
import { defaultServerOptions } from '../../src/kubernetes/server-options.js';
import { lint } from '../../src/lint/rule.js';
import { lintRules } from '../../src/lint/rules/rules.js';
import { entryOfCall, type TracedCall, traceData } from '../../src/pages/trace-data.js';
import { type EditorName, editorNames, type PlaygroundInput, type PlaygroundResult, type Problem } from './model.js';
import { asked } from './platform/node-crypto.js';
import { typedAnswers } from './typed-answers.js';

/** Makes the calls of the input. What cannot be used is a problem, never an exception. */
export async function played(input: PlaygroundInput): Promise<PlaygroundResult> {
  const problems: Problem[] = [];
  const calls: TracedCall[] = [];
  const expressions: EvaluatedExpression[][] = [];
  try {
    await play(input, { problems, calls, expressions });
  } catch (error) {
    problems.push(problemOf(error));
  }
  return { data: traceData(calls.map(entryOfCall), { title: 'webhook-cli playground', toolVersion: '' }), problems, expressions };
}

interface Playing {
  readonly problems: Problem[];
  readonly calls: TracedCall[];
  readonly expressions: EvaluatedExpression[][];
}

async function play(input: PlaygroundInput, { problems, calls, expressions }: Playing): Promise<void> {
  const minor = kubernetesMinors.find(known => known === input.version);
  const server = apiServers({ minor });
  const read = (editor: EditorName): readonly LocatedManifest[] => readEditor(editor, input[editor], problems);
  const cluster = (['configuration', 'definitions', 'policies'] as const).flatMap(read);
  const manifests = read('manifest');
  const callWebhook = typedAnswers(input.answers, server, problems);
  problems.push(...(await lintProblems(server, cluster)));
  const metadata = { uid: () => crypto.randomUUID(), now: () => new Date() };
  const objects = cluster.map(({ object }) => object);
  const state = stateOf(objects, { server, options: defaultServerOptions, presumesNamespaces: true }, metadata);
  const isStored = input.operation === 'update' || input.operation === 'delete';
  const old = isStored ? manifests.map(({ object }) => copyOf(object)) : [];
  const flags = { operation: input.operation, ...(input.user === '' ? {} : { as: input.user }) };
  const plan = planObjects(
    state,
    { manifests, old },
    { flags: flags as Parameters<typeof planObjects>[2]['flags'], surroundings: metadata },
  );
  const evaluated = new Map<number, readonly EvaluatedExpression[]>();
  const steps = runSteps(plan.steps, {
    state: plan.state,
    callWebhook,
    effects: (used, _, number) => ({
      ...effectsFor(used, {}),
      onExpression: expression => evaluated.set(number, [...(evaluated.get(number) ?? []), expression]),
      // Nothing is sent: the addresses of services do not matter.
      serviceAddress: service => (service === undefined ? undefined : { host: '127.0.0.1', port: service.port }),
      steps: recordSteps(() => performance.now()),
    }),
    notes: plan.notes,
  });
  const before = asked.count;
  let index = 0;
  for await (const result of steps) {
    const manifest = manifests[index];
    index += 1;
    if (result.outcome === 'unusable') problems.push(problemOf(result.error));
    if (result.outcome !== 'answered') continue;
    if (asked.count > before) {
      const message = 'checks of keys and signatures need Node: this call is not reproduced in a browser';
      problems.push({ editor: 'manifest', severity: 'error', message, line: manifest?.location.line ?? 1 });
      continue;
    }
    calls.push(tracedCall(result));
    expressions.push([...(evaluated.get(index - 1) ?? [])]);
    if (manifest !== undefined) problems.push(...refusalProblems(result, manifest));
  }
}

function readEditor(editor: EditorName, text: string, problems: Problem[]): readonly LocatedManifest[] {
  if (text.trim() === '') return [];
  try {
    const { manifests, warnings } = manifestsIn({ source: editor, bytes: Buffer.from(text) });
    problems.push(...warnings.map((message): Problem => ({ editor, severity: 'warning', message, line: 1 })));
    return manifests;
  } catch (error) {
    problems.push(problemOf(error, editor));
    return [];
  }
}

function tracedCall({ report, planned, state }: Extract<StepResult, { outcome: 'answered' }>): TracedCall {
  const body = bodyOfCall(planned.call);
  return { ...report, selection: entry => predicatesOf(entry, state, body) };
}

/** Returns the causes of a refusal at their lines of the manifest. */
function refusalProblems({ report }: Extract<StepResult, { outcome: 'answered' }>, manifest: LocatedManifest): Problem[] {
  const { allowed, status } = report.report.decision;
  if (allowed) return [];
  const causes = listAt(mapAt(status, 'details'), 'causes').filter(cause => stringAt(cause, 'field') !== '');
  const place = (pointer: string): Pick<Problem, 'editor' | 'severity' | 'line'> => ({
    editor: 'manifest',
    severity: 'error',
    line: manifest.locate(pointer).line ?? 1,
  });
  if (causes.length === 0) return [{ ...place(''), message: stringAt(status, 'message') }];
  return causes.map(cause => ({
    ...place(pointerOfField(stringAt(cause, 'field'))),
    message: `${stringAt(cause, 'field')}: ${stringAt(cause, 'message')}`,
  }));
}

async function lintProblems(server: ApiServer, manifests: readonly LocatedManifest[]): Promise<Problem[]> {
  const found = await lint(lintRules, lintSubjectOf(server, manifests, new Date()), new Map());
  return found.map(({ finding, place }) => {
    const { line = 1, file } = manifests.find(({ object }) => object === place.object)?.locate(place.pointer) ?? { file: undefined };
    const message = `${finding.rule}: ${[finding.message, finding.fix].filter(text => text !== '').join('; ')}`;
    return { editor: editorOf(file), severity: finding.severity, message, line };
  });
}

function problemOf(error: unknown, editor: EditorName = 'manifest'): Problem {
  if (!(error instanceof Error)) return { editor, severity: 'error', message: String(error), line: 1 };
  const { location, suggestions } = error instanceof CliError ? error : { location: undefined, suggestions: [] };
  const message = [error.message, ...suggestions].join('; ');
  return { editor: editorOf(location?.file, editor), severity: 'error', message, line: location?.line ?? 1 };
}

function editorOf(file: string | undefined, otherwise: EditorName = 'configuration'): EditorName {
  return editorNames.find(name => name === file) ?? otherwise;
}
