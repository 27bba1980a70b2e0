import { z } from 'zod';
import { PerpetuaError } from '../../client/errors.ts';
import { createHttp, parsed } from '../../client/http.ts';
import { MAX_KEY_ITEMS } from '../../protocol/ledger/succession.ts';

/** A service does not respond, or not as protocol §4 defines. */
export class ServiceApiError extends Error {
  override readonly name = 'ServiceApiError';
}

/** A response that exceeds MAX_BYTES. */
class ResponseTooLarge extends ServiceApiError {}

const ledgerShape = z.object({
  ledger_id: z.string().regex(/^[0-9a-f]{64}$/),
  head: z.object({
    epoch: z.int().positive(),
    seq: z.int().nonnegative(),
    id: z
      .string()
      .regex(/^[\w-]{43}$/)
      .nullable(),
    at: z.iso.datetime(),
    signature: z.string(),
  }),
  relayer_public_key: z.string().regex(/^[0-9a-f]{64}$/),
  relayer_keys: z.array(z.base64()).max(MAX_KEY_ITEMS).default([]),
  wallet_address: z.string().regex(/^[\w-]{43}$/),
  network: z.object({
    kind: z.enum(['devnet', 'arweave']).default('arweave'),
    gateway_url: z.url({ protocol: /^https?$/ }),
  }),
  max_posting_delay_seconds: z.number().positive(),
  checkpoint_key: z.string().max(1_000).nullable().default(null),
});

const lineShape = z.object({ id: z.string().regex(/^[\w-]{43}$/), seq: z.int().positive(), item: z.base64() });

export type ServedLedger = z.infer<typeof ledgerShape>;

/** The public HTTP API of a running service. */
export interface ServiceApi {
  ledger(): Promise<ServedLedger>;
  /** The newest checkpoint of the transparency log as it is served; null after a 404. */
  checkpoint(): Promise<string | null>;
  /** At most 1 000 entries after `seq`, oldest first. */
  entriesAfter(seq: number): Promise<{ id: string; seq: number; item: Buffer }[]>;
  /** The `beo` of the response; null after a 404. `reference` is an id or a domain. */
  beo(reference: string): Promise<object | null>;
  /** The `ieo` of the response, in the same way. */
  ieo(reference: string): Promise<object | null>;
  /** `valid`, `reason` and the members of `token`; null if there is no such consent. */
  consent(tokenId: string): Promise<object | null>;
}

const DEADLINE_MS = 30_000;
const MAX_ENTRIES = 1_000;
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_ATTEMPTS = 10;
const MAX_WAIT_MS = 60_000;

/** Respects rate limits: after a 429 or 503 it waits as Retry-After demands. @throws {ServiceApiError} */
export function createServiceApi(url: string): ServiceApi {
  const base = url.replace(/\/+$/, '');
  const http = createHttp({
    url: base,
    timeout: DEADLINE_MS,
    retries: MAX_ATTEMPTS - 1,
    maxWait: MAX_WAIT_MS,
    maxBytes: MAX_BYTES,
    repeats: ({ status }) => status === 429 || status === 503,
  });

  /** Null after a 404. */
  async function textOrNull(path: string): Promise<string | null> {
    try {
      return await http.read(() => ({ method: 'GET', path }));
    } catch (error) {
      if (!(error instanceof PerpetuaError)) throw error;
      const { status, code } = error;
      if (status === 404) return null;
      if (status !== null) throw new ServiceApiError(`The service at ${base} responds ${status} to GET ${path}.`);
      const isTooLarge = code === 'UNEXPECTED_RESPONSE';
      const reason = isTooLarge ? `the response is larger than ${MAX_BYTES} bytes` : reasonOf(error.cause);
      const sentence = `The service at ${base} does not respond to GET ${path} (${reason}).`;
      throw isTooLarge ? new ResponseTooLarge(sentence) : new ServiceApiError(sentence);
    }
  }

  async function ok(path: string): Promise<string> {
    const text = await textOrNull(path);
    if (text === null) throw new ServiceApiError(`The service at ${base} responds 404 to GET ${path}.`);
    return text;
  }

  const asExpected = <Shape extends z.ZodType>(shape: Shape, text: string, path: string): z.infer<Shape> => {
    const { success, data } = shape.safeParse(parsed(text));
    if (success) return data;
    throw new ServiceApiError(`The response of ${base} to GET ${path} does not follow protocol §4.`);
  };

  async function getOrNull<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.infer<Shape> | null> {
    const text = await textOrNull(path);
    return text === null ? null : asExpected(shape, text, path);
  }

  /** Entries with ciphertexts of records may exceed the size of a response; fewer are then requested. */
  async function entriesAfter(seq: number, limit: number): ReturnType<ServiceApi['entriesAfter']> {
    const path = `/api/ledger/entries?after=${seq}&limit=${limit}`;
    try {
      const lines = (await ok(path)).split('\n').filter((line) => line !== '');
      if (lines.length > limit)
        throw new ServiceApiError(`The service at ${base} returns more entries than requested: GET ${path}.`);
      return lines.map((line) => {
        const { item, ...entry } = asExpected(lineShape, line, path);
        return { ...entry, item: Buffer.from(item, 'base64') };
      });
    } catch (error) {
      if (!(error instanceof ResponseTooLarge) || limit === 1) throw error;
      return entriesAfter(seq, Math.ceil(limit / 8));
    }
  }

  return {
    ledger: async () => asExpected(ledgerShape, await ok('/api/ledger'), '/api/ledger'),
    checkpoint: () => textOrNull('/tlog/checkpoint'),
    entriesAfter: (seq) => entriesAfter(seq, MAX_ENTRIES),
    beo: async (reference) => (await getOrNull(pathOf('beos', reference), beoShape))?.beo ?? null,
    ieo: async (reference) => (await getOrNull(pathOf('ieos', reference), ieoShape))?.ieo ?? null,
    async consent(tokenId) {
      const { token, ...rest } = (await getOrNull(`/api/consent/${tokenId}`, consentShape)) ?? {};
      return token ? { ...rest, ...token } : null;
    },
  };
}

const entityShape = z.record(z.string(), z.unknown());
const beoShape = z.object({ beo: entityShape });
const ieoShape = z.object({ ieo: entityShape });
const consentShape = z.object({ valid: z.boolean(), reason: z.string().optional(), token: entityShape.optional() });

const pathOf = (entities: string, reference: string): string =>
  `/api/${entities}/${reference.includes('.') ? 'domain/' : ''}${encodeURIComponent(reference)}`;

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return (cause as { code?: string }).code?.toString() ?? (cause instanceof Error ? cause.message : String(cause));
}
