import { z } from 'zod';

/** One plain mailbox: ASCII, no quotes, comments, groups or lists. RFC 5321 §4.5.3.1 bounds its length. */
export const mailAddress = z
  .email({ error: 'must be one plain e-mail address' })
  .max(254)
  .refine((text) => text.lastIndexOf('@') <= 64, 'has too many characters before the @');
