import os from 'node:os';
import path from 'node:path';
import { connect } from 'node:tls';
import { readNamedFile } from '../../files/read-file.js';
import { joinHostPort } from '../../go/net/host-port.js';
import { admissionHandler } from '../admission/answer.js';
import { messageOfResponse } from '../api/responses.js';
import type { AdmissionWebhook, ConversionWebhook, Handler, HealthCheck, WebhookServer } from '../api/types.js';
import { type Listener, listen } from '../http/listener.js';
import { type HttpHandler, sniffedText } from '../http/message.js';
import { createMux, type Mux } from '../http/mux.js';
import { watchKeyPair } from './certificate-watcher.js';
import { handleHealth } from './health.js';
import { KeyPairError, readKeyPair, type ServedKeyPair } from './key-pair.js';
import { type Log, loggerOf } from './log.js';
import { createMetrics, type Metrics } from './metrics.js';

/** Options of a webhook server, with controller-runtime's names and defaults. */
export interface WebhookServerOptions {
  /** Listen address; all by default. */
  readonly host?: string | undefined;
  /** Port, 9443 by default; 0 for any free one. */
  readonly port?: number | undefined;
  /** Folder of certificate and key: k8s-webhook-server/serving-certs in the temporary folder by default. */
  readonly certDir?: string | undefined;
  /** Certificate file; tls.crt by default. */
  readonly certName?: string | undefined;
  /** Key file; tls.key by default. */
  readonly keyName?: string | undefined;
  /** File in the folder with authorities: clients must have a certificate signed by one of them. */
  readonly clientCaName?: string | undefined;
  /** Interval in milliseconds for reloading certificate and key; 10000 by default. */
  readonly certPollIntervalMs?: number | undefined;
  /** PEM texts to use instead of files. */
  readonly keyPair?: ServedKeyPair | undefined;
  /** Serves /metrics over plain HTTP; 0: any free port. Absent: not served. */
  readonly metricsPort?: number | undefined;
  /** Serves /healthz and /readyz over plain HTTP; 0: any free port. Absent: not served. */
  readonly healthPort?: number | undefined;
  /** Receives log entries; by default they are dropped. */
  readonly log?: Log | undefined;
}

/** Listen addresses of a server. */
export interface ServerAddresses {
  readonly webhook: string;
  readonly metrics?: string | undefined;
  readonly health?: string | undefined;
}

/** Webhook server in this process. */
export interface RunnableWebhookServer extends WebhookServer {
  /** Reads the certificate and listens. Rejects with KeyPairError, or with the system's error. */
  start(): Promise<ServerAddresses>;
  /** Stops accepting, and waits for running requests, for a minute at most. */
  stop(): Promise<void>;
  /** Replaces all handlers and checks by those that a function registers. When it throws, nothing changes. */
  replace(register: (server: WebhookServer) => void | Promise<void>): Promise<void>;
}

const shutdownMs = 60_000;

/**
 * Creates a webhook server like controller-runtime's: register handlers, then start it. Source: controller-runtime pkg/webhook server.go.
 */
