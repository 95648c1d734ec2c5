import { certificatesWord, type Project, portWord, withKubeconfig } from './project.js';
import type { ProjectFiles } from './project-files.js';
import { settingsIn } from './settings.js';

/** A Node project: Pepr, handlers for `serve`, or a server of its own. */
export function nodeProject({ names, text }: ProjectFiles): Project | undefined {
  if (!names.includes('package.json')) return undefined;
  const manifest = text('package.json');
  const own = { evidence: ['package.json'], language: 'node', port: undefined } as const;
  if (/"pepr"\s*:/.test(manifest)) {
    const start = {
      command: 'npx pepr dev --yes --host localhost',
      env: withKubeconfig({}),
      port: '3000',
      registersWith: 'Server listening on port',
    };
    return { ...own, name: 'a Pepr module', start };
  }
  const sources = names.filter(name => /\.[cm]?[jt]s$/.test(name) && !/\.d\.ts$|(^|\/)(tests?|dist|build)\//.test(name));
  const handlers = sources.find(name => /from 'webhook-cli'|from "webhook-cli"/.test(text(name)) && /export default/.test(text(name)));
  if (handlers !== undefined) {
    const command = `npx webhook-cli serve --handlers ${handlers} --port ${portWord} --cert-dir ${certificatesWord}`;
    return { ...own, name: 'handlers of webhook-cli', start: { command, env: {}, port: portWord } };
  }
  const { env, port, hasCertificate } = settingsIn(sources.map(text).join('\n'));
  const start = hasCertificate && /"start"\s*:/.test(manifest) ? { command: 'npm start', env, port: port ?? '8443' } : undefined;
  return { ...own, name: 'a Node project', start, port };
}
