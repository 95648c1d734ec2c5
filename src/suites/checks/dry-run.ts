import { readUnstructured } from '../../encoding/unstructured.js';
import { writeValue } from '../../go/json/write.js';
import { isMap, listAt, type ValueMap } from '../../go/value.js';
import type { ApiCall } from '../../kubernetes/api-call.js';

/** The dry-run options of a call: options in the body of a DELETE override its query. Source: apiserver endpoints/handlers/delete.go. */
type DryRunMember = 'query' | 'options' | 'deleteOptions' | 'nowhere';

/** Reports whether the call is a dry run. */
export function isDryRun(call: ApiCall): boolean {
  const options = optionsOf(call);
  return options === undefined ? /[?&]dryRun=All(&|$)/.test(call.path) : listAt(options, 'dryRun').includes('All');
}

/** The call with `dryRun` toggled; undefined for calls without dry run: connections and reads. */
export function withDryRunToggled(call: ApiCall): ApiCall | undefined {
  const place = placeOf(call);
  if (place === 'nowhere') return undefined;
  const turned = !isDryRun(call);
  if (place === 'query') return { ...call, path: withQuery(call.path, turned) };
  const body = bodyOf(call);
  const options = optionsOf(call);
  if (body === undefined || options === undefined) return undefined;
  if (turned) options.set('dryRun', ['All']);
  else options.delete('dryRun');
  if (place === 'deleteOptions') body.set('deleteOptions', options);
  const changed = place === 'options' ? options : body;
  return { ...call, body: Buffer.from(`${writeValue(changed, 'kept')}\n`) };
}

function placeOf(call: ApiCall): DryRunMember {
  if (call.method === 'DELETE') return bodyOf(call) === undefined ? 'query' : 'options';
  if (!['POST', 'PUT', 'PATCH'].includes(call.method)) return 'nowhere';
  return /\/eviction(\?|$)/.test(call.path) && bodyOf(call)?.has('deleteOptions') === true ? 'deleteOptions' : 'query';
}

/** The options in the body, parsed on each call. */
function optionsOf(call: ApiCall): ValueMap | undefined {
  const place = placeOf(call);
  const body = place === 'options' || place === 'deleteOptions' ? bodyOf(call) : undefined;
  if (place !== 'deleteOptions') return body;
  const options = body?.get('deleteOptions');
  return isMap(options) ? options : undefined;
}

function bodyOf({ body }: ApiCall): ValueMap | undefined {
  const text = Buffer.from(body ?? []).toString('utf8');
  if (!text.trimStart().startsWith('{')) return undefined;
  const value = readUnstructured(text);
  return isMap(value) ? value : undefined;
}

function withQuery(path: string, dryRun: boolean): string {
  const [plain = '', query = ''] = path.split('?', 2);
  const others = query.split('&').filter(pair => pair !== '' && !pair.startsWith('dryRun='));
  const pairs = dryRun ? ['dryRun=All', ...others] : others;
  return pairs.length === 0 ? plain : `${plain}?${pairs.join('&')}`;
}
