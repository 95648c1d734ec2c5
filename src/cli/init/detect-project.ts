import { withFallbackStart } from './fallback-start.js';
import { goProject } from './go-project.js';
import { javaProject } from './java-project.js';
import { nodeProject } from './node-project.js';
import type { Project } from './project.js';
import type { ProjectFiles } from './project-files.js';
import { pythonProject } from './python-project.js';
import { rustProject } from './rust-project.js';

/** Detects the kind of a project from its files. */
export function detectProject(files: ProjectFiles): Project {
  const project = goProject(files) ??
    rustProject(files) ??
    javaProject(files) ??
    pythonProject(files) ??
    nodeProject(files) ?? { name: 'a plain folder', evidence: [], language: undefined, start: undefined, port: undefined };
  return withFallbackStart(project, files);
}
