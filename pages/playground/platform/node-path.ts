/** Node's path for the paths below the engine's folder, which contain no dots. */
const path = {
  join: (...parts: readonly string[]): string => parts.join('/').replace(/\/+/g, '/'),
  basename: (file: string): string => file.slice(file.lastIndexOf('/') + 1),
  extname: (file: string): string => /\.[^./]*$/.exec(file)?.[0] ?? '',
};

// biome-ignore lint/style/noDefaultExport: Node's module has one.
export default path;
export const { join, basename, extname } = path;
