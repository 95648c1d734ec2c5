import path from 'node:path';
import { withFallbackStart } from './fallback-start.js';
import { goProject } from './go-project.js';
import { javaProject } from './java-project.js';
import { nodeProject } from './node-project.js';
import type { Project } from './project.js';
import type { ProjectFiles } from './project-files.js';
import { pythonProject } from './python-project.js';
import { rustProject } from './rust-project.js';
import { webhookSources } from './served-paths.js';

/** Detects the kind of a project from its files. If its folder has no code, the code of a webhook in a folder below it counts. */
export function detectProject(files: ProjectFiles): Project {
  const own = projectIn(files);
  if (own !== undefined) return withFallbackStart(own, files);
  const [first] = foldersWithCode(files).flatMap(({ folder, inside }) => {
    const project = projectIn(inside);
    return project === undefined ? [] : [inFolder(folder, withFallbackStart(project, inside))];
  });
  const plain = withFallbackStart({ name: 'a plain folder', evidence: [], language: undefined, start: undefined, port: undefined }, files);
  return first === undefined || (first.start === undefined && plain.start !== undefined) ? plain : first;
}

function projectIn(files: ProjectFiles): Project | undefined {
  return goProject(files) ?? rustProject(files) ?? javaProject(files) ?? pythonProject(files) ?? nodeProject(files);
}

const manifest = /^((?:[^/]+\/){1,2})(?:go\.mod|Cargo\.toml|pom\.xml|pyproject\.toml|requirements\.txt|Pipfile|setup\.py|package\.json)$/;
const asideFolder = /(^|\/)(tests?|testdata|e2e|docs?|hack|tools|examples?|ui|frontend|web-tests)\//;

const dockerfile = 'Dockerfile';

interface InnerFolder {
  readonly folder: string;
  readonly inside: ProjectFiles;
}

/** Returns the folders that have code of their own, those with AdmissionReviews in it first. */
function foldersWithCode(files: ProjectFiles): InnerFolder[] {
  const folders = new Set(
    files.names.map(name => manifest.exec(name)?.[1] ?? '').filter(folder => folder !== '' && !asideFolder.test(folder)),
  );
  const found = [...folders].map(folder => ({ folder: folder.slice(0, -1), inside: filesBelow(files, folder) }));
  const [known, others] = [true, false].map(isKnown => found.filter(({ inside }) => webhookSources(inside).length > 0 === isKnown));
  return [...(known ?? []), ...(others ?? [])];
}

/** An outer Dockerfile counts if the folder has none. */
function filesBelow({ folder, names, text }: ProjectFiles, below: string): ProjectFiles {
  const own = names.filter(name => name.startsWith(below)).map(name => name.slice(below.length));
  const isOuter = !own.includes(dockerfile) && names.includes(dockerfile);
  return {
    folder: path.join(folder, below),
    names: isOuter ? [...own, dockerfile] : own,
    text: name => text(isOuter && name === dockerfile ? name : below + name),
  };
}

/** Paths of a project are relative to the outer folder, except those in commands. */
function inFolder(folder: string, project: Project): Project {
  const { start, evidence } = project;
  const authority = start?.authority;
  const isOwn = start !== undefined && authority !== undefined && !authority.startsWith('/');
  return {
    ...project,
    folder,
    evidence: evidence.map(name => `${folder}/${name}`),
    start: isOwn ? { ...start, authority: `${folder}/${authority}` } : start,
  };
}
