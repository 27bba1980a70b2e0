import type { KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { readConfig } from '../config.ts';
import { createHttpServer } from '../http/http-server.ts';
import { checkAnswer } from '../http/openapi/test-document.ts';
import { createRequestListener } from '../http/request-listener.ts';
import { type Devnet, startDevnet } from '../network/devnet/devnet.ts';
import { testWallet } from '../network/test-wallet.ts';
import { loadWallet } from '../network/wallet.ts';
import { newSigningKey, signedFields } from '../platform/crypto/signed-request.ts';
import { loadInstituteKeys } from '../platform/data-folder/key-files.ts';
import type { Clock } from '../platform/db/clock.ts';
import { migratedDatabase } from '../platform/db/test-database.ts';
import { readTlsFiles } from '../platform/listening/tls-files.ts';
import { type Service, type ServiceParts, startService } from '../processes/service.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly body: any;
}

export interface TestService {
  readonly service: Service;
  readonly url: string;
  readonly gatewayUrl: string;
  /** Its own devnet, with the fault switches. */
  readonly devnet: Devnet;
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** The three keys of the institute, in plain text. */
  readonly instituteKeys: readonly string[];
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  request(path: string, init: RequestInit): Promise<Answer>;
  stop(): Promise<void>;
}

/** The part of a test service that a client needs. */
export type TestApi = Pick<TestService, 'get' | 'post' | 'request' | 'instituteKeys'>;

/** How long requests wait for the database: a busy machine exceeds the limits of a running service. */
export const WAIT_MS = 120_000;

interface TestOptions {
  readonly clock?: Clock;
  readonly databaseUrl?: string;
  readonly log?: Logger;
  /** The kind of network that the service believes in; it is always a devnet. */
  readonly kind?: 'devnet' | 'arweave';
  readonly webhookTargets?: ServiceParts['webhookTargets'];
  /** In place of WAIT_MS; null for the limits of a running service. */
  readonly databaseWaitMs?: number | null;
}

/** The whole service behind real HTTP, with its own database and devnet. Only Next is left out. */
export async function startTestService(
  env: Record<string, string> = {},
  { clock, databaseUrl, log: given, kind = 'devnet', webhookTargets, databaseWaitMs = WAIT_MS }: TestOptions = {},
): Promise<TestService> {
  const dataDir = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-`));
  const database = databaseUrl ? { url: databaseUrl, drop: async () => undefined } : await migratedDatabase();
  const config = readConfig({
    RATE_LIMIT: 'off',
    DATA_DIR: dataDir,
    BUNDLE_MAX_AGE_MS: '200',
    DEVNET_BLOCK_MS: '100',
    // Tests read whole responses.
    MAX_STREAM_MS: '100',
    ...env,
  });
  const log = given ?? pino({ level: process.env.TEST_LOG ?? 'silent' });
  const devnet = await startDevnet({
    directory: join(dataDir, 'devnet'),
    blockMs: config.DEVNET_BLOCK_MS,
    log,
    wallet: await testWallet(),
  });
  const address = { url: '' };
  const { created } = loadInstituteKeys(config);
  const service = await startService({
    config,
    log,
    databaseUrl: database.url,
    gateway: { urls: [env.GATEWAY_URL ?? devnet.url], kind, wallet: loadWallet(devnet.wallet) },
    publicUrl: () => address.url,
    ...(clock ? { clock } : {}),
    ...(webhookTargets ? { webhookTargets } : {}),
    ...(databaseWaitMs ? { databaseWaitMs } : {}),
  });
  let stopping: Promise<void> | undefined;
  const stopService = () => {
    stopping ??= service.stop();
    return stopping;
  };
  const server = createHttpServer(config, service.context.securityEvents, { tls: readTlsFiles(config) });
  server.on('request', createRequestListener(service.context, null));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address.url = `${config.TLS_CERT_FILE ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const request = async (path: string, init: RequestInit) => {
    const response = await fetch(`${address.url}${path}`, init);
    const text = await response.text();
    const { status, headers } = response;
    if (!response.redirected) {
      checkAnswer(init.method ?? 'GET', path, { status, header: (name) => headers.get(name), text });
    }
    return answerOf(status, headers, text);
  };
  return {
    service: { context: service.context, stop: stopService },
    url: address.url,
    gatewayUrl: devnet.url,
    devnet,
    databaseUrl: database.url,
    dataDir,
    instituteKeys: created ?? [],
    request,
    get: (path, headers = {}) => request(path, { headers }),
    post: (path, body, headers = {}) =>
      request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async stop() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await stopService();
      await devnet.stop();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function answerOf(status: number, headers: Headers, text: string): Answer {
  const isJson = headers.get('content-type')?.includes('application/json;') ?? false;
  return { status, headers, body: isJson && text ? JSON.parse(text) : text };
}

/** Another process beside `first`, with its database, its network and its keys. */
export async function startBeside(
  first: TestService,
  env: Record<string, string> = {},
  options: Omit<TestOptions, 'databaseUrl'> = {},
): Promise<TestService> {
  const shared = { ...env, DATA_DIR: first.dataDir, GATEWAY_URL: first.gatewayUrl };
  const service = await startTestService(shared, { ...options, databaseUrl: first.databaseUrl });
  return { ...service, instituteKeys: first.instituteKeys };
}

/** A logger at the finest level that keeps its JSON lines. */
export function captureLog(): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: pino({ level: 'trace' }, stream), lines };
}

export interface Person {
  /** 64 hex characters. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
  /** A complete body: the fields, a fresh nonce, the time, and the signature over all of it. */
  sign(
    functionName: string,
    fields: Record<string, Json>,
    envelope?: { nonce?: string; timestamp?: string },
  ): SignedBody;
}

export type SignedBody = Record<string, Json> & { nonce: string; timestamp: string; signature: string };

export function newPerson(): Person {
  const { publicKey, privateKey } = newSigningKey();
  const sign: Person['sign'] = (functionName, fields, envelope) =>
    signedFields(functionName, fields, privateKey, envelope);
  return { publicKey, privateKey, sign };
}

const names = { last: 0 };

/** A domain that no other test uses. */
export const freshDomain = (): string => `p${process.pid}-${Date.now().toString(36)}-${++names.last}.bsp`;
