import { parseUrl } from '../../protocol/parse-url.ts';
import { TransparencyError } from '../../protocol/transparency/transparency-error.ts';
import { COSIGNATURE_TYPE, parseVerifierKey, type VerifierKey } from '../../protocol/transparency/verifier-key.ts';

/** Who cosigns checkpoints, and where to ask for it. */
export interface Witness {
  /** The submission prefix of C2SP tlog-witness, without a slash at its end. */
  readonly url: string;
  readonly key: VerifierKey;
}

/** A checkpoint has at most 100 signatures (protocol/transparency/note.ts), one of them by the log. */
const MAX_WITNESSES = 99;
const LOOPBACK = /^(.+\.)?localhost$|^127\.[\d.]+$|^\[::1\]$/;

/**
 * Parses the setting WITNESSES: `URL VKEY` for each witness, separated by commas.
 * @throws {TransparencyError} with a clause that continues "WITNESSES is wrong:"
 */
export function readWitnesses(text: string): readonly Witness[] {
  const witnesses = text.split(/,(?=\s*https?:\/\/)/).map(readWitness);
  if (witnesses.length > MAX_WITNESSES) throw wrong(`must name at most ${MAX_WITNESSES} witnesses`);
  const repeated = repeatedIn(witnesses.map(({ key }) => key.publicKey));
  // One signature would count as two: cosignatures do not contain the name.
  if (repeated) throw wrong('must not contain one public key twice, not even under two names');
  const name = repeatedIn(witnesses.map(({ key }) => key.name));
  if (name) throw wrong(`must not contain two witnesses with the name ${name}`);
  return witnesses;
}

function readWitness(text: string): Witness {
  const [url = '', vkey = '', ...more] = text.trim().split(/\s+/);
  if (!vkey || more.length > 0) {
    throw wrong(
      'must contain, for each witness, its URL, a space and its verifier key; separate witnesses with commas',
    );
  }
  return { url: prefixOf(url), key: keyOf(vkey) };
}

function prefixOf(text: string): string {
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw wrong('must contain URLs that begin with https:// or http://');
  if (/[@?#]/.test(text)) throw wrong('must contain URLs without credentials and query');
  // The size that a witness reports is not signed, and whoever changes it raises an alarm.
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw wrong(
      `must contain https:// URLs, except for this machine: ${url.origin} could be answered by anyone in between`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

function keyOf(vkey: string): VerifierKey {
  try {
    const key = parseVerifierKey(vkey);
    if (key.type === COSIGNATURE_TYPE) return key;
  } catch (error) {
    if (!(error instanceof TransparencyError)) throw error;
    throw wrong(`must contain valid verifier keys: ${error.message.replace(/\.$/, '')}`);
  }
  throw wrong('must contain keys of witnesses (type 4); that of a log has type 1');
}

const repeatedIn = (values: readonly string[]): string | undefined =>
  values.find((value, at) => values.indexOf(value) !== at);

const wrong = (clause: string): TransparencyError => new TransparencyError('policy', clause);
