import { givenOptions, requireFields, requireText } from './arguments.ts';
import { createHttp, type HttpOptions } from './http.ts';
import type { Signer } from './keys.ts';
import { createLedgerReads } from './ledger.ts';
import { createReads, type Reads } from './reads.ts';
import { ROWS } from './rows.ts';
import type { OpenOptions, SharedFile } from './shares.ts';
import { createSignedReads, type SignedReads } from './signed-reads.ts';
import { createTrust, type Trusted } from './trust.ts';
import type { Operations } from './types.ts';
import { type WithoutEntry, type WriteOptions, type Written, write } from './write.ts';

export interface ClientOptions extends HttpOptions {
  /** The key that signs where a call names none. */
  readonly key?: Signer;
  /** One of the institute's keys, for its decisions. */
  readonly instituteKey?: string;
  /** What an earlier client verified. Without it the first ledger that the server shows is trusted. */
  readonly trusted?: Trusted | null;
  /** Called whenever a higher entry was verified: store it, and give it to the next client. */
  readonly onTrusted?: (trusted: Trusted) => void;
}

export type Writes = {
  readonly [Name in keyof Operations]: (
    fields: Operations[Name]['fields'],
    options?: WriteOptions,
  ) => Promise<Done<Name>>;
};

/** The only operation of which some uses have no entry. */
type Done<Name extends keyof Operations> =
  | Written<Operations[Name]['answer']>
  | (Name extends 'cancelRecovery' ? WithoutEntry<Operations[Name]['answer']> : never);

export interface Client extends Writes, Reads, SignedReads {
  /** The highest entry that this client has verified; null before the first request. */
  readonly trusted: () => Trusted | null;
  /**
   * Opens a SMART Health Link of anybody, and decrypts its files here. It counts as an opening, so it is not repeated.
   * @throws {PerpetuaError} LINK_INVALID; NOT_FOUND after its end; PASSCODE_INVALID with `details.remainingAttempts`; SHARE_INVALID
   */
  readonly openShare: (link: string, options: OpenOptions) => Promise<readonly SharedFile[]>;
}

/**
 * A client of one service: a method for each operation and each read of docs/api.md. Every method throws PerpetuaError, and
 * IntegrityError where the server contradicts itself.
 */
export function createClient(options: ClientOptions): Client {
  const http = createHttp(options);
  const {
    key = null,
    instituteKey = null,
    trusted = null,
    onTrusted = () => {},
  } = givenOptions(options, 'The options');
  const trust = createTrust(trusted, onTrusted);
  const ledger = createLedgerReads(http, trust);
  const parts = { http, ledger, key, instituteKey };
  const writes = ROWS.map((row) => [
    row.name,
    async (fields: unknown, given?: WriteOptions | null) => {
      const options = givenOptions(given, `The second argument of ${row.name}`);
      return write(parts, row, requireFields(fields, row.name, [...row.signed, ...row.unsigned]), options);
    },
  ]);
  return {
    // The only cast: the rows and the types of the methods come from the same table.
    ...(Object.fromEntries(writes) as Writes),
    ...createReads(http, ledger, instituteKey),
    ...createSignedReads(parts),
    trusted: trust.current,
    openShare: async (link, given) => {
      const opening = givenOptions(given, 'The second argument of openShare');
      requireText(link, 'The link of openShare');
      requireText(opening.recipient, 'The recipient of openShare');
      const { openShareText } = await import('./shares.ts');
      return openShareText(link, { ...options, ...opening });
    },
  };
}
