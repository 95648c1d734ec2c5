import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { renderChart } from '../../work/input/build-manifests.js';
import type { FoundObjects } from './found-objects.js';
import type { NewFile } from './project.js';
import type { ProjectFiles } from './project-files.js';

/**
 * Returns what the chart with the only webhook configuration of a project renders to with its own values, named by its folder; undefined if there are other
 * configurations, no chart, or no helm. Throws CliError for helm's errors.
 */
export async function findRenderedChart(
  { webhooks, templates }: FoundObjects,
  { folder, names }: ProjectFiles,
): Promise<NewFile | undefined> {
  const [chart] = templates.flatMap(template => chartOf(template, names) ?? []);
  if (webhooks.length > 0 || chart === undefined) return undefined;
  try {
    return { name: chart, text: Buffer.from(await renderChart({ folder: chart, values: [] }, folder)).toString('utf8') };
  } catch (error) {
    if (error instanceof CliError && error.message.endsWith('helm is not installed')) return undefined;
    throw error;
  }
}

/** Returns the folder of the chart that a template is part of; undefined if it is not part of one. */
export function chartOf(template: string, names: readonly string[]): string | undefined {
  const folders = names.filter(name => /(^|\/)Chart\.yaml$/.test(name)).map(name => path.posix.dirname(name));
  return folders.find(folder => folder === '.' || template.startsWith(`${folder}/`));
}
