import { type Client, type ClientOptions, createClient, type Writes } from '../../client/client.ts';
import { IntegrityError, PerpetuaError } from '../../client/errors.ts';
import { isTemporary } from '../../client/http.ts';
import { signRequest } from '../../client/sign.ts';
import type { Operations } from '../../client/types.ts';
import { type Unanswered, UnansweredError, type WriteOptions } from '../../client/write.ts';
import { clockSkew, timedFetch } from '../_trpc/clock.ts';
import type { Failure } from '../_trpc/failure.ts';
import { UNREACHABLE } from '../_trpc/unreachable.ts';
import type {
  Answer,
  Answered,
  Fields,
  Name,
  Posted,
  SendOptions,
  Sent,
  SignedBody,
  Submission,
  SubmitOptions,
} from './send.ts';
import type { Signer } from './signer.ts';

// The client of this site, with what its pages need beside it. Loaded with the first request: send.ts.

const TIMEOUT_MS = 60_000;
/** Of a submission, whose page stays open while it repeats: about a quarter of a minute without a response, and through a rate limit. */
const SUBMISSION = { retries: 5, maxWait: 120_000 } as const;

const TOO_MANY_REQUESTS = 429;

const now = () => Date.now() - clockSkew();

/** A wrong clock is corrected by every response. A page repeats a request only when the person asks for it again. */
export const siteOptions = (): ClientOptions => {
  // As the server rendered it into the page.
  const ledgerId = globalThis.document?.documentElement.dataset.ledger;
  const trusted = ledgerId ? { ledgerId, head: null } : null;
  return { url: '', fetch: timedFetch, now, timeout: TIMEOUT_MS, retries: 0, trusted };
};

/** What ends a right: whether it was done before matters less than that it is done. */
const HARMLESS_TWICE: ReadonlySet<Name> = new Set<Name>([
  'lockBEO',
  'lockIEO',
  'revokeToken',
  'revokeAllTokens',
  'revokeAllFromIEO',
  'revokeByIntent',
  'destroyBEO',
  'destroyIEO',
]);

export function createSite(options: ClientOptions) {
  const client = createClient(options);
  /** The requests of this page without a response, by what they ask for. */
  const unanswered = new Map<string, Unanswered>();
  return {
    /** Calls a method that reads. */
    read: <Body>(call: (client: Client) => Promise<Body>): Promise<Answered<Body>> =>
      call(client).then((body) => ({ ok: true, body }), refused),

    /** The fields of a signed read, signed. @throws {PerpetuaError} CANNOT_SIGN */
    async sign(key: Signer, functionName: string, fields: Fields): Promise<SignedBody> {
      const ledgerId = client.trusted()?.ledgerId;
      const { body } = await signRequest(functionName, fields, { key, ledgerId, now: options.now?.() ?? Date.now() });
      return body as SignedBody;
    },

    /**
     * Sends an operation so that it is accepted at most once: without a response, the same request is repeated when it is asked for
     * again, and the response to the repetition shows whether the first was accepted.
     */
    async send<Given extends Name>(
      name: Given,
      fields: Operations[Given]['fields'],
      given: SendOptions,
    ): Promise<Sent<Answer<Given>>> {
      const what = JSON.stringify([given.key?.publicKey ?? given.instituteKey, name, fields]);
      const earlier = unanswered.get(what);
      const posted = await post(client, name, fields, { ...given, ...(earlier && { unanswered: earlier }) });
      unanswered.delete(what);
      if (posted.ok) return posted;
      const { failure, unanswered: left } = posted;
      if (left && failure.code !== 'UNCERTAIN') unanswered.set(what, left);
      return failure.code === 'UNCERTAIN' && HARMLESS_TWICE.has(name) ? this.send(name, fields, given) : posted;
    },

    /** Submits records, or goes on with a submission without a response, and repeats it until there is one, or for some time. */
    submit(
      fields: Submission,
      { key, unanswered, onLimited }: SubmitOptions,
    ): Promise<Posted<Answer<'submitRecords'>>> {
      const onWait: ClientOptions['onWait'] = (ms, { status }) => status === TOO_MANY_REQUESTS && onLimited(ms);
      const patient = createClient({ ...options, ...SUBMISSION, onWait });
      // The service checks each record by itself, and the page shows its problems.
      const given = fields as Operations['submitRecords']['fields'];
      return post(patient, 'submitRecords', given, { key, ...(unanswered && { unanswered }) });
    },
  };
}

/** One call of the client's method. Never throws. */
export async function post<Given extends Name>(
  client: Writes,
  name: Given,
  fields: Operations[Given]['fields'],
  options: WriteOptions,
): Promise<Posted<Answer<Given>>> {
  try {
    const written = await client[name](fields, options);
    const { transactionId, entry, responseLost } = written;
    // Without the lost response there is only its receipt.
    const answer = responseLost ? null : (written as Answer<Given>);
    return {
      ok: true,
      transactionId: transactionId as Answer<Given>['transactionId'],
      function: entry?.function ?? name,
      answer,
    };
  } catch (error) {
    return { ...refused(error), unanswered: error instanceof UnansweredError ? error.unanswered : null };
  }
}

const refused = (error: unknown) => ({ ok: false, failure: failureOf(error) }) as const;

function failureOf(error: unknown): Failure {
  if (error instanceof IntegrityError) return { code: 'UNVERIFIED', message: error.message };
  if (!(error instanceof PerpetuaError)) return UNREACHABLE;
  const { code, message, details, cause } = error;
  switch (code) {
    case 'NO_RESPONSE':
    case 'UNEXPECTED_RESPONSE':
      return UNREACHABLE;
    case 'OUTCOME_UNKNOWN':
      // A repetition may still show the outcome, or it is too late for one.
      return isTemporary(cause) ? failureOf(cause) : { code: 'UNCERTAIN', message };
    default:
      return { code, message, details };
  }
}
