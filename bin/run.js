#!/usr/bin/env node
// Starts the program: the bundle with V8's code cache, which stores compiled code for later runs. CommonJS, because it starts ten percent
// faster than a module; a single file, because finding a file takes half a millisecond. Modules of Node that are not always needed are
// loaded lazily. It also starts the single executables (scripts/executable.js), whose files are in bin/assets.js.
/** A thread has no file in a single executable. */
const fileOfThread = '[worker eval]';
const assets = [process.execPath, fileOfThread].includes(__filename) ? require('./assets.js') : undefined;
const requireNode = assets === undefined ? require : assets.requireWithAssets;
const {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} = requireNode('node:fs');
const path = require('node:path');

/** Wrong usage, invalid input, a webhook that cannot be called, a bug: these runs have compiled too little to be cached. */
const exitCodesOfShortRuns = [2, 3, 4, 70];
const bundleFolder = 'dist/bundle';
/** What the build has generated the output of. */
const preparedAnswers = { '-h': 'start', '--help': 'help', '-v': 'version', '--version': 'version' };
/** Their values are names of formats and of what is in them; those with code of their own. Values of other commands' flags are names of files. */
const flagsWithCode = ['-o', '--output', '--include'];
const valuesWithCode = ['json', 'yaml', 'diff', 'github', 'exchange', 'steps'];
const checksumBytes = 32;
/** Compiling a module takes a fifth of a millisecond at each start; adding its code to the cache delays one exit by 20 ms. */
const fewModules = 8;
/** The device number of /dev/null on Linux. */
const nullDevice = 0x103;
const forgottenAfterMs = 30 * 24 * 3_600_000;

/**
 * For thousands of calls, each of which runs thousands of functions, V8 optimizes too much at first. Measured for 1,000 and 4,000 calls of `request`,
 * CPU: with V8 11 (Node 20), optimizing without inlining and with four times the interrupt budget saves a half; with V8 13 and 14 (Node 24 and 26), a fifth without
 * the last tier, which is worth its time after some seconds. Garbage is collected before the heap grows by more than 60 or 120 percent, later 50: with V8 11, 20,000
 * tests need two thirds of the memory. With V8 13 and 14, the middle tier compiles a thousand functions at once, and a thread that has others to compile
 * keeps the memory of those that are done: 60 MB, which are never given back. The cache depends on the flags: they are set before it is read, and again
 * before it is written.
 */
const flagsForMany = {
  11: { first: ['--heap-growing-percent=60', '--no-turbo-inlining', '--interrupt-budget=540000'] },
  12: { first: ['--heap-growing-percent=60'] },
  13: {
    first: ['--heap-growing-percent=120', '--no-turbofan', '--no-maglev-inlining', '--no-maglev-destroy-on-background'],
    later: ['--heap-growing-percent=50', '--turbofan'],
  },
  14: {
    first: ['--heap-growing-percent=120', '--no-turbofan', '--no-maglev-destroy-on-background'],
    later: ['--heap-growing-percent=50', '--turbofan'],
  },
};
/**
 * Modules of Node that the commands with flags load. Node keeps compiled code of its modules, too, which V8 refuses while its flags are set: the modules
 * are loaded before. Measured on `request`: 8 ms.
 */
const modulesOfCalls = ['node:crypto', 'node:net', 'node:vm'];
const modulesOfWebhooks = [...modulesOfCalls, 'node:tls'];
const modulesOfServers = [...modulesOfWebhooks, 'node:http', 'node:http2'];
const modulesOfStores = ['node:http', 'node:net', 'node:vm'];
/** Threads of `replay` run for hours: V8 would let the heap of each grow to more than twice what it needs, for two percent of the time. */
const flagsForLong = ['--heap-growing-percent=50'];
const laterMs = 3000;
const v8Version = Number.parseInt(process.versions.v8, 10);
const manyCallsCommands = ['fuzz', 'replay', 'request', 'test'];
const serverCommands = ['apiserver', 'controlplane'];
/**
 * For servers, which run for long, with V8 13 and 14. Measured with `apiserver` after 6,000 pods were created: 220 and 205 MB in place of 506 and 372, for the same
 * CPU, half of it by what the middle tier keeps (see above). Young objects of a call are few: a space of 8 MiB takes no more CPU than one of 16.
 */
const flagsForServers = ['--heap-growing-percent=60', '--no-maglev-destroy-on-background', '--semi-space-growth-factor=1'];
const serverSemiSpaceMiB = 8;
/**
 * Half of the space for young objects, in MiB, with V8 13 and 14: with 8, 2,000 tests take a tenth more CPU than with 16. V8 would let it grow to 64, which
 * takes more memory and no less time.
 */
