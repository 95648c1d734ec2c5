import { existsSync } from 'node:fs';
import path from 'node:path';
import { shellPath } from '../../../writers/shell.js';
import { fixedStart } from './fixed-start.js';
import { certificatesWord, type Project, portWord, type Start, withKubeconfig } from './project.js';
import type { ProjectFiles } from './project-files.js';
import { ownSources, webhookSources } from './served-paths.js';
import { certificateFiles, settingsIn } from './settings.js';
import { startCommand } from './start-command.js';

/** Libraries with which a program asks the API server. */
const isClient = /^\s*(?:import|from) (?:kubernetes|kr8s|lightkube|pykube)\b|@kubernetes\/client-node/m;

/** Port of the examples of `certs create` and `serve`. */
const defaultPort = '8443';

/**
 * Adds how the webhook is started if the kind of the project does not show it: by a Dockerfile, a Makefile and the like, or by its source.
 * The start is complete only if certificate and key can be set, or are in the project; otherwise the command is a hint for the user.
 */
export function withFallbackStart(project: Project, files: ProjectFiles): Project {
  if (project.start !== undefined) return project;
  const sources = webhookSources(files);
  const command = startCommand(files) ?? scripts(files, sources)[0];
  if (command === undefined) return project;
  // The file with the server is often not the one with the reviews.
  const own = ownSources(files);
  const texts = [sources, own].filter(names => names.length > 0).map(names => names.map(files.text).join('\n'));
  const [start] = texts.flatMap(source => startIn(source, command, files) ?? []);
  if (start === undefined) return { ...project, hint: project.hint ?? command };
  return { ...project, start: texts.some(source => isClient.test(source)) ? { ...start, env: withKubeconfig(start.env) } : start };
}

function startIn(source: string, command: string, files: ProjectFiles): Start | undefined {
  return (
    startByCommand(command) ??
    startBySettings(command, source) ??
    startWithFiles(command, source, files) ??
    fixedStart({ command, ...environmentOf(source) }, source)
  );
}

const listens = /\.listen\(|\.run\(|serve_forever|run_app\(/;

/** Returns the commands that run a source, those that listen first. */
function scripts(files: ProjectFiles, sources: readonly string[]): string[] {
  const servers = sources.length === 0 ? [] : [...sources, ...ownSources(files)].filter(name => listens.test(files.text(name)));
  return [...servers, ...sources].flatMap(name => scriptCommand(name) ?? []);
}

function scriptCommand(name: string): string | undefined {
  if (/\.py$/.test(name)) return `python3 ${shellPath(name)}`;
  return /\.[cm]?js$/.test(name) ? `node ${shellPath(name)}` : undefined;
}

/** `gunicorn --certfile /certs/tls.crt --keyfile /certs/tls.key --bind 0.0.0.0:8443 app:app` */
function startByCommand(command: string): Start | undefined {
  const filled = command
    .replace(/(?<=[ =])[\w./-]*\.(?:crt|cert)(?= |$)|(?<=[ =])[\w./-]*cert[\w-]*\.pem(?= |$)/g, `${certificatesWord}/tls.crt`)
    .replace(/(?<=[ =])[\w./-]*\.key(?= |$)|(?<=[ =])[\w./-]*key[\w-]*\.pem(?= |$)/g, `${certificatesWord}/tls.key`);
  if (!filled.includes('tls.crt') || !filled.includes('tls.key') || filled === command) return undefined;
  const listening = /((?:0\.0\.0\.0|127\.0\.0\.1|\[::\]):|--port[= ])(\d+)/;
  return listening.test(filled)
    ? { command: filled.replace(listening, `$1${portWord}`), env: {}, port: portWord }
    : { command: filled, env: {}, port: defaultPort };
}

function environmentOf(source: string): Pick<Start, 'env' | 'port'> {
  const { env, port } = settingsIn(source);
  return { env, port: port ?? defaultPort };
}

function startBySettings(command: string, source: string): Start | undefined {
  return settingsIn(source).hasCertificate ? { command, ...environmentOf(source) } : undefined;
}

/** The files that the source names are in the project: it runs as it is. */
function startWithFiles(command: string, source: string, { folder }: ProjectFiles): Start | undefined {
  const found = certificateFiles(source);
  // Often links, as in a Secret's volume.
  const exists = (name: string): boolean => existsSync(path.join(folder, name));
  if (found.length === 0 || !found.every(exists)) return undefined;
  const authority = found.map(name => path.posix.join(path.posix.dirname(name), 'ca.crt')).find(exists);
  return { command, ...environmentOf(source), ...(authority === undefined ? {} : { authority }) };
}
