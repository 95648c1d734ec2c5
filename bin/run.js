#!/usr/bin/env node
// Starts the program: the bundle with V8's code cache, which keeps what V8 compiled in the first run for the next ones. CommonJS, because Node
// starts it a tenth sooner than a module, and one file, because each takes half a millisecond to find. Node's own modules that not every start needs
// are loaded where they are used. It also starts the single executables (scripts/executable.js), whose files are in bin/assets.js.
const assets = __filename === process.execPath ? require('./assets.js') : undefined;
const requireNode = assets === undefined ? require : assets.requireWithAssets;
const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync, writeSync } = requireNode('node:fs');
const path = require('node:path');

/** A run that only said how it is used has compiled too little to be kept. */
const usageError = 2;
const bundleFolder = 'dist/bundle';
const checksumBytes = 8;
const forgottenAfterMs = 30 * 24 * 3_600_000;

// oclif would load a whole version library only to warn about old versions of Node.
process.env.OCLIF_DISABLE_ENGINE_WARNING = '1';

const root = assets === undefined ? path.resolve(__dirname, '..') : assets.root;
const argv = process.argv.slice(2);
if (!preparedAnswer(root, argv)) {
  // All is said and done by then, and Node need not take everything down piece by piece.
  start().then(exitCode => process.exit(exitCode));
}

async function start() {
  const { main, processSurroundings, commands } = bundledProgram(root, argv[0]) ?? (await compiledProgram());
  return main(argv, root, { ...processSurroundings(), importModule }, commands);
}

/** Code from V8's cache, or from an executable, cannot import modules: Node does not know where it is from. */
function importModule(url) {
  if (assets === undefined) return import(url);
  const { constants, Script } = require('node:vm');
  const importing = new Script('url => import(url)', { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER });
  return withoutWarnings(() => importing.runInThisContext()(url));
}