const semiSpaceMiB = 16;
/** The main thread's space has 1 MiB until it does more than load the program. */
const youngSpaceFlags = [`--min-semi-space-size=${semiSpaceMiB}`, `--max-semi-space-size=${semiSpaceMiB}`, '--semi-space-growth-factor=1'];
const checkedEveryMs = 20;

// Otherwise oclif loads a semver library only to warn about old versions of Node.
process.env.OCLIF_DISABLE_ENGINE_WARNING = '1';

const root = assets === undefined ? path.resolve(__dirname, '..') : assets.root;
const argv = process.argv.slice(2);
/** In place of a command: this is a thread that runs cases or makes calls, for the command that follows. */
const threadCommand = 'thread';
const isThread = argv[0] === threadCommand && !require('node:worker_threads').isMainThread;

if (isThread) {
  serveMainThread();
} else if (!preparedAnswer(root, argv)) {
  process.on('uncaughtException', endWithError);
  // All output is flushed, so Node's regular teardown can be skipped.
  start().then(exitCode => process.exit(exitCode));
}

async function start() {
  if (!hasWorkingFolder()) return 3;
  const { main, processSurroundings, commands, hash } = bundledProgram(root, argv[0], variantOf(argv)) ?? (await compiledProgram());
  return main(argv, root, { ...processSurroundings(), importModule, startThread, stateCache: stateCacheOf(hash) }, commands);
}

/** Node would end with 1, which means that a call is denied. */
function endWithError(error) {
  if (error?.code === 'EMFILE' || error?.code === 'ENFILE') {
    writeSync(2, 'error: too many open files; raise the limit: ulimit -n 1024\n');
    process.exit(3);
  }
  writeSync(2, `bug: uncaught exception: ${error?.stack ?? error}\n`);
  process.exit(70);
}

/** The folder of a shell may have been removed. */
function hasWorkingFolder() {
  try {
    process.cwd();
    return true;
  } catch {
    process.stderr.write('error: the working folder no longer exists; change to another one\n');
    return false;
  }
}

function startThread() {
  const { Worker } = require('node:worker_threads');
  // Its code cache is that of the command, which sets V8's flags.
  const words = [threadCommand, argv[0], variantOf(argv)];
  return assets === undefined
    ? new Worker(__filename, { argv: words })
    : new Worker(assets.assetOf('main.cjs').toString(), { argv: words, eval: true });
}

