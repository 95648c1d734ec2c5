import type { KubernetesMinor } from '../kubernetes/kubernetes-version.js';
import type { Suite, SuiteCase } from './suite.js';

/**
 * Returns the suite once for each version, unchanged for the first one. Other versions use the snapshots of the first one, with separate
 * files only for differences. Cases that set a version run once.
 */
export function acrossVersions(suite: Suite, versions: readonly KubernetesMinor[]): Suite[] {
  const [first, ...others] = versions;
  if (first === undefined) return [suite];
  return [
    { ...suite, name: nameIn(suite, first), cases: suite.cases.map(each => (isPinned(each) ? each : inVersion(each, first))) },
    ...others.map(version => ({
      ...suite,
      name: nameIn(suite, version),
      cases: suite.cases.filter(each => !isPinned(each)).map(each => variantOf(inVersion(each, version), version)),
    })),
  ];
}

function nameIn({ name }: Suite, version: KubernetesMinor): string {
  return `${name} [${version}]`;
}

function isPinned({ options }: SuiteCase): boolean {
  return options.kubernetesVersion !== undefined;
}

function inVersion(suiteCase: SuiteCase, version: KubernetesMinor): SuiteCase {
  return { ...suiteCase, options: { ...suiteCase.options, kubernetesVersion: version } };
}

function variantOf(suiteCase: SuiteCase, version: KubernetesMinor): SuiteCase {
  const { snapshot } = suiteCase;
  if (snapshot === undefined) return suiteCase;
  return { ...suiteCase, snapshot: snapshot.replace(/(\.[^.]+)?$/, ending => `.${version}${ending}`), sharedSnapshot: snapshot };
}
