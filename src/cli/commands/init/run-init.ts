import { existsSync, realpathSync } from 'node:fs';
import { realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { ensureFolder } from '../../../files/ensure-folder.js';
import { systemReason } from '../../../files/system-reason.js';
import { isMap, stringAt, type Value } from '../../../go/value.js';
import { counted } from '../../../kubernetes/counted.js';
import { suiteFile } from '../../../suites/find-suites.js';
import { oneLine, printable } from '../../../writers/printable.js';
import { shellPath } from '../../../writers/shell.js';
import { riskyParts } from '../../options/configuration.js';
import type { KnownFlags } from '../../options/known-flags.js';
import { trust } from '../../options/trust/consent.js';
import { riskySuites } from '../../options/trust/found-suites.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { checkedFile, type InitialFile } from './checked-file.js';
import { containerEnvironment, webhookContainer } from './container-environment.js';
import { withContainerCommand } from './container-start.js';
import { detectProject } from './detect-project.js';
import { caseWithoutWebhooks, findFirstCase } from './first-case.js';
import { type FoundObjects, foundObjects } from './found-objects.js';
import { languageVersion } from './language-versions.js';
import { findMissingParts } from './missing-parts.js';
import { configurationName, newConfigurationFile, suiteFiles } from './new-files.js';
import { githubPipeline, gitlabPipeline } from './pipelines.js';
import { type NewFile, type Project, portWord, type Start, suiteFolder } from './project.js';
import { type ProjectFiles, projectFiles } from './project-files.js';
import { chartOf, findRenderedChart } from './rendered-chart.js';
import { configurationOfCode } from './served-paths.js';

export interface InitCommand {
  /** Relative to the working directory if it was given so. */
  readonly folder: string;
  readonly ci: string | undefined;
  readonly dryRun: boolean;
  readonly toolVersion: string;
  /** Flags of all commands, which `webhook-cli.yaml` may set. */
  readonly listKnownFlags: () => Promise<KnownFlags>;
}

/** Writes the files that a project lacks; prints what was found, what exists already, and what is missing. Throws CliError. */
export async function runInit(command: InitCommand, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, cwd } = surroundings;
  const files = projectFiles(path.resolve(cwd, command.folder));
  const detected = detectProject(files);
  const registersItself = detected.start?.registersWith !== undefined;
  const shown = {
    handled: detected.start?.handles ?? [],
    code: registersItself ? undefined : configurationOfCode(files, detected.start),
    isClient: detected.start?.env['KUBECONFIG'] !== undefined,
  };
  const plain = foundObjects(files, { ...shown, chart: undefined });
  const chart = registersItself ? undefined : await findRenderedChart(plain, files);
  const found = chart === undefined ? plain : foundObjects(files, { ...shown, chart });
  const commanded = withContainerCommand(detected, webhookContainer(found));
  const project = { ...commanded, start: withContainerEnvironment(atConfiguredPort(commanded.start, found), found) };
  stdout.write(foundText(project, found));
  refuseUngenerated(found, files);
  refuseTemplate(project, found, files);
  const suite = files.names.find(name => suiteFile.test(name));
  const first =
    suite === undefined
      ? ((await findFirstCase(found, surroundings)) ?? caseWithoutWebhooks(found, project.start?.handles ?? [], surroundings))
      : undefined;
  const planned = [
    ...(first === undefined ? [] : suiteFiles({ project, found, first })),
    newConfigurationFile({ project, found, namespace: first?.namespace }),
    ...pipelines(command, project, files),
  ];
  // Before the first file is written.
  const checked = planned.map(file => checkedFile(file));
  if (suite !== undefined)
    stdout.write(
      `a suite exists: ${oneLine(suite)}: not changed; remove it and ${configurationName} to let init write them from what is there now\n`,
    );
  for (const file of checked) {
    const outcome = await writeIfNew(file, { folder: files.folder, dryRun: command.dryRun });
    stdout.write(outcome.text);
    if (outcome.isNew) trustWritten(file, files.folder, { ...surroundings, known: await command.listKnownFlags() });
  }
  for (const part of await findMissingParts({
    project,
    found,
    files,
    hasCase: suite !== undefined || first !== undefined,
    samples: first?.samples ?? [],
  }))
    stdout.write(`missing: ${oneLine(part)}\n`);
  const suites = path.join(command.folder, suite === undefined ? suiteFolder : path.dirname(suite));
  if (!command.dryRun && (suite !== undefined || first !== undefined)) stdout.write(`next: webhook-cli test ${shellPath(suites)}\n`);
  return exitCodes.allowed;
}

/** A webhook that is configured by an URL of this machine has to listen there, not at a free port. */
function atConfiguredPort(start: Start | undefined, { webhooks }: FoundObjects): Start | undefined {
  const urls = webhooks.map(({ webhook }) => stringAt(webhook, 'clientConfig', 'url'));
  const local = urls.find(url => /^https:\/\/(127\.0\.0\.1|localhost)\b/.test(url) && URL.canParse(url));
  if (start === undefined || local === undefined) return start;
  const port = new URL(local).port || '443';
  const filled = (text: string): string => text.replaceAll(portWord, port);
  const env = Object.fromEntries(Object.entries(start.env).map(([name, value]) => [name, filled(value)]));
  return { ...start, command: filled(start.command), env, port };
}

