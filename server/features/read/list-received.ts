import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { LIST_RECEIVED } from '../../../protocol/signing/institution-requests.ts';
import { institutionOf, type SignedReadParts, signedRead } from '../../entities/signed-read.ts';
import type { Page } from './list-ieos.ts';
import { receivedTokens, type TokenListParts } from './read-token.ts';

/**
 * A page of the tokens that an institution ever received, newest first, for that institution alone. An extension.
 * @throws {ProtocolError}
 */
export async function listReceived(parts: SignedReadParts & TokenListParts, body: Json, page: Page) {
  const { ieo } = await signedRead(parts, LIST_RECEIVED, body, institutionOf(parts));
  return receivedTokens(parts, ieo.id, page);
}