async function serveMainThread() {
  const { serveThread, processSurroundings, hash } = bundledProgram(root, argv[1], argv[2]) ?? (await compiledProgram());
  serveThread(require('node:worker_threads').parentPort, { ...processSurroundings(), importModule, stateCache: stateCacheOf(hash) });
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

/** The compiled modules, for a checkout without a bundle or with an outdated one. */
async function compiledProgram() {
  if (!existsSync(path.join(root, 'dist/src/cli/main.js'))) {
    writeSync(2, `error: webhook-cli is not built: run npm ci in ${root}\n`);
    process.exit(3);
  }
  const { main } = await import('../dist/src/cli/main.js');
  const { processSurroundings } = await import('../dist/src/cli/shell/process-surroundings.js');
  const { serveThread } = await import('../dist/src/cli/thread-jobs.js');
  return { main, processSurroundings, serveThread };
}

/**
 * Writes output that was generated by the build: the version, and the help for 80 columns. Returns whether it did; in unusual situations
 * the program itself has to print it.
 */
function preparedAnswer(root, argv) {
  const kind = argv.length === 0 ? 'start' : argv.length === 1 ? preparedAnswers[argv[0]] : undefined;
  if (kind === undefined || process.env.WEBHOOK_CLI_NO_BUNDLE || process.env.OCLIF_COLUMNS) return false;
  // oclif uses a separate name for WSL.
  if (process.platform === 'linux' && /microsoft/i.test(require('node:os').release())) return false;
  // Perhaps stdout is closed (process-surroundings.ts): the program checks that.
  if (process.platform === 'linux' && fstatSync(1).rdev === nullDevice) return false;
  const list = freshList(root);
  if (list === undefined) return false;
  const userAgent = `${list.version} ${process.platform}-${process.arch} node-${process.version}`;
  const text = { start: list.start, help: list.help.join(userAgent), version: `${userAgent}\n` }[kind];
  return wroteToStdout(Buffer.from(text));
}

/** Avoids loading Node's streams. Returns false when nothing was written: the program handles a full disk or a closed pipe. */
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
 * Returns the exports of the bundle and its hash; undefined if it is missing or older than the compiled modules, or if WEBHOOK_CLI_NO_BUNDLE is set. It
 * has four parts, which load each other's modules by `part:file`.
 */
function bundledProgram(root, command, variant) {
  if (process.env.WEBHOOK_CLI_NO_BUNDLE && assets === undefined) return undefined;
  const list = freshList(root);
  if (list === undefined) return undefined;
  const flags = flagsOfCommand(command);
  // Threads share V8's flags.
  if (!isThread && flags !== undefined) prepareV8(command, flags);
  const own = commandOfCache(command);
  if (!isThread) markRun(cacheFolderOf(list.hash), own);
  const cached = [`${own}${variant}`, own];
  const loaded = {};
  const part = name => {
    const file = path.join(root, bundleFolder, `${name}-${list.hash}.cjs`);
    loaded[name] ??= loadPart(file, { codeOf: memory => keptCode(list.hash, cached, name, memory), flags }, requireEither);
    return loaded[name];
  };
  const requireEither = Object.assign(id => {
    const other = /^(first|second|server|third):(.*)$/.exec(id);
    return other === null ? requireNode(id) : part(other[1]).load(other[2]);
  }, require);
  return { ...part('first'), hash: list.hash };
}

function loadModules(names) {
  for (const name of names) requireNode(name);
}

/**
 * Returns V8's flags for a command that makes many calls: from its start, and after some seconds. Those at the start are set again while its cache is read and written, since
 * others change with the space for young objects, of `semiSpaceMiB`; that is undefined for versions of V8 whose flags stay the same.
 */
function flagsOfCommand(command) {
  const isServer = serverCommands.includes(command);
  if (!isServer && !manyCallsCommands.includes(command)) return undefined;
  const { first = [], later } = flagsForMany[v8Version] ?? {};
  if (isServer) return later === undefined ? undefined : { start: flagsForServers, semiSpaceMiB: serverSemiSpaceMiB };
  const start = [...first, ...(command === 'replay' ? flagsForLong : [])];
  return later === undefined ? { start } : { start: [...start, ...youngSpaceFlags], later, semiSpaceMiB };
}

function prepareV8(command, { start, later, semiSpaceMiB }) {
  loadModules(modulesOfCommand(command));
  setFlags(start);
  if (later !== undefined) setTimeout(setFlags, laterMs, later).unref();
  if (semiSpaceMiB === undefined) return;
  growYoungSpace(require('node:v8'), semiSpaceMiB);
  process.once('exit', () => setFlags(start));
}

function modulesOfCommand(command) {
  if (serverCommands.includes(command)) return argv[1] === 'etcd' ? modulesOfStores : modulesOfServers;
  return command === 'request' ? modulesOfCalls : modulesOfWebhooks;
}

/**
 * Makes a script with the flags that the cache was written with: V8 would reject it with those that the main thread has changed since, which threads share, and compile
 * the program again.
 */
function withFlagsOfCache({ start, later, semiSpaceMiB } = {}, makeScript) {
  if (semiSpaceMiB === undefined) return makeScript();
  setFlags(start);
  try {
    return makeScript();
  } finally {
    // The main thread may have set these in the meantime.
    if (later !== undefined && process.uptime() * 1000 >= laterMs) setFlags(later);
  }
}

function setFlags(flags) {
  const v8 = require('node:v8');
  for (const flag of flags) v8.setFlagsFromString(flag);
}

/** Threads have their space from the start. The main thread was started with another one, of 1 MiB: it grows once, and then no more. */
function growYoungSpace(v8, semiSpaceMiB) {
  const timer = setInterval(() => {
    const young = v8.getHeapSpaceStatistics().find(space => space.space_name === 'new_space');
    // Both halves, and something for large objects.
    const factor = Math.max(1, Math.floor((2 * semiSpaceMiB * 2 ** 20) / young.space_size));
    v8.setFlagsFromString(`--semi-space-growth-factor=${factor}`);
    if (factor === 1) clearInterval(timer);
  }, checkedEveryMs);
  timer.unref();
}

function loadPart(file, { codeOf, flags }, requireEither) {
  const { constants, Script } = require('node:vm');
  const source = assets === undefined ? readInto(file) : readFileSync(file);
  // ASCII: one byte a character.
  const text = source.latin1Slice();
  // The text is a copy: the code may replace the bytes.
  const { cachedData, modules, kept, isOwn = false } = codeOf(assets === undefined ? source.buffer : undefined);
  const options = {
    // The cache keeps this name, and may be that of another installation: stack traces show no folder of either.
    filename: `webhook-cli/${path.basename(file)}`,
    cachedData,
    importModuleDynamically: constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  };
  const script = withFlagsOfCache(flags, () => new Script(text, options));
  const module = { exports: {} };
  if (kept !== undefined) {
    // At exit, all functions that ran are compiled and become part of the cache.
    process.once('exit', exitCode => {
      if (exitCodesOfShortRuns.includes(exitCode)) return;
      const { made = [] } = module.exports;
      const before = script.cachedDataRejected ? undefined : modules;
      if (!isOwn || before === undefined || newModules(made, before) >= fewModules) writeCache(kept, script, loadedModules(made, before));
    });
  }
  script.runInThisContext()(module.exports, requireEither, module, file, path.dirname(file));
  return module.exports;
}

/** Returns the build's description of the bundle; undefined if there is none, or if the compiled modules are newer. */
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
 * V8's code cache for a part of the program, the modules whose code is in it, and the file to keep another one in: that of the first of these names that there is one
 * of. Every command has its own, since V8 reads a cache as a whole. An executable contains those of the commands that were run when it was built. `memory` is overwritten.
 */
function keptCode(hash, names, part, memory) {
  if (process.env.WEBHOOK_CLI_NO_CODE_CACHE) return {};
  const files = [...new Set(names)].map(name => `${name}-${part}.v8`);
  const built = files.map(file => assets?.assetOf(`code/${file}`)).find(code => code !== undefined);
  if (built !== undefined) return codeIn(built) ?? {};
  const [kept, ...others] = files.map(file => cacheFile(hash, file));
  if (kept === undefined) return {};
  const own = readCache(kept, memory);
  const isOwn = own !== undefined;
  return { ...(own ?? others.map(file => readCache(file, memory)).find(code => code !== undefined)), kept, isOwn };
}

/**
 * Returns the ending of the name of a command's cache, such as `-demo-json`; empty without flags that run other code. With the cache of the command alone,
 * every `review --demo` and `-o json` would compile what the first run of the command did not need, and every run what a first `--help` did not. Their first run uses
 * that cache.
 */
function variantOf(argv) {
  const words = argv.flatMap(word => word.split('='));
  const named = words.flatMap((word, i) => codeOfFlag(word, words[i + 1]));
  return [...new Set(named)]
    .sort()
    .map(name => `-${name}`)
    .join('');
}

function codeOfFlag(flag, value = '') {
  if (flag === '--demo') return ['demo'];
  if (flag === '--help' || flag === '-h') return ['help'];
  return flagsWithCode.includes(flag) ? value.split(',').filter(name => valuesWithCode.includes(name)) : [];
}

/** The first word of the names of a command's caches. */
function commandOfCache(command) {
  return /^[a-z]{1,20}$/.test(command ?? '') ? command : 'other';
}

/**
 * Leaves a file while this process runs, if there is a cache that it can use. A file of a process that no longer runs is the trace of a
 * crash (or of `kill -9`), which the cache may have caused: then this command's caches are removed and written again.
 */
function markRun(folder, command) {
  if (assets !== undefined || folder === undefined || process.env.WEBHOOK_CLI_NO_CODE_CACHE) return;
  try {
    const names = readdirSync(folder);
    const crashed = names.filter(name => isTrace(name, command));
    const caches = names.filter(name => name.startsWith(`${command}-`) && name.endsWith('.v8'));
    if (crashed.length > 0) for (const name of [...caches, ...crashed]) removeQuietly(path.join(folder, name));
    else if (caches.length > 0) leaveTrace(path.join(folder, `${command}.${process.pid}.running`));
  } catch {
    // Without a cache there is nothing to mark.
  }
}

function leaveTrace(file) {
  writeFileSync(file, '', { mode: 0o600 });
  process.once('exit', () => removeQuietly(file));
}

/** In a container, this process can have the number of the one that crashed. */
function isTrace(name, command) {
  const [, of, pid] = /^([a-z]+)\.(\d+)\.running$/.exec(name) ?? [];
  if (of !== command) return false;
  try {
    return Number(pid) === process.pid || !process.kill(Number(pid), 0);
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** V8 checks only its own version, its flags and the length of the source: the file name contains the rest. */
function cacheFile(hash, name) {
  const folder = cacheFolderOf(hash);
  return folder && path.join(folder, name);
}

/** Returns the folder of one build of the program, by the hash of its bundle; undefined without a bundle. */
function cacheFolderOf(hash) {
  const parent = hash === undefined ? undefined : cacheFolder();
  const folder = parent && path.join(parent, 'webhook-cli', `${hash}-${process.version}-${process.arch}`);
  return folder && isOwn(folder) ? folder : undefined;
}

/** Code from a folder that another user made or can write, such as one in a shared XDG_CACHE_HOME, would run as this user. */
function isOwn(folder) {
  const user = process.geteuid?.();
  if (user === undefined) return true;
  try {
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    return stats === undefined || (stats.isDirectory() && stats.uid === user && (stats.mode & 0o022) === 0);
  } catch {
    return false;
  }
}

/** Returns the user's cache folder; undefined if it is unknown. */
function cacheFolder() {
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
  if (XDG_CACHE_HOME && path.isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  if (process.platform === 'win32') return LOCALAPPDATA || undefined;
  return HOME && path.isAbsolute(HOME) ? path.join(HOME, '.cache') : undefined;
}

function stateCacheOf(hash) {
  const folder = process.env.WEBHOOK_CLI_NO_STATE_CACHE ? undefined : cacheFolderOf(hash);
  return folder && path.join(folder, 'states');
}

function readCache(file, memory) {
  try {
    return codeIn(readInto(file, memory));
  } catch {
    return undefined;
  }
}

/**
 * Returns the bytes of a file, at the start of that memory if it is large enough, or of new memory of twice its size. The first use of memory takes
 * longer than reading a file into it.
 */
function readInto(file, memory = new ArrayBuffer(0)) {
  const fd = openSync(file);
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.from(size <= memory.byteLength ? memory : new ArrayBuffer(2 * size), 0, size);
    for (let read = 0; read < size; ) {
      const more = readSync(fd, bytes, read, size - read);
      if (more === 0) return bytes.subarray(0, read);
      read += more;
    }
    return bytes;
  } finally {
    closeSync(fd);
  }
}

/**
 * Returns the code of a cache and the modules that it has the code of (`loadedModules`), which follow it, and whose number of bytes is the last two; undefined if it
 * is damaged. V8 trusts the bytes it is given, and a damaged file would end the process, at every start: so a checksum of all bytes precedes them.
 */
function codeIn(bytes) {
  const data = bytes.subarray(checksumBytes);
  if (data.length < 2 || !checksumOf(data).equals(bytes.subarray(0, checksumBytes))) return undefined;
  const end = data.length - 2;
  const endOfCode = end - data.readUInt16LE(end);
  return { cachedData: data.subarray(0, endOfCode), modules: Buffer.from(data.subarray(endOfCode, end)) };
}

/**
 * Returns a bit for each module of a part: whether a run has loaded it, this one or one before. `made` has the modules that this run has loaded, by number;
 * undefined for others.
 */
function loadedModules(made, before = Buffer.alloc(0)) {
  const modules = Buffer.alloc(Math.ceil(made.length / 8));
  before.copy(modules);
  for (const [i, module] of made.entries()) if (module !== undefined) modules[i >> 3] |= 1 << (i & 7);
  return modules;
}

/** Returns how many modules this run has loaded that no run before has. */
function newModules(made, before) {
  return made.filter((module, i) => module !== undefined && ((before[i >> 3] >> (i & 7)) & 1) === 0).length;
}

/** The module is loaded by most commands anyway; a loop over all bytes takes ten times as long, and the stream of createHash half a millisecond more. */
function checksumOf(data) {
  return require('node:crypto').hash('sha256', data, 'buffer');
}

/** Ignores write errors: the program only starts more slowly. */
function writeCache(file, script, modules) {
  const part = `${file}.${process.pid}`;
  try {
    const size = Buffer.alloc(2);
    size.writeUInt16LE(modules.length);
    const data = Buffer.concat([script.createCachedData(), modules, size]);
    makeFolders(path.dirname(file));
    writeFileSync(part, Buffer.concat([checksumOf(data), data]), { mode: 0o600 });
    renameSync(part, file);
    removeForgotten(path.dirname(file));
  } catch {
    removeQuietly(part);
  }
}

/** Node's recursive mkdir never returns in file systems such as /proc, where nothing can be created. */
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
    // Files that cannot be written cannot always be removed.
  }
}

/** Folders of removed programs and versions of Node. */
function removeForgotten(current) {
  const parent = path.dirname(current);
  for (const name of readdirSync(parent)) {
    const folder = path.join(parent, name);
    if (folder !== current && Date.now() - statSync(folder).mtimeMs > forgottenAfterMs) rmSync(folder, { recursive: true, force: true });
  }
}