export function createWebhookServer(options: WebhookServerOptions = {}): RunnableWebhookServer {
  const log = options.log ?? (() => undefined);
  const logger = loggerOf(log, 'controller-runtime.webhook');
  const metrics = createMetrics();
  const host = options.host ?? '';
  let running: { readonly listeners: readonly Listener[]; readonly port: number; readonly unwatch: () => void } | undefined;
  const started: HealthCheck = () => {
    if (running === undefined) throw new Error('webhook server has not been started yet');
    return tryConnection(host, running.port);
  };
  let routes = createRoutes(metrics, log, started);

  const start = async (): Promise<ServerAddresses> => {
    logger.info('Starting webhook server');
    const pair = options.keyPair ?? (await readKeyPair({ ...certFiles(options), metrics }));
    const ca =
      options.clientCaName === undefined ? undefined : await readClientAuthority(path.join(certDirOf(options), options.clientCaName));
    const onFault = (error: unknown): void => logger.error('http: panic serving', messageOfResponse(error));
    const tls = { cert: pair.cert, key: pair.key, ...(ca === undefined ? {} : { ca, requestCert: true, rejectUnauthorized: true }) };
    const serveWebhooks: HttpHandler = request => routes.webhooks.serve(request);
    const onHandshakeError = (error: Error, address: string): void => {
      // As Go says of a client that leaves before the handshake.
      const isEnd = 'code' in error && error.code === 'ECONNRESET';
      logger.info(`http: TLS handshake error from ${address}: ${isEnd ? 'EOF' : error.message}`);
    };
    const webhook = await listen({ handle: serveWebhooks, host, port: options.port ?? 9443, tls, onFault, onHandshakeError });
    const listeners = [webhook];
    const listenPlain = async (port: number | undefined, handle: HttpHandler): Promise<Listener | undefined> => {
      if (port === undefined) return undefined;
      const listener = await listen({ handle, host, port, onFault });
      listeners.push(listener);
      return listener;
    };
    const close = (): Promise<unknown> => Promise.all(listeners.map(listener => listener.close(0)));
    try {
      const metricsListener = await listenPlain(options.metricsPort, metricsMux(metrics).serve);
      const healthListener = await listenPlain(options.healthPort, request => routes.health.serve(request));
      const unwatch = options.keyPair === undefined ? watched(pair, { options, metrics, log, webhook }) : () => undefined;
      running = { listeners, port: webhook.port, unwatch };
      logger.info('Serving webhook server', { host, port: webhook.port });
      return {
        webhook: `https://${authority(webhook)}`,
        ...(metricsListener === undefined ? {} : { metrics: `http://${authority(metricsListener)}/metrics` }),
        ...(healthListener === undefined ? {} : { health: `http://${authority(healthListener)}` }),
      };
    } catch (error) {
      await close();
      throw error;
    }
  };

  return {
    register: (at, handler) => routes.server.register(at, handler),
    addHealthzCheck: (name, check) => routes.server.addHealthzCheck(name, check),
    addReadyzCheck: (name, check) => routes.server.addReadyzCheck(name, check),
    startedChecker: () => started,
    start,
    async stop() {
      if (running === undefined) return;
      logger.info('Shutting down webhook server with timeout of 1 minute');
      const { listeners, unwatch } = running;
      unwatch();
      await Promise.all(listeners.map(listener => listener.close(shutdownMs)));
      running = undefined;
    },
    async replace(register) {
      const replacement = createRoutes(metrics, log, started);
      await register(replacement.server);
      routes = replacement;
    },
  };
}

function certDirOf({ certDir }: WebhookServerOptions): string {
  return certDir ?? path.join(os.tmpdir(), 'k8s-webhook-server', 'serving-certs');
}

function certFiles(options: WebhookServerOptions): { readonly certFile: string; readonly keyFile: string } {
  const folder = certDirOf(options);
  return { certFile: path.join(folder, options.certName ?? 'tls.crt'), keyFile: path.join(folder, options.keyName ?? 'tls.key') };
}

