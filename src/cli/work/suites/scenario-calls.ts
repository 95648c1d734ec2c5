import { definitionOf } from '../../../apiserver/call/definitions.js';
import { resourceOfKind, servedBy } from '../../../apiserver/call/served-resources.js';
import { planObjects } from '../../../client/calls/plan.js';
import { CliError } from '../../../client/cli-error.js';
import type { Manifest } from '../../../client/manifests/manifests.js';

import { copyOf, type ValueMap } from '../../../go/value.js';
import { kindOf } from '../../../kubernetes/storage.js';
import { CaseSkip } from '../../../suites/faults.js';
import type { CaseCall } from '../../../suites/results.js';
import { lifecycleCases } from '../../../suites/scenarios/lifecycle.js';
import type { ScenarioCase } from '../../../suites/scenarios/scenario.js';
import type { SuiteCase } from '../../../suites/suite.js';
import { makePlanned } from '../calls/make-planned.js';
import { readPatchFile } from '../calls/plan-calls.js';
import { readDefinitionsInto } from '../cluster/with-definitions.js';
import { readManifestFiles } from '../input/read-manifests.js';
import { refuseDefinitionsOf } from '../input/refused-definitions.js';
import { type CallMaking, reported } from './case-calls.js';

/** Makes the call of one scenario of a manifest. Throws CliError, and CaseSkip for a scenario that the kind does not have. */
export async function makeScenarioCalls(
  scenario: NonNullable<SuiteCase['scenario']>,
  checks: SuiteCase['checks'],
  given: CallMaking,
): Promise<CaseCall[]> {
  const manifest = await readOnlyManifest(given);
  const making = { ...given, state: await readDefinitionsInto(given.state, [kindOf(manifest.object)]) };
  await refuseDefinitionsOf([kindOf(manifest.object)], making.state);
  const scenarioCase = toldCase(scenario, manifest, making);
  if (scenarioCase.skip !== undefined) throw new CaseSkip(scenarioCase.skip);
  const { object, old } = scenarioCase.objects(scenarioCase.needsStored ? await storeManifest(manifest, making) : undefined);
  const flags = { ...making.flags, ...scenarioCase.options };
  const patchFile = readPatchFile(flags, making.surroundings);
  const objects = { manifests: [{ ...manifest, object }], old: old === undefined ? [] : [old], patchFile };
  const plan = planObjects(making.state, objects, { flags, surroundings: making.surroundings });
  const calls = reported(await makePlanned(plan, { ...making, checks }));
  return scenarioCase.mustBeAllowed ? calls.map(withRefusal) : calls;
}

async function readOnlyManifest({ flags, surroundings }: CallMaking): Promise<Manifest> {
  const { manifests } = await readManifestFiles(
    { flag: 'filename', paths: flags.filename ?? [], recursive: flags.recursive ?? false, areFound: true },
    surroundings,
  );
  const [manifest] = manifests;
  if (manifest !== undefined && manifests.length === 1) return manifest;
  throw new CliError('invalid-manifest', `scenarios need exactly one manifest, found ${manifests.length}`, {
    location: manifest?.location,
    suggestions: ['pass a file with one manifest'],
  });
}

function toldCase(
  { name, dryRun }: NonNullable<SuiteCase['scenario']>,
  { object, location }: Manifest,
  { state }: CallMaking,
): ScenarioCase {
  const kind = kindOf(object);
  const resource = resourceOfKind(servedBy(state), kind);
  if (resource === undefined) {
    throw new CliError('unknown-kind', `no resource is served for the kind ${kind.kind}`, {
      location,
      suggestions: ['add the CustomResourceDefinition to the state'],
    });
  }
  const cases = lifecycleCases([name], { manifest: object, resource, definition: definitionOf(resource, state) });
  const found = cases.find(({ options }) => (options.dryRun === 'server') === dryRun);
  if (found === undefined) throw new Error(`the scenario ${name} has no such case`);
  return found;
}

/** Returns the object as it is stored after its creation; undefined when the creation is refused. */
async function storeManifest(manifest: Manifest, making: CallMaking): Promise<ValueMap | undefined> {
  const copy = { ...manifest, object: copyOf(manifest.object) };
  const plan = planObjects(making.state, { manifests: [copy], old: [] }, making);
  const [created] = await makePlanned(plan, { ...making, checks: [] });
  return created?.report.decision.object;
}

function withRefusal(call: CaseCall): CaseCall {
  const { allowed, code } = call.report.decision;
  if (allowed) return call;
  const finding = {
    check: 'scenario',
    webhook: '',
    message: `the removal of the last finalizer is refused (${code}): the object could never be deleted`,
  };
  return { ...call, findings: [...(call.findings ?? []), finding] };
}
