import { certificatesWord, portWord } from './project.js';

/** How a program receives its certificate and port, as far as its source shows. */
export interface Settings {
  readonly env: Readonly<Record<string, string>>;
  /** `${PORT}` if a variable sets it, else the number in the source. */
  readonly port: string | undefined;
  /** Certificate and key can be set. */
  readonly hasCertificate: boolean;
}

const variables =
  /(?:getenv|Getenv|LookupEnv|environ(?:\.get)?|env::var(?:_os)?|process\.env)\s*(?:[([.]\s*['"]?|\.)([A-Z][A-Z0-9_]+)|\benv(?:config)?\s*[=:]\s*"([A-Z][A-Z0-9_]+)[",]/g;

/** Finds environment variables and ports in the source of a program. */
export function settingsIn(source: string): Settings {
  const found = [...source.matchAll(variables)].map(([, called, named]) => called ?? named ?? '');
  // Those of every pod are about the API server.
  const names = [...new Set(found)].filter(name => !name.startsWith('KUBERNETES_'));
  const pick = (pattern: RegExp): string | undefined => names.find(name => pattern.test(name));
  const folder = pick(/(CERTS?|CERTIFICATES?|TLS|SSL)_?(DIR|DIRECTORY|FOLDER|PATH)$/);
  const certificate = pick(/(TLS|SSL)?_?(CERT|CRT)(IFICATE)?(_?(FILE|PATH))?$/);
  const key = pick(/(TLS|SSL|CERT|PRIVATE)_?KEY(_?(FILE|PATH))?$|^KEY(_?(FILE|PATH))?$/);
  const port = pick(/(^|_)PORT$/);
  const hasFiles = certificate !== undefined && key !== undefined;
  return {
    env: {
      ...(hasFiles
        ? { [certificate]: `${certificatesWord}/tls.crt`, [key]: `${certificatesWord}/tls.key` }
        : folder === undefined
          ? {}
          : { [folder]: certificatesWord }),
      ...(port === undefined ? {} : { [port]: portWord }),
      ...switchesIn(source),
    },
    port: port === undefined ? portIn(source) : portWord,
    hasCertificate: hasFiles || folder !== undefined,
  };
}

const switches =
  /(?:getenv|Getenv|environ(?:\.get)?|env::var|process\.env)\s*(?:[([.]\s*['"]?|\.)((?:ENABLE_|USE_)?(?:TLS|SSL|HTTPS)(?:_ENABLED)?)\b['"]?[^=\n{;]*={2,3}\s*['"](true|1|yes|on|enabled)['"]/gi;

/** Returns the variables without which a program serves no TLS, with the value that its source compares them with. */
function switchesIn(source: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...source.matchAll(switches)].map(([, name = '', value = '']) => [name, value]));
}

/** Returns the number that a program listens on, by the lines that say so. */
function portIn(source: string): string | undefined {
  const lines = source.split('\n').filter(line => /listen|bind|serve|\.run\(|port|\bAddr:/i.test(line));
  const found = lines.flatMap(line => [...line.matchAll(/(?<![\d.])(443|[1-9]\d{3,4})(?![\d.])/g)].map(([, port]) => port));
  return found.find(port => /443$/.test(port ?? '')) ?? found[0];
}

const maxFiles = 4;

/** Returns the first paths of certificates and keys in the source of a program. */
export function certificateFiles(source: string): string[] {
  return [...new Set([...source.matchAll(/["'`]([\w./-]*\.(?:crt|pem|cert|key))["'`]/g)].map(([, file]) => file ?? ''))].slice(0, maxFiles);
}

/**
 * Returns the folder of a pair that a program always reads there, as `tls.crt` and `tls.key`, because its source names these files, or the
 * folder and the files in constants of their own; else undefined.
 */
export function fixedCertificateFolder(source: string): string | undefined {
  const found = [...source.matchAll(/["'`](?:((?:\/[\w.-]+|[\w-]+)(?:\/[\w.-]+)*)\/)?tls\.(crt|key)["'`]/g)];
  const named = found.flatMap(([, folder]) => folder ?? []);
  const folders = new Set(named.length > 0 ? named : certificateFolders(source));
  const [folder] = folders;
  return folders.size === 1 && ['crt', 'key'].every(end => found.some(([, , ending]) => ending === end)) ? folder : undefined;
}

function certificateFolders(source: string): string[] {
  const paths = [...source.matchAll(/["'`]((?:\/[\w.-]+)+)\/?["'`]/g)].map(([, path = '']) => path);
  return paths.filter(path => /^\/(etc|var|run|certs?|tls|ssl|mnt|opt|tmp)(\/|$)/.test(path) && /tls|ssl|cert|pki/i.test(path));
}
