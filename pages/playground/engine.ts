import { effectsFor } from '../../src/cli/shell/effects.js';
import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import { bodyOfCall } from '../../src/cli/work/calls/call-body.js';
import { predicatesOf } from '../../src/cli/work/calls/explain.js';
import { pointerOfField } from '../../src/cli/work/refusals/field-pointer.js';
import { planObjects } from '../../src/client/calls/plan.js';
import { CliError } from '../../src/client/cli-error.js';
import { stateOf } from '../../src/client/manifests/cluster-state.js';
import { type LocatedManifest, manifestsIn } from '../../src/client/manifests/manifests.js';
import { runSteps } from '../../src/client/run/run-calls.js';
import type { StepResult } from '../../src/client/run/step-result.js';
import { copyOf, listAt, mapAt, stringAt, type ValueMap } from '../../src/go/value.js';
import type { ApiServer } from '../../src/kubernetes/api-server.js';
import { recordSteps } from '../../src/kubernetes/call-steps.js';
import type { EvaluatedExpression } from '../../src/kubernetes/evaluated-expression.js';
import { kubernetesMinors } from '../../src/kubernetes/kubernetes-version.js';
import { defaultServerOptions } from '../../src/kubernetes/server-options.js';
import { isWebhookConfiguration } from '../../src/language-server/diagnostics/admission.js';
import { entryOfCall, type TracedCall, traceData } from '../../src/pages/trace-data.js';
import { type EditorName, editorNames, type PlaygroundInput, type PlaygroundResult, type Problem } from './model.js';
import { asked } from './platform/node-crypto.js';
import { textProblems } from './text-problems.js';
import { typedAnswers } from './typed-answers.js';

/** Editors of what exists in the cluster. */
const clusterEditors = ['configuration', 'definitions', 'policies'] as const;

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
  const parts = clusterEditors.map(editor => ({ editor, manifests: read(editor) }));
  const cluster = parts.flatMap(part => part.manifests);
  const manifests = read('manifest');
  const callWebhook = typedAnswers(input.answers, server, problems);
  problems.push(...(await clusterProblems(server, { input, parts, known: [...problems] })));
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
      const objects = others.filter(object => !isWebhookConfiguration(object)).map(object => copyOf(object) as ValueMap);
      const metadata = { uid: () => crypto.randomUUID(), now: () => new Date() };
      const state = stateOf(objects, { server, options: defaultServerOptions, presumesNamespaces: true }, metadata);
      return textProblems(editor, input[editor], state);
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
