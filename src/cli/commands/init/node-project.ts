import { shellPath } from '../../../writers/shell.js';
import { packageJson } from './package-json.js';
import { certificatesWord, type Project, portWord, withKubeconfig } from './project.js';
import type { ProjectFiles } from './project-files.js';
import { certificateFiles, settingsIn } from './settings.js';

/** A Node project: Pepr, handlers for `serve`, or a server of its own. */
export function nodeProject(files: ProjectFiles): Project | undefined {
  const { names, text } = files;
  const manifest = packageJson(files);
  if (manifest === undefined) return undefined;
  const own = { evidence: ['package.json'], language: 'node', port: undefined } as const;
  if (manifest.dependencies.has('pepr') || manifest.devDependencies.has('pepr')) {
    const start = {
      command: 'npx pepr dev --yes --host localhost',
      env: withKubeconfig({}),
      port: '3000',
      registersWith: 'Controller startup complete',
      handles: handledKinds(
        names
          .filter(name => name.endsWith('.ts'))
          .map(text)
          .join('\n'),
      ),
    };
    return { ...own, name: 'a Pepr module', start };
  }
  const sources = names.filter(name => /\.[cm]?[jt]s$/.test(name) && !/\.d\.ts$|(^|\/)(tests?|dist|build)\//.test(name));
  const handlers = sources.find(name => /from 'webhook-cli'|from "webhook-cli"/.test(text(name)) && /export default/.test(text(name)));
  if (handlers !== undefined) {
    const command = `npx --no -- webhook-cli serve --handlers ${shellPath(handlers)} --port ${portWord} --cert-dir ${certificatesWord}`;
    return { ...own, name: 'handlers of webhook-cli', start: { command, env: {}, port: portWord } };
  }
  const source = sources.map(text).join('\n');
  const { env, port, hasCertificate } = settingsIn(source);
  const start = hasCertificate && manifest.scripts.has('start') ? { command: 'npm start', env, port: port ?? '8443' } : undefined;
  return { ...own, name: 'a Node project', start, port, fixedFiles: certificateFiles(source) };
}

/** Returns the kinds that Pepr's capabilities mutate or validate: `When(a.Pod).IsCreated().Mutate(...)`. */
function handledKinds(source: string): string[] {
  const chains = source.split(/\bWhen\(/).slice(1);
  const admission = chains.filter(chain => /\.(Mutate|Validate)\(/.test(chain));
  return [...new Set(admission.map(chain => /^\s*(?:a\.)?(\w+)/.exec(chain)?.[1] ?? ''))].filter(kind => kind !== '');
}
