import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { MAX_BATCH_BYTES } from '../../protocol/records/record.ts';
import { isTlsError } from '../../server/platform/db/connection-problem.ts';
import { isRunning, listen } from './address.ts';
import { type Check, type Finding, failure, reasonOf, warning } from './check.ts';

const TIMEOUT_MS = 10_000;

/** The first line of the stream. */
const STREAMED = '{}\n';

/** An address for documentation (RFC 5737), as a client could write it into the header. */
const FORGED = '192.0.2.77';

/**
 * Listens in place of the service and sends requests to PUBLIC_URL: what arrives shows how many proxies append to
 * X-Forwarded-For, whether they pass on the largest bodies, and whether they hold streams back.
 * @param inContainer whether the port may be reachable from inside a container only
 */
export const proxyCheck = (inContainer: boolean): Check => ({
  name: 'proxy',
  skips: (config) =>
    !config.PUBLIC_URL ? 'PUBLIC_URL is not set' : config.TLS_CERT_FILE ? 'TLS_CERT_FILE is set' : isRunning(config),
  async run(config) {
    const service = createStandIn();
    const server = await listen(config, service.answer);
    const url = `${config.PUBLIC_URL}${service.path}`;
    try {
      const sent = await send(url, { headers: { 'x-forwarded-for': FORGED } });
      if (service.forwarded() === null) return [unarrived(config.PUBLIC_URL ?? '', config.PORT, sent, inContainer)];
      return [
        ...proxyProblems(config.TRUST_PROXY, service.forwarded() ?? '', url.startsWith('https:')),
        ...bodyProblems(await send(url, { method: 'POST', body: new Uint8Array(MAX_BATCH_BYTES) }), service.bytes()),
        ...(await streamProblems(url)),
      ];
    } finally {
      await server.close();
    }
  },
});

/** Containers set this variable (systemd.io/CONTAINER_INTERFACE). */
export const proxy = proxyCheck(process.env.container !== undefined);

const send = (url: string, init: RequestInit): Promise<Response | Error> =>
  fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    (error: unknown) => error as Error,
  );

/** Answers the doctor's requests: a GET of the stream with one that does not end, the others when they have their body. */
function createStandIn() {
  const path = `/doctor-${randomBytes(16).toString('hex')}`;
  let forwarded: string | null = null;
  let bytes = 0;
  return {
    path,
    /** X-Forwarded-For of the first request, '' if it had none; null if no request has arrived. */
    forwarded: () => forwarded,
    /** Of the bodies that arrived. */
    bytes: () => bytes,
    answer(request: IncomingMessage, response: ServerResponse): void {
      if (request.url === `${path}/stream`) {
        // As the stream of the ledger.
        response.writeHead(200, { 'content-type': 'application/jsonl; charset=utf-8', 'x-accel-buffering': 'no' });
        response.write(STREAMED);
        return;
      }
      if (request.url !== path) {
        // Of a client, which the proxy may send here while the service does not run.
        response.writeHead(503, { 'retry-after': '30', 'cache-control': 'no-store', connection: 'close' }).end();
        return;
      }
      forwarded ??= [request.headers['x-forwarded-for'] ?? ''].flat().join(',');
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      request.on('end', () => response.setHeader('connection', 'close').end());
    },
  };
}

function unarrived(publicUrl: string, port: number, sent: Response | Error, inContainer: boolean): Finding {
  const reason = sent instanceof Error ? reasonOf(sent) : `status ${sent.status}`;
  const location = sent instanceof Error ? null : sent.headers.get('location');
  const target = location === null ? publicUrl : new URL(location, publicUrl).origin;
  if (target !== new URL(publicUrl).origin) {
    return failure(
      `PUBLIC_URL is ${publicUrl}, but that address redirects to ${target}.`,
      `Set PUBLIC_URL to ${target}.`,
    );
  }
  if (sent instanceof Error && isTlsError(sent)) {
    return failure(
      `No TLS connection to PUBLIC_URL can be opened (${reason}).`,
      'Check that a proxy with a valid certificate listens there, and that PUBLIC_URL begins with https:// only if it does. For a certificate authority of your own, set NODE_EXTRA_CA_CERTS.',
    );
  }
  if (inContainer) {
    return warning(
      `A request to PUBLIC_URL does not arrive in this container (${reason}), so the proxy was not checked.`,
      `If the service is running, ignore this warning. If not, publish port ${port} of this container, and run the doctor again.`,
    );
  }
  return failure(
    `A request to PUBLIC_URL does not arrive at this machine (${reason}).`,
    `Let the proxy send all paths to port ${port}, open the firewall, and check http:// or https:// in PUBLIC_URL.`,
  );
}

/**
 * @param forwarded X-Forwarded-For as it arrived, '' if there was none
 * @param isEncrypted whether the request was sent by HTTPS, which a proxy must have ended
 */
export function proxyProblems(trusted: number, forwarded: string, isEncrypted = false): Finding[] {
  const entries = forwarded.split(',').map((entry) => entry.trim());
  const hops = entries.filter((entry) => entry !== '' && entry !== FORGED).length;
  if (hops === trusted) return [];
  if (hops === 0 && isEncrypted && entries.includes(FORGED)) {
    return [
      failure(
        `TRUST_PROXY is ${trusted}, but the proxy passes on the X-Forwarded-For of a client unchanged: a client can choose its own address.`,
        'Let the proxy append the address of its client, or replace the header by it (docs/deployment.md).',
      ),
    ];
  }
  const problem = `TRUST_PROXY is ${trusted}, but ${hops} ${hops === 1 ? 'proxy appends' : 'proxies append'} to X-Forwarded-For.`;
  if (hops < trusted) {
    const remedy = `Set TRUST_PROXY to ${hops}, or let the proxies append: with ${trusted}, a client can choose its own address.`;
    return [failure(problem, remedy)];
  }
  return [warning(problem, `Set TRUST_PROXY to ${hops}: otherwise a proxy's address counts as the client's.`)];
}

function bodyProblems(sent: Response | Error, arrived: number): Finding[] {
  if (arrived >= MAX_BATCH_BYTES) return [];
  const reason = sent instanceof Error ? reasonOf(sent) : `status ${sent.status}`;
  return [
    warning(
      `A body of ${MAX_BATCH_BYTES / 1024} KiB, as a batch of records may have, does not pass the proxy (${reason}).`,
      "Raise the proxy's limit for bodies, in nginx with client_max_body_size 2m.",
    ),
  ];
}

/** The first line of a stream must arrive while the stream is open. */
async function streamProblems(url: string): Promise<Finding[]> {
  const sent = await send(`${url}/stream`, {});
  const reader = sent instanceof Error ? undefined : sent.body?.getReader();
  const first = await reader?.read().catch(() => undefined);
  await reader?.cancel().catch(() => undefined);
  if (sent instanceof Response && sent.status !== 200) {
    return [
      warning(
        `A stream does not pass the proxy (status ${sent.status}).`,
        'If the proxy has several service hosts, stop the others while the doctor runs.',
      ),
    ];
  }
  if (first?.value?.[0] === STREAMED.charCodeAt(0)) return [];
  return [
    warning(
      `The proxy holds responses back until they are complete: the first line of a stream did not arrive within ${TIMEOUT_MS / 1000} seconds.`,
      'Turn off the buffering of responses, in nginx with proxy_buffering off.',
    ),
  ];
}
