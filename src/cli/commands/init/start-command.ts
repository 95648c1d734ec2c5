import { shellWord } from '../../../writers/shell.js';
import { packageJson } from './package-json.js';
import type { ProjectFiles } from './project-files.js';

/**
 * Returns the command that starts a program by what projects say of it: a Procfile, scripts of package.json, a Makefile, the CMD or ENTRYPOINT
 * of a Dockerfile. Undefined if none does, or if the command of a container starts a program that only its image has.
 */
export function startCommand(files: ProjectFiles): string | undefined {
  return procfile(files) ?? packageScript(files) ?? makefile(files) ?? dockerfile(files);
}

function procfile({ names, text }: ProjectFiles): string | undefined {
  const processes = names.includes('Procfile') ? text('Procfile') : '';
  return /^(?:web|webhook):\s*(\S.*)$/m.exec(processes)?.[1]?.trim();
}

function packageScript(files: ProjectFiles): string | undefined {
  return packageJson(files)?.scripts.has('start') === true ? 'npm start' : undefined;
}

function makefile({ names, text }: ProjectFiles): string | undefined {
  const file = names.find(name => /^(GNUm|M|m)akefile$/.test(name));
  const target = file === undefined ? undefined : /^(run|serve|start|dev):(?!=)/m.exec(text(file))?.[1];
  return target === undefined ? undefined : `make ${target}`;
}

/** Programs that this machine may have, too. */
const interpreters =
  /^(?:\S*\/)?(python\d?(?:\.\d+)?|node|npm|npx|deno|bun|ruby|bundle|php|java|dotnet|gunicorn|uvicorn|hypercorn|flask|waitress-serve|uv|poetry|pipenv)$/;

function dockerfile({ names, text }: ProjectFiles): string | undefined {
  const file = names.find(name => /(^|\/)(Dockerfile|Containerfile)(\.\w+)?$/.test(name));
  if (file === undefined) return undefined;
  const lines = text(file)
    .replace(/\\\r?\n/g, ' ')
    .split('\n');
  const last = (word: string): string[] =>
    wordsOf(
      lines
        .filter(line => line.startsWith(`${word} `))
        .at(-1)
        ?.slice(word.length + 1) ?? '',
    );
  const args = withoutInit([...last('ENTRYPOINT'), ...last('CMD')]);
  const [program = ''] = args;
  // Images have `python`; this machine may have only `python3`, which images have, too.
  const known = interpreters.exec(program)?.[1]?.replace(/^python$/, 'python3');
  if (known !== undefined) return [known, ...args.slice(1).map(word => localPath(word, names))].map(quoted).join(' ');
  const local = localPath(program, names);
  return names.includes(local.replace(/^\.\//, ''))
    ? [`./${local.replace(/^\.\//, '')}`, ...args.slice(1)].map(quoted).join(' ')
    : undefined;
}

/** Containers need a first process that reaps others: `/tini -- node server.js`. */
function withoutInit(args: readonly string[]): readonly string[] {
  if (!/^(?:\S*\/)?(?:tini(?:-static)?|dumb-init)$/.test(args[0] ?? '')) return args;
  return args.slice(args.indexOf('--') + 1 || 1);
}

/** Parses `["python", "app.py"]`, or a shell command. */
function wordsOf(text: string): string[] {
  try {
    const args: unknown = JSON.parse(text);
    return Array.isArray(args) ? args.map(String) : [];
  } catch {
    return text.split(/\s+/).filter(word => word !== '' && word !== 'exec');
  }
}

/** `/app/webhook.py` of an image is `webhook.py` of the project. */
function localPath(word: string, names: readonly string[]): string {
  if (!word.startsWith('/')) return word;
  const parts = word.split('/').slice(1);
  const candidates = parts.map((_, i) => parts.slice(i).join('/'));
  return candidates.find(name => names.includes(name)) ?? word;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./${}-]+$/.test(word) ? word : shellWord(word);
}