async function readClientAuthority(file: string): Promise<string> {
  let text: string;
  try {
    text = readNamedFile(file).toString('latin1');
  } catch {
    throw new KeyPairError(`failed to read client CA cert: open ${file}: no such file or directory`, file);
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new KeyPairError('failed to append client CA cert to CA pool', file);
  return text;
}

interface Watched {
  readonly options: WebhookServerOptions;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly webhook: Listener;
}

function watched(pair: ServedKeyPair, { options, metrics, log, webhook }: Watched): () => void {
  const logger = loggerOf(log, 'controller-runtime.certwatcher');
  const pollMs = options.certPollIntervalMs ?? 10_000;
  logger.info('Starting certificate poll+watcher', { interval: `${pollMs / 1000}s` });
  return watchKeyPair(pair, { ...certFiles(options), pollMs, metrics, logger, onChange: webhook.setSecureContext });
}

function authority({ address, port }: Listener): string {
  return joinHostPort(address, port);
}

function metricsMux(metrics: Metrics): Mux {
  const mux = createMux();
  const type = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';
  mux.handle('/metrics', () => ({ status: 200, headers: [['Content-Type', type]], body: metrics.text() }));
  return mux;
}

interface Routes {
  readonly webhooks: Mux;
  readonly health: Mux;
  readonly server: WebhookServer;
}

function createRoutes(metrics: Metrics, log: Log, started: HealthCheck): Routes {
  const webhooks = createMux();
  const health = createMux();
  const live = new Map<string, HealthCheck>();
  const ready = new Map<string, HealthCheck>();
  handleHealth(health, '/healthz', live);
  handleHealth(health, '/readyz', ready);
  const logger = loggerOf(log, 'controller-runtime.webhook');
  const server: WebhookServer = {
    register(at, handler) {
      webhooks.handle(at, measured(at, httpHandlerOf(at, handler, { metrics, log }), metrics));
      metrics.addPath(at);
      logger.info('Registering webhook', { path: at });
    },
    addHealthzCheck: (name, check) => void live.set(name, check),
    addReadyzCheck: (name, check) => void ready.set(name, check),
    startedChecker: () => started,
  };
  return { webhooks, health, server };
}

/** Counts and times the requests of a path. */
function measured(at: string, handler: HttpHandler, metrics: Metrics): HttpHandler {
  return async request => {
    const finish = metrics.begin(at);
    let status: number | undefined;
    try {
      const response = await handler(request);
      status = response.status;
      return response;
    } finally {
      finish(status);
    }
  };
}

/** Recognizes handlers by their shape, because they may come from another copy of this package. */
function httpHandlerOf(at: string, handler: Handler, { metrics, log }: { readonly metrics: Metrics; readonly log: Log }): HttpHandler {
  if (typeof handler === 'function') return httpHandlerOf(at, { webhook: 'admission', handler, recoverPanic: true }, { metrics, log });
  switch (handler?.webhook) {
    case 'admission':
      return admissionHandlerOf(at, handler, { metrics, log });
    case 'conversion':
      return conversionHandler(at, handler, { metrics, log });
    case 'injector':
      return request =>
        handler.answer(request, message =>
          loggerOf(log, 'injector').error('failed to reload; keeping the old content', message, { path: at }),
        );
    default:
      throw new TypeError(`invalid handler for ${at}: expected a function, or what webhook(), conversion() or injector() returns`);
  }
}

function admissionHandlerOf(
  at: string,
  webhook: AdmissionWebhook,
  { metrics, log }: { readonly metrics: Metrics; readonly log: Log },
): HttpHandler {
  const logger = loggerOf(log, 'admission');
  return admissionHandler(webhook, {
    onPanic(value) {
      metrics.counters.panics += 1;
      logger.error('Observed a panic', messageOfResponse(value), {
        path: at,
        stacktrace: value instanceof Error ? (value.stack ?? '') : '',
      });
    },
    onError: (message, error) => logger.error(message, error, { path: at }),
  });
}

function conversionHandler(
  at: string,
  webhook: ConversionWebhook,
  { metrics, log }: { readonly metrics: Metrics; readonly log: Log },
): HttpHandler {
  const logger = loggerOf(log, 'conversion_webhook');
  return async request => {
    const { bytes } = await request.readBody(Number.MAX_SAFE_INTEGER);
    const { status, body, panicked, failure } = await webhook.answer(bytes);
    if (panicked) metrics.counters.conversionPanics += 1;
    if (failure !== undefined) {
      const { message, error, stacktrace } = failure;
      logger.error(message, error, { path: at, ...(stacktrace === undefined ? {} : { stacktrace }) });
    }
    return { ...sniffedText(body), status };
  };
}

/** Rejects when no TLS connection can be made. */
function tryConnection(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(new Error(`webhook server is not reachable: ${error.message}`));
    const socket = connect(
      { host: host === '' || host === '0.0.0.0' || host === '::' ? 'localhost' : host, port, rejectUnauthorized: false, timeout: 10_000 },
      () => {
        socket.end();
        socket.destroy();
        resolve();
      },
    );
    socket.once('error', fail);
    socket.once('timeout', () => socket.destroy(new Error('i/o timeout')));
  });
}
