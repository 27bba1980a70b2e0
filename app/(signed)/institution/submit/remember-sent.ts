import type { TokenView } from '../../../../protocol/entities/token.ts';
import { type Read, readAs, UNREADABLE } from '../../../_keys/read.ts';
import { addSent, fingerprintOf, removeSent } from '../../../_keys/sent-records.ts';
import type { Item } from './use-submission-sending.ts';

/**
 * Stores that records are about to be sent. Before the request, because its response may be lost. Where the list cannot be read,
 * nothing may be sent.
 * @returns what takes it back, for records that are refused
 */
export async function rememberSent(
  { ieo_id: ieoId, beo_id: beoId }: Pick<TokenView, 'ieo_id' | 'beo_id'>,
  records: readonly Item['record'][],
): Promise<Read<() => Promise<void>>> {
  try {
    const added = await addSent(
      ieoId,
      records.map((record) => fingerprintOf(beoId, record)),
    );
    if (added.state === 'unreadable') return added;
    const forget = async () => {
      await removeSent(ieoId, added.value).catch(() => {});
    };
    return readAs(forget);
  } catch {
    return UNREADABLE;
  }
}
