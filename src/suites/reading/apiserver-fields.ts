import { isList } from '../../go/value.js';
import type { SuiteApiserver, SuiteProcess } from '../suite.js';
import { invalidField, items, memberField, members, type SuiteField, textOfField, unexpected } from './field.js';
import { fromFolderOf } from './option-fields.js';

/** Replaced by the path of the kubeconfig, in the command and the environment of the process under test. */
export const kubeconfigWord = `\${KUBECONFIG}`;

/**
 * Reads the API server of a suite: `true`, or a map with `state`. Undefined without one: a process that names `${KUBECONFIG}` has one in any
 * case. Throws InvalidSuite.
 */
export function readApiserver(field: SuiteField | undefined, process: SuiteProcess | undefined): SuiteApiserver | undefined {
  const isNamed = process !== undefined && namesKubeconfig(process);
  if (field === undefined || field.value === false) {
    if (field !== undefined && isNamed) throw invalidField(field, `is false, but exec names ${kubeconfigWord}`);
    return isNamed ? {} : undefined;
  }
  if (process === undefined)
    throw invalidField(field, 'has no meaning without exec', { suggestions: [`add exec: with a process that reads ${kubeconfigWord}`] });
  if (field.value === true) return {};
  if (typeof field.value !== 'object' || field.value === null || isList(field.value)) throw unexpected(field, 'true, or a map with state');
  members(field, ['state']);
  const state = memberField(field, 'state');
  return state === undefined ? {} : { state: pathsOf(state) };
}

function namesKubeconfig({ command, env }: SuiteProcess): boolean {
  return [command, ...Object.values(env)].flat().some(text => text.includes(kubeconfigWord));
}

function pathsOf(field: SuiteField): string[] {
  const texts = isList(field.value)
    ? items(field).map(item => textOfField(item, 'a path'))
    : [textOfField(field, 'a path, or a list of paths')];
  return texts.map(text => fromFolderOf(field.source.file, text));
}
