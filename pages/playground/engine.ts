import { effectsFor } from '../../src/cli/shell/effects.js';
import { bodyOfCall } from '../../src/cli/work/calls/call-body.js';
import { predicatesOf } from '../../src/cli/work/calls/explain.js';
import { planObjects } from '../../src/client/calls/plan.js';
import { CliError } from '../../src/client/cli-error.js';
import { type LocatedManifest, manifestsIn, suspiciousCharacters } from '../../src/client/manifests/manifests.js';
import { runSteps } from '../../src/client/run/run-calls.js';
import type { StepResult } from '../../src/client/run/step-result.js';
import { copyOf } from '../../src/go/value.js';
import type { ApiServer } from '../../src/kubernetes/api-server.js';
import { recordSteps } from '../../src/kubernetes/call-steps.js';
import type { EvaluatedExpression } from '../../src/kubernetes/evaluated-expression.js';
import { entryOfCall, type TracedCall, traceData } from '../../src/pages/trace-data.js';
import { clusterEditors, clusterWith, clusterWithoutWebhooks, metadata, serverOf } from './cluster.js';
import { type EditorName, editorNames, type PlaygroundInput, type PlaygroundResult, type Problem } from './model.js';
import { asked } from './platform/node-crypto.js';
import { answerProblems, manifestProblems, objectsInText, textProblems } from './text-problems.js';
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
  const server = serverOf(input);
  const read = (editor: EditorName): readonly LocatedManifest[] => readEditor(editor, input[editor], problems);
  const parts = clusterEditors.map(editor => ({ editor, manifests: read(editor) }));
  const cluster = parts.flatMap(part => part.manifests);
  const manifests = read('manifest');
  const callWebhook = typedAnswers(input.answers, server, problems);
  problems.push(...(await clusterProblems(server, { input, parts, known: [...problems] })));
  const objects = cluster.map(({ object }) => object);
  if (manifests.length > 0) problems.push(...(await manifestProblems(input.manifest, clusterWithoutWebhooks(objects, server))));
  const state = clusterWith(objects, server);
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
  const inText = objectsInText(input.manifest);
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
    const inEditor = inText[index - 1];
    if (inEditor !== undefined) problems.push(...answerProblems(result, inEditor, input.manifest));
  }
}

function readEditor(editor: EditorName, text: string, problems: Problem[]): readonly LocatedManifest[] {
  if (text.trim() === '') return [];
  try {
    const bytes = Buffer.from(text);
    const odd = suspiciousCharacters(bytes);
    problems.push(...odd.map(({ what, line }): Problem => ({ editor, severity: 'warning', message: what, line })));
    return manifestsIn({ source: editor, bytes }).manifests;
  } catch (error) {
    problems.push(problemOf(error, editor));
    return [];
  }
}

function tracedCall({ report, planned, state }: Extract<StepResult, { outcome: 'answered' }>): TracedCall {
  const body = bodyOfCall(planned.call);
  return { ...report, selection: entry => predicatesOf(entry, state, body) };
}

interface ClusterParts {
  readonly input: PlaygroundInput;
  readonly parts: readonly { readonly editor: EditorName; readonly manifests: readonly LocatedManifest[] }[];
  /** An editor whose text cannot be read has its problem already. */
  readonly known: readonly Problem[];
}

/** Returns what `webhook-cli lsp` says of the objects of the cluster, each editor in the state of the others. */
async function clusterProblems(server: ApiServer, { input, parts, known }: ClusterParts): Promise<Problem[]> {
  const readable = parts.filter(({ editor }) => !known.some(problem => problem.editor === editor));
  const found = await Promise.all(
    readable.map(({ editor }) => {
      const others = parts.filter(part => part.editor !== editor).flatMap(part => part.manifests.map(({ object }) => object));
      return textProblems(editor, input[editor], clusterWithoutWebhooks(others, server));
    }),
  );
  return found.flat();
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