/** Node 20 warns that this option is experimental, which the user can do nothing about. */
function withoutWarnings(run) {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return run();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** The modules as the compiler wrote them: in a checkout without a bundle, or with one that is older. */
async function compiledProgram() {
  const { main } = await import('../dist/src/cli/main.js');
  const { processSurroundings } = await import('../dist/src/cli/process-surroundings.js');
  return { main, processSurroundings };
}

/**
 * Writes what was prepared when the program was built: its version, and what `--help` says in 80 columns. Answers whether it did;
 * where anything is out of the ordinary the program itself has to answer.
 */
function preparedAnswer(root, argv) {
  const isVersion = argv.length === 1 && argv[0] === '--version';
  const isHelp = argv.length === 0 || (argv.length === 1 && argv[0] === '--help');
  if ((!isVersion && !isHelp) || process.env.WEBHOOK_CLI_NO_BUNDLE || process.env.OCLIF_COLUMNS) return false;
  // oclif has a name of its own for Windows' subsystem for Linux.
  if (process.platform === 'linux' && /microsoft/i.test(require('node:os').release())) return false;
  const list = freshList(root);
  if (list === undefined) return false;
  const userAgent = `${list.version} ${process.platform}-${process.arch} node-${process.version}`;
  const text = isHelp ? list.help.join(userAgent) : `${userAgent}\n`;
  return wroteToStdout(Buffer.from(text));
}

/** Without loading Node's streams. False when nothing was written: the program knows what to say about a full disk or a reader that went away. */
function wroteToStdout(bytes) {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch {
    if (written > 0) process.stdout.write(bytes.subarray(written));
  }
  return written > 0;
}

/**
 * What the bundle exports; undefined where there is none, where the compiled modules are newer, or where WEBHOOK_CLI_NO_BUNDLE is
 * set. It has three parts, and each loads the other's modules by `part:file`.
 */
function bundledProgram(root, command) {
  if (process.env.WEBHOOK_CLI_NO_BUNDLE && assets === undefined) return undefined;
  const list = freshList(root);
  if (list === undefined) return undefined;
  if (command === 'request' || command === 'test') prepareForMany();
  const loaded = {};
  const part = name => {
    loaded[name] ??= loadPart(path.join(root, bundleFolder, `${name}-${list.hash}.cjs`), keptCode(list.hash, command, name), requireEither);
    return loaded[name];
  };
  const requireEither = Object.assign(id => {
    const other = /^(first|second|third):(.*)$/.exec(id);
    return other === null ? requireNode(id) : part(other[1]).load(other[2]);
  }, require);
  return part('first');
}

/**
 * For thousands of calls, of which each runs through thousands of functions: without inlining V8 optimizes them in half the time. 1,000 calls take a quarter
 * less time for it, and a third less of the processor. Measured with V8 11 (Node 20); others may have other flags. The flags count for the cache, and
 * stand before it is read.
 */
function prepareForMany() {
  if (process.versions.v8.startsWith('11.')) require('node:v8').setFlagsFromString('--no-turbo-inlining');
}

function loadPart(file, { cachedData, kept }, requireEither) {
  const { constants, Script } = require('node:vm');
  // ASCII: one byte a character.
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    cachedData,
    importModuleDynamically: constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (kept !== undefined && (cachedData === undefined || script.cachedDataRejected)) {
    // At exit the functions that ran are compiled, and the cache holds them too.
    process.once('exit', exitCode => exitCode !== usageError && writeCache(kept, script));
  }
  const module = { exports: {} };
  script.runInThisContext()(module.exports, requireEither, module, file, path.dirname(file));
  return module.exports;
}

/** What the build says of the bundle; undefined where there is none, and where the compiled modules are newer. */
function freshList(root) {
  try {
    const list = path.join(root, bundleFolder, 'program.json');
    const compiled = assets === undefined ? statSync(path.join(root, 'dist/src/cli/main.js'), { throwIfNoEntry: false }) : undefined;
    if (compiled !== undefined && compiled.mtimeMs > statSync(list).mtimeMs) return undefined;
    return JSON.parse(readFileSync(list, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * V8's code cache for a part of the program, and the file to keep another one in. Every command has its own, since V8 reads a cache as a whole.
 * An executable contains those of the commands that were run when it was built.
 */
function keptCode(hash, command, part) {
  if (process.env.WEBHOOK_CLI_NO_CODE_CACHE) return {};
  const name = `${/^[a-z]{1,20}$/.test(command ?? '') ? command : 'other'}-${part}.v8`;
  const built = assets?.assetOf(`code/${name}`);
  if (built !== undefined) return { cachedData: codeIn(built) };
  const kept = cacheFile(hash, name);
  return kept === undefined ? {} : { cachedData: readCache(kept), kept };
}

/** V8 looks at its own version and flags and at the length of the source only: the name says the rest. */
function cacheFile(hash, name) {
  const folder = cacheFolder();
  return folder && path.join(folder, 'webhook-cli', `${hash}-${process.version}-${process.arch}`, name);
}

/** Where this user's programs keep what can be made again; undefined where nobody says. */
function cacheFolder() {
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
  if (XDG_CACHE_HOME && path.isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  if (process.platform === 'win32') return LOCALAPPDATA || undefined;
  return HOME && path.isAbsolute(HOME) ? path.join(HOME, '.cache') : undefined;
}

function readCache(file) {
  try {
    return codeIn(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** V8 trusts the bytes it is given, and a damaged file could end the process: so a checksum precedes them. */
function codeIn(bytes) {
  const data = bytes.subarray(checksumBytes);
  return data.length > 0 && bytes.readDoubleLE(0) === checksumOf(data) ? data : undefined;
}

/**
 * Of the length and a word of every page: what an interrupted write leaves out are pages. Sums over all bytes would
 * take longer than V8 takes to look at them, or the loading of another module of Node.
 */
function checksumOf(data) {
  let sum = data.length;
  for (let at = 0; at + 4 <= data.length; at += 4096) sum = (sum * 31 + data.readUInt32LE(at)) % 0xfffffffb;
  return sum;
}

/** Says nothing when it cannot write: the program only starts more slowly. */
function writeCache(file, script) {
  const part = `${file}.${process.pid}`;
  try {
    const data = script.createCachedData();
    const checksum = Buffer.alloc(checksumBytes);
    checksum.writeDoubleLE(checksumOf(data));
    makeFolders(path.dirname(file));
    writeFileSync(part, Buffer.concat([checksum, data]), { mode: 0o600 });
    renameSync(part, file);
    removeForgotten(path.dirname(file));
  } catch {
    removeQuietly(part);
  }
}

/** Node's own recursive creation never ends in file systems such as /proc, where nothing can be made. */
function makeFolders(folder) {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolders(parent);
  mkdirSync(folder, { mode: 0o700 });
}

function removeQuietly(file) {
  try {
    rmSync(file, { force: true });
  } catch {
    // What cannot be written cannot always be removed.
  }
}

/** Folders of programs and versions of Node that are no longer there. */
function removeForgotten(current) {
  const parent = path.dirname(current);
  for (const name of readdirSync(parent)) {
    const folder = path.join(parent, name);
    if (folder !== current && Date.now() - statSync(folder).mtimeMs > forgottenAfterMs) rmSync(folder, { recursive: true, force: true });
  }
}
