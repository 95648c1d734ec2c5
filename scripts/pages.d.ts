/** Writes the parts of the trace page and of the reports to a folder. Returns the bundled files. */
export function buildPageParts(root: string, folder: string): Promise<string[]>;

/** Writes the playground to a folder. Returns the bundled files. */
export function buildPlayground(root: string, folder: string): Promise<string[]>;

/** Bundles modules of the engine for browsers, by the names of their outputs. Returns the bundled files. */
export function buildEngine(root: string, folder: string, entryPoints: Readonly<Record<string, string>>): Promise<string[]>;
