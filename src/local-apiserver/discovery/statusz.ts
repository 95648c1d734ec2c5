import { NotReproduced } from '../../apiserver/admission/not-reproduced.js';
import { type AcceptClause, parseAccept } from '../../apiserver/endpoints/accept-header.js';
import { wantsPretty } from '../../apiserver/endpoints/pretty.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { notAcceptable } from '../../kubernetes/status-errors.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import { writtenJson, writtenYaml } from '../forms/written-object.js';
import { type HttpReply, headerOfRequest, type Incoming, pathOfRequest } from '../http/exchange.js';
import { readJsonData } from '../recorded/data-file.js';

/** The server that the pages describe. */
export interface DescribedServer {
  readonly server: ApiServer;
  readonly started: Date;
  readonly now: Date;
}

const types = ['application/json', 'application/yaml', 'text/plain'];

/**
 * Returns the reply for `/statusz`, for every method; undefined for other paths and for minors without the page. Throws a 406 for `/statusz` and
 * `/flagz`, and NotReproduced for the flags. Source: component-base zpages.
 */
export function statuszReply(request: Incoming, described: DescribedServer): HttpReply | undefined {
  const page = { '/statusz': 'Statusz', '/flagz': 'Flagz' }[pathOfRequest(request)];
  const served = readJsonData<string[]>(described.server, 'root-paths.json');
  if (page === undefined || !served.includes('/statusz')) return undefined;
  const form = formOf(headerOfRequest(request, 'accept') ?? '', page);
  if (form === undefined) throw notAcceptable(types);
  if (page === 'Flagz') throw new NotReproduced("the API server's response for /flagz is not reproduced");
  const facts = factsOf(described, served);
  if (form === 'text')
    return { status: 200, headers: [['Content-Type', 'text/plain; charset=utf-8']], body: statuszText(facts, described) };
  const { subtype, version } = form;
  const json = JSON.stringify({ kind: page, apiVersion: `config.k8s.io/${version}`, metadata: { name: 'apiserver' }, ...facts });
  const pretty = wantsPretty({ method: request.method, path: request.url, userAgent: headerOfRequest(request, 'user-agent') });
  const warning = '299 - "This version of the statusz endpoint is deprecated. Please use a newer version."';
  return {
    status: 200,
    headers: [
      ['Content-Type', `application/${subtype};g=config.k8s.io;v=${version};as=${page}`],
      ...(version === 'v1alpha1' ? [['Warning', warning] as const] : []),
    ],
    body: subtype === 'yaml' ? writtenYaml(json) : writtenJson(json, pretty),
  };
}

type PageForm = 'text' | { readonly subtype: 'json' | 'yaml'; readonly version: string };

/** Returns the form that the client accepts; JSON and YAML only as the page's kind. */
function formOf(accept: string, page: string): PageForm | undefined {
  if (accept === '') return 'text';
  for (const clause of parseAccept(accept)) {
    const form = formOfClause(clause, page);
    if (form !== undefined) return form;
  }
  return undefined;
}

function formOfClause({ type, subtype, parameters }: AcceptClause, page: string): PageForm | undefined {
  const version = parameters.get('v') ?? '';
  const isAny = type === '*' && subtype === '*';
  if (!parameters.has('as')) return isAny || (type === 'text' && (subtype === '*' || subtype === 'plain')) ? 'text' : undefined;
  if (!isAny && type !== 'application') return undefined;
  const isPage = parameters.get('as') === page && parameters.get('g') === 'config.k8s.io' && ['v1alpha1', 'v1beta1'].includes(version);
  if (!isPage) return undefined;
  if (subtype === 'yaml') return { subtype, version };
  return subtype === 'json' || subtype === '*' ? { subtype: 'json', version } : undefined;
}

interface Facts {
  readonly startTime: string;
  readonly uptimeSeconds: number;
  readonly goVersion: string;
  readonly binaryVersion: string;
  readonly emulationVersion: string;
  readonly paths: readonly string[];
}

const listedPaths = ['/flagz', '/healthz', '/livez', '/metrics', '/readyz', '/statusz', '/version'];

interface VersionDocument {
  readonly gitVersion: string;
  readonly goVersion: string;
  readonly emulationMajor: string;
  readonly emulationMinor: string;
}

function factsOf({ server, started, now }: DescribedServer, served: readonly string[]): Facts {
  const { gitVersion, goVersion, emulationMajor, emulationMinor } = readJsonData<VersionDocument>(server, 'version.json');
  return {
    startTime: timestampOf(started),
    uptimeSeconds: Math.floor((now.getTime() - started.getTime()) / 1000),
    goVersion,
    binaryVersion: gitVersion.replace(/^v/, ''),
    emulationVersion: `${emulationMajor}.${emulationMinor}`,
    paths: listedPaths.filter(path => served.includes(path)),
  };
}

/** Upstream chooses the separator at random, so that nobody parses the text. */
const separator = ':';

function statuszText({ uptimeSeconds, goVersion, binaryVersion, emulationVersion, paths }: Facts, { started }: DescribedServer): string {
  const padded = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(uptimeSeconds / 60);
  const lines = {
    Started: unixDate(started),
    Up: `${Math.floor(minutes / 60)} hr ${padded(minutes % 60)} min ${padded(uptimeSeconds % 60)} sec`,
    'Go version': goVersion,
    'Binary version': binaryVersion,
    'Emulation version': emulationVersion,
    Paths: paths.join(' '),
  };
  const warning =
    'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.';
  const text = Object.entries(lines).map(([name, value]) => `${name}${separator} ${value}\n`);
  return `\napiserver statusz\n${warning}\n\n${text.join('')}`;
}

/** Go's time.UnixDate in UTC: `Fri Nov 27 23:41:19 UTC 2026`, with a day of two places. */
function unixDate(time: Date): string {
  const [weekday = '', day = '', month = '', year = '', clock = ''] = time.toUTCString().split(/,? /);
  return `${weekday} ${month} ${String(Number(day)).padStart(2, ' ')} ${clock} UTC ${year}`;
}
