import { createHmac, timingSafeEqual } from 'node:crypto';
import { refusal } from '../../../protocol/errors.ts';
import { fromBase64Url, toBase64Url } from '../../../protocol/signing/encoding.ts';

const MAC_BYTES = 16;
const MAX_CHARACTERS = 512;

export interface Cursors {
  /** @throws {RangeError} if the position exceeds the limit of a cursor, about 360 bytes of JSON */
  readonly seal: (scope: string, position: readonly string[]) => string;
  /**
   * @param path of the cursor in the request
   * @throws {ProtocolError} VALIDATION_FAILED if `seal` did not create the cursor for this scope
   */
  readonly open: (scope: string, cursor: string, path?: string) => readonly string[];
}

/**
 * Cursors for keyset pagination: unpadded base64url of the first 16 bytes of HMAC-SHA256 (RFC 2104 §5) and the position as
 * JSON. `scope` names the list and its filters; `position` is the end of a page. A position is authentic, not secret.
 */
export function createCursors(key: Buffer): Cursors {
  // JSON delimits the scope, so that no other pair of scope and position has the same bytes.
  const authenticate = (scope: string, position: Uint8Array) =>
    createHmac('sha256', key).update(JSON.stringify(scope)).update(position).digest().subarray(0, MAC_BYTES);

  return {
    seal(scope, position) {
      const bytes = Buffer.from(JSON.stringify(position));
      const cursor = toBase64Url(Buffer.concat([authenticate(scope, bytes), bytes]));
      if (cursor.length > MAX_CHARACTERS) throw new RangeError('The position is too long for a cursor.');
      return cursor;
    },

    open(scope, cursor, path = 'cursor') {
      const bytes = cursor.length <= MAX_CHARACTERS ? fromBase64Url(cursor) : null;
      if (!bytes || bytes.length <= MAC_BYTES) throw invalidCursor(path);
      const position = bytes.subarray(MAC_BYTES);
      if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), authenticate(scope, position))) throw invalidCursor(path);
      return JSON.parse(Buffer.from(position).toString());
    },
  };
}

const invalidCursor = (path: string) =>
  refusal('VALIDATION_FAILED', 'This cursor does not belong to this list; start again without one.', {
    issues: [{ path, message: 'is not a cursor of this list' }],
  });
