import { bytesToHex } from '../../../protocol/signing/encoding.ts';
import type { Members, TryTarget } from './target.ts';
import type { TrySession } from './try-session.ts';

const LABEL_BYTES = 4;

/** The body that the form begins with: the example, with the disposable key, a free domain, and ids that the key may use. */
export function beginningBody({ body, signed }: TryTarget, { key, ids }: TrySession, suffix: string): string {
  const own: Members = {
    ...ids,
    ...(signed?.keyField ? { [signed.keyField]: key.publicKey } : {}),
    domain: `try-${bytesToHex(crypto.getRandomValues(new Uint8Array(LABEL_BYTES)))}.${suffix}`,
  };
  const members = Object.entries(body ?? {}).map(([name, value]) => [name, own[name] ?? value]);
  return JSON.stringify(Object.fromEntries(members), null, 2);
}

/** The same for the parameters. */
export const beginningParameters = ({ parameters }: TryTarget, { ids }: TrySession): Readonly<Record<string, string>> =>
  Object.fromEntries(parameters.map(({ name, example }) => [name, example && (ids[name] ?? example)]));