/** What the start itself sets, such as certificates and ports of the suite, is not that of the container. */
function withContainerEnvironment(start: Start | undefined, found: FoundObjects): Start | undefined {
  return start === undefined ? undefined : { ...start, env: { ...start.env, ...containerEnvironment(found), ...start.env } };
}

/** Throws CliError if a kubebuilder project has webhooks whose manifests are not generated yet: what init would write without them is not what is wanted. */
function refuseUngenerated({ webhooks }: FoundObjects, { names, text }: ProjectFiles): void {
  if (webhooks.length > 0 || !names.includes('PROJECT') || !/^ *webhooks:/m.test(text('PROJECT'))) return;
  throw new CliError('no-objects', 'PROJECT lists webhooks, and no file has their configuration', {
    suggestions: ['run "make manifests", and run init again'],
  });
}

/** Throws CliError if the only webhook configuration is a template that cannot be read. */
function refuseTemplate({ start }: Project, { webhooks, templates: [template] }: FoundObjects, { names }: ProjectFiles): void {
  if (webhooks.length > 0 || template === undefined || start?.registersWith !== undefined) return;
  const chart = chartOf(template, names);
  const target = `${suiteFolder}/configuration.yaml`;
  const how =
    chart === undefined ? `write what it renders to ${target}` : `mkdir -p ${suiteFolder} && helm template ${shellPath(chart)} > ${target}`;
  throw new CliError('no-objects', `the only webhook configuration is the template ${oneLine(template)}`, {
    suggestions: [`${how}, and run init again`],
  });
}

function foundText({ name, evidence, start }: Project, { configurations, definitions, webhooks }: FoundObjects): string {
  const about = evidence.length === 0 ? '' : ` (${oneLine(evidence.join(', '))})`;
  const registers = webhooks.length === 0 && start?.registersWith !== undefined;
  const lines = [
    `found ${name}${about}, ${registers ? 'which registers its webhooks' : counted(webhooks.length, 'webhook')}`,
    ...configurations.map(file => `  configuration  ${oneLine(file.name)}${file.builtBy === 'helm' ? ' (a chart, rendered by helm)' : ''}`),
    ...definitions.map(
      file =>
        `  definition     ${oneLine(file.name)}${file.builtBy === 'kustomize' ? ' (kustomize, whose patch sets the conversion webhook)' : ''}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function pipelines({ ci, toolVersion }: InitCommand, { language, folder }: Project, files: ProjectFiles): NewFile[] {
  const version = languageVersion(language, files, folder === undefined ? '' : `${folder}/`);
  const pipeline = { language, version, names: files.names, suites: suiteFolder, toolVersion };
  if (ci === 'github') return [githubPipeline(pipeline)];
  return ci === 'gitlab' ? [gitlabPipeline(pipeline, files.text('.gitlab-ci.yml'))] : [];
}

interface Writing {
  readonly folder: string;
  readonly dryRun: boolean;
}

interface Settled {
  /** What happened. */
  readonly text: string;
  readonly isNew: boolean;
}

/** Writes a file that does not exist. Throws CliError. */
async function writeIfNew({ name, text }: NewFile, { folder, dryRun }: Writing): Promise<Settled> {
  const file = path.join(folder, name);
  if (existsSync(file)) return { text: `${oneLine(name)} exists: not changed\n`, isNew: false };
  if (dryRun) return { text: `would write ${oneLine(name)}:\n${printable(text.replace(/^(?=.)/gm, '  '))}`, isNew: false };
  try {
    await refuseOutside(folder, path.dirname(file));
    await ensureFolder(path.dirname(file));
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    throw new CliError('write-failed', `cannot be written: ${systemReason(error)}`, { location: { file }, cause: error });
  }
  return { text: `wrote ${oneLine(name)}\n`, isNew: true };
}

/** Links of the project may lead anywhere. */
async function refuseOutside(project: string, folder: string): Promise<void> {
  if (!existsSync(project)) return;
  if (!existsSync(folder)) return refuseOutside(project, path.dirname(folder));
  const [root, target] = await Promise.all([realpath(project), realpath(folder)]);
  if (target !== root && !target.startsWith(root + path.sep))
    throw new Error(`${folder} is a link out of the project, which is not followed`);
}

interface TrustingSurroundings extends Pick<Surroundings, 'cwd' | 'env'> {
  readonly known: KnownFlags;
}

/** Trusts a new file as far as it needs trust. Does nothing where trust cannot be recorded. */
function trustWritten({ name, text, value, suite }: InitialFile, folder: string, { cwd, env, known }: TrustingSurroundings): void {
  const file = path.join(folder, name);
  const trusted =
    suite !== undefined
      ? // Relative, as the suite is found later: its paths are part of what is trusted.
        riskySuites([suite(path.relative(cwd, file))], cwd, true)
      : name === configurationName
        ? [{ subject: { file: realpathSync(file), contents: [Buffer.from(text).toString('latin1')] }, parts: flagsIn(value, known) }]
        : [];
  try {
    for (const { subject, parts } of trusted) trust(subject, env, parts);
  } catch {
    // A read-only home folder: the commands will say that the file is not trusted.
  }
}

/** Returns what in a configuration file needs consent, a line each. */
function flagsIn(value: Value | undefined, known: KnownFlags): string[] {
  return isMap(value) ? riskyParts({ values: new Map([...value].map(([name, given]) => [name, [given].flat().map(String)])), known }) : [];
}
