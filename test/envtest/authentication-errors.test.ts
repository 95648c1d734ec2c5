import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import { parseFlags } from '../../src/envtest/flags/parse-flags.js';
import { readServingOptions } from '../../src/envtest/serving-options.js';
import { featureGatesIn } from '../../src/kubernetes/feature-gates.js';
import type { KubernetesMinor } from '../../src/kubernetes/kubernetes-version.js';
import { root, testSurroundings } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { flagsOf, type Materials, writeMaterials } from './support/control-plane.js';

/** What kube-apiserver v1.36.3, and others where they differ, say at the start. */
interface RecordedStart {
  readonly name: string;
  readonly text?: string;
  readonly flags?: readonly string[];
  readonly result: string;
  readonly other?: Readonly<Record<string, string>>;
}

const recorded: readonly RecordedStart[] = JSON.parse(readFileSync(path.join(root, 'fixtures/envtest/authentication-errors.json'), 'utf8'));

let materials: Materials;
beforeAll(() => {
  materials = writeMaterials();
});
afterAll(() => materials.remove());

/** Returns kube-apiserver's error, or `started`. */
async function startResult({ text, flags = [] }: RecordedStart, minor: KubernetesMinor): Promise<string> {
  const made = temporaryFolder(text === undefined ? {} : { 'auth.yaml': text });
  const file = path.join(made.folder, 'auth.yaml');
  const own = flagsOf(materials, 6443, [...(text === undefined ? [] : [`--authentication-config=${file}`]), ...flags]).map(flag =>
    flag.startsWith('--service-account-issuer=') ? '--service-account-issuer=https://kubernetes.default.svc' : flag,
  );
  const parsed = parseFlags(own, Number(minor.slice(3)));
  if ('error' in parsed) throw new Error(parsed.error);
  const server = apiServers({ minor, featureGates: featureGatesIn(parsed.flags) });
  const surroundings = testSurroundings({ cwd: made.folder }, { stdout: '', stderr: '' });
  const options = await readServingOptions(server, parsed.flags, surroundings);
  made.remove();
  if ('errors' in options) return options.errors.join('\n').replaceAll(made.folder, 'DIR');
  options.stopAuthentication();
  return 'started';
}

describe.each<KubernetesMinor>(['v1.34', 'v1.36', 'v1.37', 'v1.38'])('kube-apiserver %s', minor => {
  it.each(recorded)('starts, or says why not: $name', async start => {
    expect(await startResult(start, minor)).toBe(start.other?.[minor] ?? start.result);
  });
});
