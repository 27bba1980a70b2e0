import type { Client } from '../../client/client.ts';
import type { Operations } from '../../client/types.ts';
import type { Accepted, Unanswered, WithoutEntry } from '../../client/write.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import type { Failure } from '../_trpc/failure.ts';
import { UNREACHABLE } from '../_trpc/unreachable.ts';
import type { Signer } from './signer.ts';

// The only sender of the pages: everything goes through the client of client/, which is loaded with the first request.

/** An operation, by the name of its row in the table. */
export type Name = keyof Operations;
export type Fields = Readonly<Record<string, Json>>;
export type Answer<Given extends Name> = (Accepted | (Given extends 'cancelRecovery' ? WithoutEntry<unknown> : never)) &
  Operations[Given]['answer'];

/** A read. */
export type Answered<Body> = { readonly ok: true; readonly body: Body } | Refused;

interface Refused {
  readonly ok: false;
  readonly failure: Failure;
}

type Placed = Pick<Accepted | WithoutEntry<unknown>, 'transactionId'>;

/** An accepted write. `answer` is null where the response was lost, and a repetition showed that the request was accepted. */
interface Done<Answer extends Placed> {
  readonly ok: true;
  /** Null where the request needed no ledger entry. */
  readonly transactionId: Answer['transactionId'];
  /** The function that was signed. */
  readonly function: string;
  readonly answer: Answer | null;
}

export type Sent<Answer extends Placed> = Done<Answer> | Refused;

/** The same of one attempt. `unanswered` is what a later one goes on with; null where the request was certainly refused. */
export type Posted<Answer extends Placed> = Done<Answer> | (Refused & { readonly unanswered: Unanswered | null });

export interface SendOptions {
  readonly key?: Signer;
  /** The token of a guardian's link. */
  readonly link?: string;
  readonly instituteKey?: string;
}

/** Records of one person, under one consent. */
export interface Submission {
  readonly targetBeo: string;
  readonly consentToken: string;
  readonly records: readonly Fields[];
}

export interface SubmitOptions {
  readonly key: Signer;
  /** Of an earlier submission of these records, to go on with it. */
  readonly unanswered: Unanswered | null;
  /** Receives the wait, in ms, where a rate limit asks for one. */
  onLimited(ms: number): void;
}

export interface SignedBody {
  readonly [field: string]: Json;
  readonly nonce: string;
  readonly timestamp: string;
  readonly signature: string;
}

/** For where the lost response is needed. */
export const ARRIVED: Failure = { code: 'ARRIVED', message: '' };

const NOT_LOADED = { ok: false, failure: UNREACHABLE } as const;

let loaded: Promise<ReturnType<typeof import('./site.ts').createSite>> | null = null;

/** Tried again after a failure: this device may have been offline. */
async function site() {
  loaded ??= import('./site.ts').then(({ createSite, siteOptions }) => createSite(siteOptions()));
  return loaded.catch(() => {
    loaded = null;
    return null;
  });
}

/** Calls a method of the client that reads. Never throws. */
export const read = async <Body>(call: (client: Client) => Promise<Body>): Promise<Answered<Body>> =>
  (await site())?.read(call) ?? NOT_LOADED;

/** Signs an operation, sends it and verifies its receipt (site.ts). Never throws. */
export const send = async <Given extends Name>(
  name: Given,
  fields: Operations[Given]['fields'],
  options: SendOptions,
): Promise<Sent<Answer<Given>>> => (await site())?.send(name, fields, options) ?? NOT_LOADED;

/** Submits records (site.ts). Never throws. */
export const submit = async (fields: Submission, options: SubmitOptions): Promise<Posted<Answer<'submitRecords'>>> =>
  (await site())?.submit(fields, options) ?? { ...NOT_LOADED, unanswered: options.unanswered };

/** Signs a read that the pages send with tRPC. @throws {Error} where the key cannot sign, or without a connection */
export async function sign(key: Signer, functionName: string, fields: Fields): Promise<SignedBody> {
  const loaded = await site();
  if (!loaded) throw new Error('The client could not be loaded.');
  return loaded.sign(key, functionName, fields);
}
