import type { Language, NewFile } from './project.js';

export interface Pipeline {
  readonly language: Language | undefined;
  /** Files of the project, among them those of its package manager. */
  readonly names: readonly string[];
  /** Path of the suites. */
  readonly suites: string;
  readonly toolVersion: string;
}

const testCommand = ({ suites, toolVersion }: Pipeline, reporter: string): string =>
  `npx --yes webhook-cli@${toolVersion} test ${suites} --check ${reporter}`;

/** Returns the workflow of GitHub Actions. */
export function githubPipeline(pipeline: Pipeline): NewFile {
  const steps =
    pipeline.language === undefined ? [] : [...githubSteps[pipeline.language], ...installSteps(pipeline).map(step => `run: ${step}`)];
  return {
    name: '.github/workflows/webhook-tests.yaml',
    text: `name: webhook tests
on: [push, pull_request]
permissions: {contents: read}
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
    - uses: actions/checkout@v4
    - {uses: actions/setup-node@v4, with: {node-version: 22}}
${steps.map(step => `    - ${step}\n`).join('')}    - run: ${testCommand(pipeline, '--reporter default --reporter github')}
      env: {WEBHOOK_CLI_TRUST: "1"}  # of the files of this checkout
`,
  };
}

const githubSteps: Readonly<Record<Language, readonly string[]>> = {
  go: ['{uses: actions/setup-go@v5, with: {go-version-file: go.mod}}'],
  // Part of the runner.
  rust: [],
  java: ['{uses: actions/setup-java@v4, with: {distribution: temurin, java-version: 21, cache: maven}}'],
  python: ['{uses: actions/setup-python@v5, with: {python-version: 3.x}}'],
  node: [],
};

/** Returns the pipeline of GitLab; a file to include if the project already has a pipeline of its own. */
export function gitlabPipeline(pipeline: Pipeline, existing: string): NewFile {
  const setUp = pipeline.language === undefined ? [] : [...gitlabSetUp[pipeline.language], ...installSteps(pipeline)];
  return {
    name: existing !== '' && !existing.includes('webhook-cli') ? '.gitlab/webhook-tests.gitlab-ci.yml' : '.gitlab-ci.yml',
    text: `webhook tests:
  image: node:22
  variables: {WEBHOOK_CLI_TRUST: "1"}  # of the files of this checkout
  script:
${setUp.map(line => `  - ${line}\n`).join('')}  - ${testCommand(pipeline, '--reporter default --reporter junit=webhook-tests.xml')}
  artifacts: {when: always, reports: {junit: webhook-tests.xml}}
`,
  };
}

const install = 'apt-get update && apt-get install --yes --no-install-recommends';

const gitlabSetUp: Readonly<Record<Language, readonly string[]>> = {
  go: [`${install} golang-go`],
  rust: [`${install} cargo`],
  java: [`${install} maven default-jdk-headless`],
  python: [`${install} python3-pip`],
  node: [],
};

/** Returns the commands that install the dependencies of a project, by the lockfile that it has. */
function installSteps({ language, names }: Pipeline): string[] {
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
