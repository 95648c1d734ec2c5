import { shellWord } from '../../../writers/shell.js';
import { fixedStart } from './fixed-start.js';
import { argumentsFor, leaderElection } from './flags-of-program.js';
import { certificatesWord, type Project, portWord, type Start, withKubeconfig } from './project.js';
import type { ProjectFiles } from './project-files.js';
import { certificateFiles, settingsIn } from './settings.js';

/** Source: controller-runtime pkg/webhook DefaultPort. */
const managerPort = '9443';

/** A Go module: kubebuilder, controller-runtime, or a server of its own. */
export function goProject(files: ProjectFiles): Project | undefined {
  if (!files.names.includes('go.mod')) return undefined;
  const requirements = files.text('go.mod');
  const hasManager = requirements.includes('sigs.k8s.io/controller-runtime');
  const isScaffold = files.names.includes('PROJECT');
  const main = mainFile(files);
  const name = isScaffold ? 'a kubebuilder project' : hasManager ? 'a Go project with controller-runtime' : 'a Go project';
  const module = { hasManager, isClient: /k8s\.io\/client-go/.test(requirements) };
  const own = main === undefined ? '' : packageText(files, folderOf(main));
  // The flags of small programs are often in a package of their own, such as that of cobra's commands.
  const source = own + importedText(files, requirements, own);
  const starts = main === undefined ? [] : startTexts(main, own, source).flatMap(text => startOf(main, text, module) ?? []);
  const start = starts.find(({ certificateFolder }) => certificateFolder === undefined) ?? starts[0];
  const port = start?.port ?? settingsIn(source).port;
  return {
    name,
    evidence: [...(isScaffold ? ['PROJECT'] : []), 'go.mod'],
    language: 'go',
    start,
    ...(main === undefined ? {} : { hint: runOf(main, source).run }),
    port,
    isClient: module.isClient || hasManager,
    ...(hasManager ? { usualPort: managerPort } : {}),
    fixedFiles: certificateFiles(source),
  };
}

/** Returns the sources to look for a start in: the nearest one with flags for the certificate, else both. */
function startTexts(main: string, own: string, source: string): string[] {
  const flagged = [own, source].find(text => runOf(main, text).hasCertificate);
  return flagged === undefined ? [own, source] : [flagged];
}

/** Returns the main package's file that is most likely the webhook's. */
function mainFile({ names, text }: ProjectFiles): string | undefined {
  const own = names.filter(name => /(?<!_test)\.go$/.test(name) && !/(^|\/)(tests?|hack|tools|examples?|docs)\//.test(name));
  const named = own.filter(name => /(^|\/)main\.go$/.test(name));
  const mains = named.length > 0 ? named : own.filter(name => /^func main\(\)/m.test(text(name)));
  const score = (name: string): number => {
    const source = text(name);
    const isManager = /webhook|admission|AdmissionReview/i.test(source) || /NewManager/.test(source);
    return name.split('/').length + (name === 'cmd/main.go' || name === 'main.go' ? -1 : 0) + (isManager ? -10 : 0);
  };
  return [...mains].sort((a, b) => score(a) - score(b))[0];
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1);
}

/** Flags and options may be in other files of the package. */
function packageText({ names, text }: ProjectFiles, folder: string): string {
  const own = names.filter(name => name.startsWith(folder) && !name.slice(folder.length).includes('/') && /(?<!_test)\.go$/.test(name));
  return own.map(text).join('\n');
}

/** Returns the sources of the module's packages that a source imports, directly or by others. */
function importedText(files: ProjectFiles, requirements: string, source: string): string {
  const module = /^module\s+"?([^\s"]+)/m.exec(requirements)?.[1];
  if (module === undefined) return '';
  const folders = new Set<string>();
  const waiting = [source];
  for (const text of waiting) {
    for (const folder of importedFolders(text, module)) {
      if (folders.has(folder)) continue;
      folders.add(folder);
      waiting.push(packageText(files, folder));
    }
  }
  return waiting
    .slice(1)
    .map(text => `\n${text}`)
    .join('');
}

function importedFolders(source: string, module: string): string[] {
  return source
    .split(`"${module}/`)
    .slice(1)
    .map(rest => `${rest.slice(0, rest.indexOf('"'))}/`);
}

interface GoModule {
  readonly hasManager: boolean;
  readonly isClient: boolean;
}

function startOf(main: string, source: string, { hasManager, isClient }: GoModule): Start | undefined {
  const { run, hasCertificate, hasPort } = runOf(main, source);
  const settings = settingsIn(source);
  const fixed = hasManager ? (/\bPort:\s*(\d+)/.exec(source)?.[1] ?? managerPort) : settings.port;
  const port = hasPort ? portWord : fixed;
  const env = hasManager || isClient ? withKubeconfig(settings.env) : settings.env;
  if (port === undefined) return undefined;
  if (hasCertificate) return { command: run, env, port };
  if (settings.hasCertificate) return withContents({ command: run, env, port }, source);
  if (!hasManager) return fixedStart({ command: run, env, port }, source);
  // controller-runtime reads its certificate in this folder of the system's temporary one.
  if (/CertDir:/.test(source)) return undefined;
  const folders = `mkdir -p ${certificatesWord}/k8s-webhook-server && ln -sfn ${certificatesWord} ${certificatesWord}/k8s-webhook-server/serving-certs`;
  return { command: `${folders} && TMPDIR=${certificatesWord} ${run}`, env, port };
}

/** Some programs take the certificate and the key themselves from variables, not the names of their files. */
function withContents(start: Start, source: string): Start {
  if (!/\btls\.X509KeyPair\(/.test(source) || /LoadX509KeyPair|ReadFile/.test(source)) return start;
  const variables = Object.entries(start.env);
  const files = variables.filter(([, value]) => value.startsWith(`${certificatesWord}/`));
  const contents = files.map(([name, value]) => `${name}="$(cat ${value})"`);
  return {
    ...start,
    command: [...contents, start.command].join(' '),
    env: Object.fromEntries(variables.filter(variable => !files.includes(variable))),
  };
}

function runOf(main: string, source: string) {
  const folder = main.includes('/') ? shellWord(`./${folderOf(main).slice(0, -1)}`) : '.';
  const { args, hasCertificate, hasPort } = argumentsFor(flagsIn(source));
  return { run: ['go run', folder, ...args].join(' '), hasCertificate, hasPort };
}

function flagsIn(source: string): string[] {
  // The second kind is that of urfave/cli.
  const found = [
    ...source.matchAll(/[\w)]\.(?:\w*Var\w*\(\s*[^,]+,\s*|(?:String|Int|Bool)P?\(\s*)"([A-Za-z][\w-]*)"/g),
    ...source.matchAll(/\bcli\.\w+Flag\{\s*Name:\s*"([A-Za-z][\w-]*)"/g),
  ];
  const names = [...new Set(found.map(([, name]) => name ?? ''))];
  // Only where it is on by default.
  return names.filter(name => !leaderElection.test(name) || new RegExp(`"${name}",\\s*true\\b`).test(source));
}
