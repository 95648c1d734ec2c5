import { shellPath, shellWord } from '../../../writers/shell.js';
import { argumentsFor } from './flags-of-program.js';
import { type Project, portWord, withKubeconfig } from './project.js';
import type { ProjectFiles } from './project-files.js';
import { certificateFiles, settingsIn } from './settings.js';

/** A Rust project: one crate, or a workspace in which a crate or an example is the webhook. */
export function rustProject({ names, text }: ProjectFiles): Project | undefined {
  if (!names.includes('Cargo.toml')) return undefined;
  const sources = names.filter(name => name.endsWith('.rs') && !/(^|\/)tests\//.test(name));
  const reviews = sources.filter(name => /AdmissionReview/.test(text(name)));
  const isExample = (name: string): boolean => /(^|\/)examples\/[^/]+\.rs$/.test(name);
  const crates = reviews.map(name => `${crateOf(name, names)}src/main.rs`).filter(name => names.includes(name));
  const example = reviews.find(name => isExample(name) && /\bfn main\(/.test(text(name)));
  const main = crates[0] ?? example ?? 'src/main.rs';
  const crate = crateOf(main, names);
  const manifest = text(`${crate}Cargo.toml`);
  const own = main === example ? [main] : sources.filter(name => name.startsWith(`${crate}src/`));
  const source = own.map(text).join('\n');
  const { args, hasCertificate, hasPort } = argumentsFor(clapFlags(source));
  const settings = settingsIn(source);
  const selected = main === example ? ` --example ${shellWord(main.replace(/^.*\/|\.rs$/g, ''))}` : '';
  const inWorkspace = crate === '' ? '' : ` --manifest-path ${shellPath(`${crate}Cargo.toml`)}`;
  const command = [`cargo run${inWorkspace}${selected}`, ...(args.length === 0 ? [] : ['--', ...args])].join(' ');
  const port = hasPort ? portWord : settings.port;
  const canStart = hasCertificate || settings.hasCertificate;
  return {
    name: /^kube\b|\bkube\s*=|^\[.*dependencies\.kube\]/m.test(manifest) ? 'a Rust project with kube' : 'a Rust project',
    evidence: [`${crate}Cargo.toml`, ...(main === example ? [main] : [])],
    language: 'rust',
    start: canStart ? { command, env: withKubeconfig(settings.env), port: port ?? '8443' } : undefined,
    hint: command,
    port,
    fixedFiles: certificateFiles(source),
  };
}

/** Returns the folder of the crate that a file belongs to, with a slash; empty for that of the project. */
function crateOf(file: string, names: readonly string[]): string {
  const folders = file.split('/').slice(0, -1);
  while (folders.length > 0) {
    const folder = `${folders.join('/')}/`;
    if (names.includes(`${folder}Cargo.toml`)) return folder;
    folders.pop();
  }
  return '';
}

/** Returns the long flags of clap's derive macros: the name of the field, unless the attribute has another. */
function clapFlags(source: string): string[] {
  const attributes = source.matchAll(
    /#\[(?:arg|clap)\(([^\]]*\blong\b[^\]]*)\)\]\s*(?:#\[[^\]]*\]\s*|\/\/[^\n]*\s*)*(?:pub(?:\([^)]*\))?\s+)?(\w+)\s*:/g,
  );
  return [...attributes].map(
    ([, attribute = '', field = '']) => /\blong\s*=\s*"([^"]+)"/.exec(attribute)?.[1] ?? field.replaceAll('_', '-'),
  );
}
