const knownNames: Readonly<Record<string, string>> = { cluster: 'ISTIO_META_CLUSTER_ID', net: 'ISTIO_META_NETWORK' };

/** Environment variables that the path of a request sets: `/inject/cluster/c1/net/n1`. Source: istio webhook.go parseInjectEnvs. */
export function settingsOfPath(path: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  const parts = partsOf(path.endsWith('/') ? path.slice(0, -1) : path);
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const key = parts[i] ?? '';
    const name = knownNames[key] ?? key.toUpperCase();
    if (name !== '') settings.set(name, parts[i + 1] ?? '');
  }
  return settings;
}

function partsOf(path: string): string[] {
  const second = path.indexOf('/', path.indexOf('/') + 1);
  if (!path.includes('/') || second < 0) return [];
  const rest = path.slice(second + 1);
  if (rest.startsWith(':ENV:')) {
    return rest
      .split(':ENV:')
      .slice(1)
      .flatMap(pair => (pair.indexOf('=') > 0 ? [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] : []));
  }
  return rest.split('/').map((part, i) => (i % 2 === 1 ? part.replaceAll('--slash--', '/') : part));
}
