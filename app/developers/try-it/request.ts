import { PerpetuaError } from '../../../client/errors.ts';
import type { HttpRequest } from '../../../client/http.ts';
import type { Key } from '../../../client/keys.ts';
import { type SignedRequest, signRequest } from '../../../client/sign.ts';
import { cannotSign } from '../../../client/strict-json.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { duplicateMember } from '../duplicate-member.ts';
import { encodedInPath } from '../snippets/example-request.ts';
import { secretProblem } from './secrets.ts';
import type { Members, TryTarget } from './target.ts';

/** What is entered. */
export interface Entered {
  /** JSON: the members of the body without the envelope. */
  readonly body: string;
  /** By name; empty ones are not sent. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface Envelope {
  readonly key: Key;
  readonly ledgerId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A request as it is sent. */
export interface Prepared {
  readonly request: HttpRequest;
  /** Null if it is not signed. */
  readonly signed: SignedRequest | null;
}

/**
 * Builds the request that was entered and signs it, with the code of the client package.
 * @throws {PerpetuaError} CANNOT_SIGN, with a sentence for the form
 */
export async function prepare(
  target: TryTarget,
  { body: text, parameters }: Entered,
  envelope: Envelope,
): Promise<Prepared> {
  const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''));
  const body = target.body && membersIn(text);
  const secret = secretProblem({ ...given, ...body });
  if (secret) throw new PerpetuaError('CANNOT_SIGN', secret);
  const path = pathOf(target, { ...given, ...body });
  const filters = Object.fromEntries(Object.entries(given).filter(([name]) => !isInPath(target, name)));
  if (!target.signed) {
    const sent = body && { body: JSON.stringify(body, null, 2) };
    return { request: { method: target.method, path, query: filters, ...sent }, signed: null };
  }
  const { function: name, members, unsigned, headers } = target.signed;
  const { key, ledgerId, now } = envelope;
  if (body) {
    const signed = await signRequest(name, body, { key, ledgerId, now, unsigned });
    return { request: { method: target.method, path, body: JSON.stringify(signed.body, null, 2) }, signed };
  }
  const isSigned = ([member]: readonly [string, unknown]) => members.includes(member);
  const signed = await signRequest(name, Object.fromEntries(Object.entries(filters).filter(isSigned)), {
    key,
    ledgerId,
    now,
  });
  const sent = Object.entries(signed.body).map(([member, value]) => [member, String(value)] as const);
  return {
    request: {
      method: target.method,
      path,
      query: Object.fromEntries([
        ...Object.entries(filters).filter((entry) => !isSigned(entry)),
        ...sent.filter(([member]) => !(member in headers)),
      ]),
      headers: Object.fromEntries(
        sent.flatMap(([member, value]) => (headers[member] ? [[headers[member], value]] : [])),
      ),
    },
    signed,
  };
}

function membersIn(text: string): Members {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    throw new PerpetuaError('CANNOT_SIGN', `This is not JSON: ${(error as SyntaxError).message}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new PerpetuaError('CANNOT_SIGN', 'The body must be a JSON object.');
  }
  const twice = duplicateMember(text);
  if (twice !== null) throw cannotSign(twice, 'is there twice: the last one counts here, the first one elsewhere');
  return value as Members;
}

const isInPath = ({ path }: TryTarget, name: string): boolean => path.includes(`{${name}}`);

const pathOf = ({ path, takes }: TryTarget, values: Members): string =>
  path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const name = takes[parameter] ?? parameter;
    const value = values[name];
    if (typeof value !== 'string' || value === '') throw cannotSign(name, 'is part of the address: enter a text');
    return encodedInPath(parameter, value);
  });
