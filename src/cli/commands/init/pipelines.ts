import { type LaidOutEntry, type Layout, layOutYaml } from '../../../encoding/laid-out-yaml.js';
import { toValue } from '../../../go/value.js';
import { trustVariable } from '../../options/trust/consent.js';
import type { Language, NewFile } from './project.js';

export interface CiPipeline {
  readonly language: Language | undefined;
  /** Files of the project, among them those of its package manager. */
  readonly names: readonly string[];
  /** Path of the suites. */
  readonly suites: string;
  readonly toolVersion: string;
  /** Of the language, if the project says it: `1.26`. */
  readonly version: string | undefined;
}

const testCommand = ({ suites, toolVersion }: CiPipeline, reporter: string): string =>
  `npx --yes webhook-cli@${toolVersion} test ${suites} --check ${reporter}`;

/** Returns the workflow of GitHub Actions. */
export function githubPipeline(pipeline: CiPipeline): NewFile {
  const { language, version } = pipeline;
  const setUp = language === undefined ? [] : [...githubSetUp(version)[language], ...installSteps(pipeline).map(runStep)];
  const test = runStep(testCommand(pipeline, '--reporter default --reporter github'));
  const steps = [
    { block: [{ key: 'uses', value: { plain: 'actions/checkout@v4' } }] },
    actionStep('actions/setup-node@v4', { 'node-version': Number((language === 'node' ? version : undefined) ?? defaultNode) }),
    ...setUp,
    { block: [...test.block, { key: 'env', value: { flow: trust }, comment: 'of the files of this checkout' }] },
  ];
  const job = {
    block: [
      { key: 'runs-on', value: { plain: 'ubuntu-latest' } },
      { key: 'steps', value: { items: steps } },
    ],
  };
  const block = [
    { key: 'name', value: { plain: 'webhook tests' } },
    { key: 'on', value: { flow: ['push', 'pull_request'] } },
    { key: 'permissions', value: { flow: toValue({ contents: 'read' }) } },
    { key: 'jobs', value: { block: [{ key: 'test', value: job }] } },
  ];
  return { name: '.github/workflows/webhook-tests.yaml', ...layOutYaml({ block }) };
}

const trust = toValue({ [trustVariable]: '1' });

function runStep(command: string): { readonly block: readonly LaidOutEntry[] } {
  return { block: [{ key: 'run', value: { plain: command } }] };
}

function actionStep(uses: string, parameters: object): Layout {
  return { flow: toValue({ uses, with: parameters }) };
}

const githubSetUp = (version: string | undefined): Readonly<Record<Language, readonly Layout[]>> => ({
  go: [actionStep('actions/setup-go@v5', { 'go-version-file': 'go.mod' })],
  // Part of the runner.
  rust: [],
  java: [actionStep('actions/setup-java@v4', { distribution: 'temurin', 'java-version': 21, cache: 'maven' })],
  python: [actionStep('actions/setup-python@v5', { 'python-version': version ?? '3.x' })],
  node: [],
});

/** Returns the pipeline of GitLab; a file to include if the project already has a pipeline of its own. */
export function gitlabPipeline(pipeline: CiPipeline, existing: string): NewFile {
  const { image, setUp } = gitlabMachine(pipeline);
  const script = [...setUp, ...installSteps(pipeline), testCommand(pipeline, '--reporter default --reporter junit=webhook-tests.xml')];
  const job = [
    { key: 'image', value: { plain: image } },
    { key: 'variables', value: { flow: trust }, comment: 'of the files of this checkout' },
    { key: 'script', value: { items: script.map(plain => ({ plain })) } },
    { key: 'artifacts', value: { flow: toValue({ when: 'always', reports: { junit: 'webhook-tests.xml' } }) } },
  ];
  return {
    name: existing !== '' && !existing.includes('webhook-cli') ? '.gitlab/webhook-tests.gitlab-ci.yml' : '.gitlab-ci.yml',
    ...layOutYaml({ block: [{ key: 'webhook tests', value: { block: job } }] }),
  };
}

const install = 'apt-get update && apt-get install --yes --no-install-recommends';

const defaultNode = '22';

interface GitlabMachine {
  /** Of the language in the project's own version; Debian 13 has a Node that is new enough. */
  readonly image: string;
  readonly setUp: readonly string[];
}

function gitlabMachine({ language, version }: CiPipeline): GitlabMachine {
  const node = [`${install} nodejs npm`];
  if (language === 'go') return { image: `golang:${version ?? '1'}-trixie`, setUp: node };
  if (language === 'python') return { image: `python:${version ?? '3'}-trixie`, setUp: node };
  if (language === 'rust') return { image: 'rust:1-trixie', setUp: node };
  if (language === 'java') return { image: `node:${defaultNode}-trixie`, setUp: [`${install} maven default-jdk-headless`] };
  return { image: `node:${(language === 'node' ? version : undefined) ?? defaultNode}`, setUp: [] };
}

/** Returns the commands that install the dependencies of a project, by the lockfile that it has. */
function installSteps({ language, names }: CiPipeline): string[] {
  return language === 'python' || language === 'node' ? [...installersOf(language, names)] : [];
}

/** Returns the last of these commands. */
export function installCommand(language: 'python' | 'node', names: readonly string[]): string {
  return installersOf(language, names).at(-1) ?? '';
}

function installersOf(language: 'python' | 'node', names: readonly string[]): readonly string[] {
  return installers[language].find(([file]) => names.includes(file))?.[1] ?? [];
}

const installers: Readonly<Record<'python' | 'node', readonly (readonly [file: string, commands: readonly string[]])[]>> = {
  python: [
    ['uv.lock', ['pip install --break-system-packages uv', 'uv export --frozen | uv pip install --system --break-system-packages -r -']],
    ['poetry.lock', ['pip install --break-system-packages poetry', 'poetry config virtualenvs.create false && poetry install']],
    ['Pipfile.lock', ['pip install --break-system-packages pipenv', 'pipenv install --system --deploy']],
    ['requirements.txt', ['pip install --break-system-packages -r requirements.txt']],
    ['pyproject.toml', ['pip install --break-system-packages .']],
  ],
  node: [
    ['pnpm-lock.yaml', ['corepack enable', 'pnpm install --frozen-lockfile']],
    ['yarn.lock', ['corepack enable', 'yarn install --frozen-lockfile']],
    ['package-lock.json', ['npm ci']],
    ['npm-shrinkwrap.json', ['npm ci']],
    ['package.json', ['npm install']],
  ],
};
