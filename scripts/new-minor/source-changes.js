// Lists what changed in the source of Kubernetes between two releases, by area.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** Areas, with their folders: a module of k8s.io and a folder in it; `only` picks the files. */
const areas = [
  { area: 'types', module: 'api', folder: '', only: /types\.go$/ },
  { area: 'defaults and conversions', module: 'kubernetes', folder: 'pkg/apis', only: /(?:defaults|conversion|helpers)\.go$/ },
  { area: 'validation', module: 'kubernetes', folder: 'pkg/apis', only: /\/validation\// },
  { area: 'strategies', module: 'kubernetes', folder: 'pkg/registry' },
  { area: 'field usage of pods', module: 'kubernetes', folder: 'pkg/api' },
  { area: 'admission plugins', module: 'kubernetes', folder: 'plugin/pkg' },
  { area: 'admission', module: 'apiserver', folder: 'pkg/admission' },
  { area: 'CEL libraries', module: 'apiserver', folder: 'pkg/cel' },
  {
    area: 'generic API server',
    module: 'apiserver',
    folder: 'pkg',
    only: /^pkg\/(?:endpoints|registry|server|storage|authorization|authentication)\//,
  },
  { area: 'gates', module: 'apiserver', folder: 'pkg/features' },
  { area: 'gates', module: 'kubernetes', folder: 'pkg/features' },
  { area: 'machinery', module: 'apimachinery', folder: 'pkg' },
  { area: 'custom resources', module: 'apiextensions-apiserver', folder: 'pkg' },
  { area: 'pod security', module: 'pod-security-admission', folder: '' },
  { area: 'printed columns', module: 'kubernetes', folder: 'pkg/printers' },
];

/** Libraries whose release decides what expressions, patches and managed fields do. */
const libraries = [
  'github.com/google/cel-go',
  'cel.dev/cel-go',
  'sigs.k8s.io/structured-merge-diff',
  'gopkg.in/evanphx/json-patch',
  'sigs.k8s.io/yaml',
  'sigs.k8s.io/json',
];

const isLeftOut = /\/client\/|_test\.go$|zz_generated|\/testdata\/|\/testing\/|\/fuzzer\/|generated\.pb\.go$|openapi_generated/;

/** Returns lines: a heading for each area, and its files with the lines that were added and removed, the largest changes first. */
export function sourceChanges(modules, before, after) {
  const names = [...new Set(areas.map(({ area }) => area))];
  const changed = names.flatMap(name => {
    const files = areas.filter(({ area }) => area === name).flatMap(each => changedFiles(modules, before, after, each));
    const added = files.reduce((sum, file) => sum + file.added + file.removed, 0);
    const shown = files
      .sort((a, b) => b.added + b.removed - a.added - a.removed)
      .map(file => `  +${file.added} -${file.removed} ${file.name}`);
    return [`${name}: ${files.length} files, ${added} lines`, ...shown];
  });
  return [...changed, ...changedLibraries(modules, before, after), ...changedPlugins(modules, before, after)];
}

function changedFiles(modules, before, after, { module, folder, only = /\.go$/ }) {
  const [from, to] = [before, after].map(version => folderOf(modules, moduleOf(module, version), folder));
  const { stdout, status, stderr } = spawnSync('git', ['diff', '--no-index', '--no-renames', '--numstat', '-w', from, to], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status > 1) throw new Error(`git diff: ${stderr}`);
  return filesOf(stdout, from, to)
    .map(file => ({ ...file, name: [module, folder, file.name].filter(part => part !== '').join('/') }))
    .filter(({ name }) => name.endsWith('.go') && !isLeftOut.test(name) && only.test(name.slice(module.length + 1)));
}

/** `git diff` does not follow a link. */
function folderOf(modules, module, folder) {
  const place = path.join(modules, module, folder);
  if (!existsSync(place)) throw new Error(`${place} is missing: go mod download k8s.io/${module}`);
  return realpathSync(place);
}

/** Files of the output of `git diff --numstat`, named from the folders that were compared. */
export function filesOf(numstat, from, to) {
  return numstat.split('\n').flatMap(line => {
    const [, added, removed, names] = /^(\d+)\t(\d+)\t(.*)$/.exec(line) ?? [];
    if (names === undefined) return [];
    const paths = [/\{([^{}]*) => [^{}]*\}/, /\{[^{}]* => ([^{}]*)\}/]
      .map(pair => names.replace(pair, '$1'))
      .flatMap(shown => shown.split(' => '));
    const name = [from, to].flatMap(folder => paths.map(shown => shown.split(`${folder}/`)[1])).find(rest => rest !== undefined);
    return name === undefined ? [] : [{ added: Number(added), removed: Number(removed), name }];
  });
}

/** `api@v0.38.0`, and `kubernetes@v1.38.0`. */
function moduleOf(module, version) {
  return `${module}@${module === 'kubernetes' ? version : version.replace('v1.', 'v0.')}`;
}

function changedLibraries(modules, before, after) {
  const [from, to] = [before, after].map(version => readFileSync(path.join(modules, moduleOf('kubernetes', version), 'go.mod'), 'utf8'));
  const versionIn = (text, library) => new RegExp(`^\\s${library}(?:/v\\d+|\\.v\\d+)? (v\\S+)`, 'm').exec(text)?.[1] ?? 'none';
  const go = text => /^go (\S+)/m.exec(text)?.[1];
  const rows = [['Go', go(from), go(to)], ...libraries.map(library => [library, versionIn(from, library), versionIn(to, library)])];
  return ['libraries:', ...rows.filter(([, a, b]) => a !== b).map(([name, a, b]) => `  ${name} ${a} -> ${b}`)];
}

/** Admission plugins that are new or gone, in the order in which they run. Source: kubernetes pkg/kubeapiserver/options/plugins.go. */
function changedPlugins(modules, before, after) {
  const [from, to] = [before, after].map(version => {
    const source = readFileSync(path.join(modules, moduleOf('kubernetes', version), 'pkg/kubeapiserver/options/plugins.go'), 'utf8');
    return [.../AllOrderedPlugins = \[\]string\{([\s\S]*?)\n\}/.exec(source)[1].matchAll(/^\s*(\w+)\.PluginName/gm)].map(
      ([, name]) => name,
    );
  });
  const only = (list, other, mark) => list.filter(name => !other.includes(name)).map(name => `  ${mark} ${name}`);
  return ['plugins:', ...only(to, from, '+'), ...only(from, to, '-')];
}
